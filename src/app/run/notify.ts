/**
 * Ways to call a person, each an adapter of one interface: the terminal's bell, a notice on their
 * desktop, an address of theirs that takes notices, and a command of theirs. What they are is in their
 * own settings; a project cannot name one. What is sent are our words and a run's question, clean and in
 * one line.
 */
import { isAbsolute } from 'node:path';
import { type Env, onPath, runWithInput } from '../../io/tools.ts';

interface Notice {
  readonly title: string;
  readonly body: string;
}

/** Rejects where the notice has not arrived. */
export type Notifier = (notice: Notice) => Promise<void>;

/** A chat's server answers at once; a run's end does not wait for one that hangs. */
const WEBHOOK_MS = 5_000;

const BEL = '\u0007';

export function ringBell(write: (text: string) => unknown): Notifier {
  return async () => void write(BEL);
}

/** Sent as the chats take it: JSON with a `text`. Another address than the one named hears nothing. */
export function callWebhook(address: string): Notifier {
  return async ({ title, body }) => {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: `${title}: ${body}` }),
      redirect: 'error',
      signal: AbortSignal.timeout(WEBHOOK_MS),
    });
    await response.body?.cancel();
    // Not the address: whoever has it may write there.
    if (!response.ok) throw new Error(`the webhook returned HTTP ${response.status}`);
  };
}

/** Title and text are its last arguments, never part of a command line; the text is its input as well. */
export function callCommand([program = '', ...args]: readonly string[], env: Env): Notifier {
  return async ({ title, body }) => {
    const file = isAbsolute(program) ? program : onPath(program, env);
    if (file === undefined) throw new Error(`${program}: not found`);
    await runWithInput(file, [...args, title, body], Buffer.from(`${body}\n`), env);
  };
}

/** By the desktop's own tool where there is a desktop, else through the terminal. */
export function showNotice(env: Env, write: (text: string) => unknown): Notifier {
  return async ({ title, body }) => {
    const tool = toolFor(title, body, env);
    try {
      if (tool !== undefined) return await runWithInput(tool.file, tool.args, Buffer.alloc(0), env);
    } catch {
      // No notification service answers: the terminal is still there.
    }
    write(noticeSequence(title, body, env));
  };
}

/** The words are arguments of their own, never part of a script or a command line. */
function toolFor(
  title: string,
  body: string,
  env: Env,
): { file: string; args: string[] } | undefined {
  // At the other end of ssh there may be a desktop, but not this person's.
  if (env.SSH_CONNECTION) return undefined;
  const send = onPath('notify-send', env);
  if (send !== undefined && (env.DISPLAY || env.WAYLAND_DISPLAY))
    return { file: send, args: ['--app-name=deliberate', '--', title, escapeMarks(body)] };
  const script = onPath('osascript', env);
  if (script !== undefined) return { file: script, args: ['-e', SCRIPT, title, body] };
  return undefined;
}

const SCRIPT =
  'on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run';

/** Notification services read a little HTML. */
function escapeMarks(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/**
 * The terminal's own notice: OSC 99 in kitty, OSC 777 in foot, rxvt and VTE, else OSC 9, which others
 * know or ignore. tmux and screen pass none of them on; a bell they do.
 */
export function noticeSequence(title: string, body: string, env: Env): string {
  const term = env.TERM ?? '';
  if (env.TMUX || env.STY || /^(tmux|screen|linux|dumb)/.test(term)) return BEL;
  if (env.KITTY_WINDOW_ID || term.includes('kitty')) return `\u001b]99;;${title}: ${body}\u001b\\`;
  if (env.VTE_VERSION || /^(foot|rxvt)/.test(term))
    return `\u001b]777;notify;${title};${body.replaceAll(';', ',')}\u001b\\`;
  return `\u001b]9;${title}: ${body}${BEL}`;
}
