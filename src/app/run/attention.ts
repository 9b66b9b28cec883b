/**
 * Calls a person back who has looked away: when an attempt has ended, and when a gate waits. Off unless
 * asked for. The words are ours; of the run there is only its question, cleaned and cut.
 */

import type { Output } from '../../io/output.ts';
import { type Env, feed, onPath } from '../../io/tools.ts';
import type { Feed, Listener } from '../../kernel/bus.ts';
import { type Fact, KERNEL } from '../../kernel/facts.ts';
import { EMPTY_VIEW, foldRun } from '../../kernel/view.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { sanitise } from '../../text/sanitise.ts';
import { truncate } from '../../text/width.ts';
import type { Bell } from '../flags.ts';
import type { Invocation } from '../invocation.ts';
import type { Config } from '../settings/config.ts';

/** Who has waited less long than this is still there. */
const LEAST_MS = 10_000;
/** Of the question, what a notice has room for. */
const LONGEST = 60;
const BEL = '\u0007';

export interface Surroundings {
  readonly bell: Bell;
  readonly env: Env;
  /** The person's terminal. */
  readonly write: (text: string) => unknown;
  /** What is known already: it calls nobody. */
  readonly facts: readonly AnyFact[];
}

/** Calls whoever has looked away from a run of this call, where they want to be. */
export function callPerson(
  { env }: Invocation,
  { bell = 'never' }: Config,
  terminal: Output,
  facts: readonly AnyFact[],
  news: Feed,
): void {
  const write = (text: string): unknown => terminal.isTTY && terminal.write(text);
  const listener = attention({ bell, env, write, facts });
  if (listener !== undefined) news.subscribe(listener);
}

/** Listens to a run; undefined where nobody is to be called. */
export function attention({ bell, env, write, facts }: Surroundings): Listener | undefined {
  if (bell === 'never') return undefined;
  let view = facts.reduce(foldRun, EMPTY_VIEW);
  /** When the person was surely here: they began the attempt, or answered. */
  let seen = view.attemptAt;
  return {
    fact: (any) => {
      view = foldRun(view, any);
      const one = KERNEL.own(any);
      if (one === undefined) return;
      if (one.type === 'run.started' || one.type === 'run.resumed') seen = one.at;
      if (one.type === 'gate.answered' && one.by === 'person') seen = one.at;
      const words = wordsFor(one);
      if (words === undefined || Date.parse(one.at) - Date.parse(seen) < LEAST_MS) return;
      if (bell === 'bell') write(BEL);
      else void notify('deliberate', `${words}: ${shorten(view.question)}`, env, write);
    },
  };
}

function wordsFor(one: Fact): string | undefined {
  if (one.type === 'gate.opened') return 'Waiting for your answer';
  if (one.type !== 'run.ended') return undefined;
  // Nothing but the person stops a run without a reason.
  if (one.status === 'stopped' && one.reason === undefined) return undefined;
  return { done: 'Done', failed: 'Failed', stopped: 'Stopped' }[one.status];
}

/** One clean line. */
function shorten(question: string): string {
  return truncate(sanitise(question).replace(/\s+/g, ' ').trim(), LONGEST);
}

/** By the desktop's own tool where there is a desktop, else through the terminal. */
async function notify(
  title: string,
  body: string,
  env: Env,
  write: Surroundings['write'],
): Promise<void> {
  const tool = toolFor(title, body, env);
  try {
    if (tool !== undefined) await feed(tool.file, tool.args, Buffer.alloc(0), env);
    else write(noticeSequence(title, body, env));
  } catch {
    // No notification service answers: the terminal is still there.
    write(noticeSequence(title, body, env));
  }
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
