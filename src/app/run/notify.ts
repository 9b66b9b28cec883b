/**
 * Ways to notify a person: the terminal's bell, a desktop notification, a webhook and a command. Which are used
 * is in the person's own settings; a project's file cannot set them. A notice contains fixed sentences and the
 * run's question, cleaned and on one line.
 */
import { isAbsolute } from 'node:path';
import { type Env, findOnPath, runWithInput } from '../../io/tools.ts';

interface Notice {
  readonly title: string;
  readonly body: string;
}

/** A function that delivers a notice to a person. Rejects if the notice was not delivered. */
export type Notifier = (notice: Notice) => Promise<void>;

/** Milliseconds to wait for the webhook's answer, so that a hanging server does not delay the end of a run. */
const WEBHOOK_MS = 5_000;

const BEL = '\u0007';

/**
 * Creates a notifier that rings the terminal's bell.
 *
 * @param write writes to the terminal
 */
export function ringBell(write: (text: string) => unknown): Notifier {
  return async () => void write(BEL);
}

/**
 * Creates a notifier that posts JSON with a field `text` to a webhook, as chat services expect.
 * Redirects are not followed.
 */
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
    // Leave the webhook's address out of the message: with the address, anybody can post there.
    if (!response.ok) throw new Error(`the webhook returned HTTP ${response.status}`);
  };
}

/**
 * Creates a notifier that runs a command. The notice's title and body become the command's last two
 * arguments, and the body also its standard input. No shell is used.
 */
export function callCommand([program = '', ...args]: readonly string[], env: Env): Notifier {
  return async ({ title, body }) => {
    const file = isAbsolute(program) ? program : findOnPath(program, env);
    if (file === undefined) throw new Error(`${program}: not found`);
    await runWithInput(file, [...args, title, body], Buffer.from(`${body}\n`), env);
  };
}

/**
 * Creates a notifier that shows a desktop notification with a tool of the system. If there is no
 * tool or the tool fails, the terminal shows the notice or, if it cannot, rings its bell.
 *
 * @param write writes to the terminal
 */
export function showNotice(env: Env, write: (text: string) => unknown): Notifier {
  return async ({ title, body }) => {
    const tool = toolFor(title, body, env);
    try {
      if (tool !== undefined) return await runWithInput(tool.file, tool.args, Buffer.alloc(0), env);
    } catch {
      // The desktop's program for notices failed, so show the notice in the terminal.
    }
    write(noticeSequence(title, body, env));
  };
}

/**
 * Returns the platform's tool and its arguments. The texts are separate arguments, never part of a script or
 * shell line.
 */
function toolFor(
  title: string,
  body: string,
  env: Env,
): { file: string; args: string[] } | undefined {
  // A person who started the program over ssh does not see this machine's desktop, so show no notification there.
  if (env.SSH_CONNECTION) return undefined;
  const send = findOnPath('notify-send', env);
  if (send !== undefined && (env.DISPLAY || env.WAYLAND_DISPLAY))
    return { file: send, args: ['--app-name=deliberate', '--', title, escapeMarks(body)] };
  const script = findOnPath('osascript', env);
  if (script !== undefined) return { file: script, args: ['-e', SCRIPT, title, body] };
  return undefined;
}

const SCRIPT =
  'on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run';

/** Escapes HTML, of which notification services interpret a little. */
function escapeMarks(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/**
 * Returns the escape sequence by which a terminal shows a notice: OSC 99 in kitty, OSC 777 in foot,
 * rxvt and VTE, otherwise OSC 9. Returns the bell within tmux and screen, which pass no notices on,
 * and on the Linux console and a dumb terminal.
 */
export function noticeSequence(title: string, body: string, env: Env): string {
  const term = env.TERM ?? '';
  if (env.TMUX || env.STY || /^(tmux|screen|linux|dumb)/.test(term)) return BEL;
  if (env.KITTY_WINDOW_ID || term.includes('kitty')) return `\u001b]99;;${title}: ${body}\u001b\\`;
  if (env.VTE_VERSION || /^(foot|rxvt)/.test(term))
    return `\u001b]777;notify;${title};${body.replaceAll(';', ',')}\u001b\\`;
  return `\u001b]9;${title}: ${body}${BEL}`;
}
