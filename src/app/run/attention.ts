/**
 * Notifies a person who has looked away when an attempt at a run has ended or a run asks a question. Off by
 * default. A notice contains fixed sentences and, of the run, only its question, cleaned and shortened.
 */

import type { Output } from '../../io/output.ts';
import type { Env } from '../../io/tools.ts';
import type { Feed, Listener } from '../../kernel/bus.ts';
import { type Fact, KERNEL } from '../../kernel/facts.ts';
import { EMPTY_VIEW, foldRun } from '../../kernel/view.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { toLine } from '../../text/line.ts';
import { truncateLine } from '../../text/width.ts';
import type { Bell } from '../flags.ts';
import type { Invocation } from '../invocation.ts';
import type { Config } from '../settings/config.ts';
import { callCommand, callWebhook, type Notifier, ringBell, showNotice } from './notify.ts';

/** A person who has waited for less than this many milliseconds is assumed to be present. */
const LEAST_MS = 10_000;
/** The most characters of the question in a notice. */
const LONGEST = 60;

interface Surroundings {
  readonly bell: Bell;
  readonly env: Env;
  /** Writes to the person's terminal. */
  readonly write: (text: string) => unknown;
  /** The facts so far; nobody is notified of them. */
  readonly facts: readonly AnyFact[];
  /** Further ways to notify, wherever the person is. */
  readonly also?: readonly Notifier[];
  /** Called with each notice that is being sent. */
  readonly sending?: (promise: Promise<void>) => void;
}

/**
 * Notifies the person when a run ends or asks something, in the ways that the configuration names.
 * @param facts the run's facts so far, of which nobody is notified
 * @returns a function that resolves when all notices so far are delivered
 */
export function notifyPerson(
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
  const trackSending = (promise: Promise<void>): void => void sent.push(promise);
  const listener = listenForAbsence({ bell, env, write, facts, also, sending: trackSending });
  if (listener !== undefined) news.subscribe(listener);
  return async () => {
    await Promise.all(sent);
  };
}

/**
 * Creates a listener that notifies the person when the run ends or asks something. Nobody is notified if the
 * person stopped the run, or began the attempt or answered a question less than ten seconds before. Returns
 * undefined if no way to notify is configured.
 */
export function listenForAbsence({
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
  /** When the person was last known to be present: they began the attempt, or answered a question. */
  let seen = view.attemptAt;
  return {
    fact: (any) => {
      view = foldRun(view, any);
      const fact = KERNEL.own(any);
      if (fact === undefined) return;
      if (fact.type === 'run.started' || fact.type === 'run.resumed') seen = fact.at;
      if (fact.type === 'gate.answered' && fact.by === 'person') seen = fact.at;
      const words = wordsFor(fact);
      if (words === undefined || Date.parse(fact.at) - Date.parse(seen) < LEAST_MS) return;
      const notice = { title: 'deliberate', body: `${words}: ${shortenQuestion(view.question)}` };
      for (const notify of here) sending(notify(notice));
      // If the webhook or the person's command fails, ring the terminal's bell; the person may be near.
      for (const notify of also) sending(notify(notice).catch(() => void ringBell(write)(notice)));
    },
  };
}

function wordsFor(fact: Fact): string | undefined {
  if (fact.type === 'gate.opened') return 'Waiting for your answer';
  if (fact.type !== 'run.ended') return undefined;
  // If the record gives no reason why the run was stopped, the person stopped it and needs no notice.
  if (fact.status === 'stopped' && fact.reason === undefined) return undefined;
  return { done: 'Done', failed: 'Failed', stopped: 'Stopped' }[fact.status];
}

/** Returns the question as one clean line of limited length. */
function shortenQuestion(question: string): string {
  return truncateLine(toLine(question), LONGEST);
}
