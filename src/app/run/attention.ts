/**
 * Calls a person back who has looked away: when an attempt has ended, and when a gate waits. Off unless
 * asked for. The words are ours; of the run there is only its question, cleaned and cut.
 */

import type { Output } from '../../io/output.ts';
import type { Env } from '../../io/tools.ts';
import type { Feed, Listener } from '../../kernel/bus.ts';
import { type Fact, KERNEL } from '../../kernel/facts.ts';
import { EMPTY_VIEW, foldRun } from '../../kernel/view.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { line } from '../../text/line.ts';
import { truncate } from '../../text/width.ts';
import type { Bell } from '../flags.ts';
import type { Invocation } from '../invocation.ts';
import type { Config } from '../settings/config.ts';
import { callCommand, callWebhook, type Notifier, ringBell, showNotice } from './notify.ts';

/** Who has waited less long than this is still there. */
const LEAST_MS = 10_000;
/** Of the question, what a notice has room for. */
const LONGEST = 60;

interface Surroundings {
  readonly bell: Bell;
  readonly env: Env;
  /** The person's terminal. */
  readonly write: (text: string) => unknown;
  /** What is known already: it calls nobody. */
  readonly facts: readonly AnyFact[];
  /** Who is told besides, wherever the person is. */
  readonly also?: readonly Notifier[];
  /** Told of what is on its way. */
  readonly sending?: (one: Promise<void>) => void;
}

/**
 * Calls whoever has looked away from a run of this call, where they want to be. The answer waits for what
 * is on its way, which ends with the program otherwise.
 */
export function callPerson(
  { env }: Invocation,
  { bell = 'never', notify_webhook: webhook, notify_command: command }: Config,
  terminal: Output,
  facts: readonly AnyFact[],
  news: Feed,
): () => Promise<void> {
  const write = (text: string): unknown => terminal.isTTY && terminal.write(text);
  const also = [
    ...(webhook === undefined ? [] : [callWebhook(webhook)]),
    ...(command === undefined ? [] : [callCommand(command, env)]),
  ];
  const sent: Promise<void>[] = [];
  const sending = (one: Promise<void>): void => void sent.push(one);
  const listener = attention({ bell, env, write, facts, also, sending });
  if (listener !== undefined) news.subscribe(listener);
  return async () => {
    await Promise.all(sent);
  };
}

/** Listens to a run; undefined where nobody is to be called. */
export function attention({
  bell,
  env,
  write,
  facts,
  also = [],
  sending = () => undefined,
}: Surroundings): Listener | undefined {
  const here = { never: [], bell: [ringBell(write)], notice: [showNotice(env, write)] }[bell];
  if (here.length + also.length === 0) return undefined;
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
      const notice = { title: 'deliberate', body: `${words}: ${shorten(view.question)}` };
      for (const notify of here) sending(notify(notice));
      // Who is not reached elsewhere may still be near the terminal.
      for (const notify of also) sending(notify(notice).catch(() => void ringBell(write)(notice)));
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
  return truncate(line(question), LONGEST);
}
