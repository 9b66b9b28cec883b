/**
 * Runs a session in front of whoever called: picks the display, passes on stop and quit, and says at
 * the end what came of it. The one place where a session, a display and the signals meet.
 */

import type { ModelOffer } from '../../console/replay/ports.ts';
import { RunStopped } from '../../kernel/errors.ts';
import type { Source } from '../../kernel/facts.ts';
import type { Journal } from '../../kernel/journal.ts';
import type { Protocol, Wanted } from '../../kernel/protocol.ts';
import type { Answerer } from '../../kernel/run.ts';
import { type Ending, Session } from '../../kernel/session.ts';
import { shortId } from '../../kernel/short-id.ts';
import type { Tools } from '../../kernel/tools.ts';
import { viewOf } from '../../kernel/view.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import type { ModelGateway, ProviderListing } from '../../models/gateway.ts';
import { JsonLines } from '../../plain/json-lines.ts';
import { PlainLines } from '../../plain/lines.ts';
import { requestOf } from '../../protocols/common/past.ts';
import { textNamed, viewNamed } from '../../protocols/table.ts';
import type { Store } from '../../store/store.ts';
import { formatTokens } from '../../text/figures.ts';
import type { Invocation } from '../invocation.ts';
import { keeping } from '../rescue.ts';
import type { Config } from '../settings/config.ts';
import { isNamed } from '../settings/discovery.ts';
import { keepEntrances } from '../settings/profiles.ts';
import { startedAs } from '../suggest.ts';
import { attention } from './attention.ts';
import { displayOf, toldBefore } from './display.ts';
import { exportsOf } from './exports.ts';
import { Desktop } from './outside.ts';

export interface TerminalRun {
  readonly call: Invocation;
  readonly config: Config;
  readonly store: Store;
  readonly journal: Journal;
  readonly protocol: Protocol;
  readonly models: ModelGateway;
  /** The file of a protocol of the person's own. */
  readonly source?: Source | undefined;
  /** What seats may look things up with. */
  readonly tools?: Tools | undefined;
  /** What the console shows at first, where that is more than the journal says. */
  readonly shown?: readonly AnyFact[];
  /** Begins the first attempt of this process. */
  readonly start: (session: Session) => Promise<Ending>;
}

/**
 * Resolves to the exit code when the person is done with the run. Closes the database.
 * @throws DeliberateError where the database is not where it was: the run was written beside it then.
 */
export async function runInTerminal(terminalRun: TerminalRun): Promise<number> {
  const { call, journal, store } = terminalRun;
  try {
    const ending = await keeping(store, journal.run, () => runDisplayed(terminalRun));
    const { budgetTokens, budgetUsd } = call.flags;
    const limited = (budgetTokens ?? budgetUsd) !== undefined;
    if (!call.flags.quiet) call.err.write(lastLine(call.env, journal.run, ending, limited));
    return { done: 0, failed: 1, stopped: 130 }[ending.status];
  } finally {
    store.close();
  }
}

/** Resolves when the run has ended and this process has given it back. */
async function runDisplayed(terminalRun: TerminalRun): Promise<Ending> {
  const { call, config, journal, models, protocol, source, tools } = terminalRun;
  const display = displayOf(call);
  const gates = new Map<string, (answer: string) => void>();
  const session = new Session({
    journal,
    models,
    protocol,
    source,
    tools,
    limits: { tokens: config.budget_tokens, usd: config.budget_usd },
    answer: answerer(call, display === 'console' ? gates : undefined),
  });
  const terminal = display === 'console' ? call.out : call.err;
  const caller = attention({
    bell: config.bell ?? 'never',
    env: call.env,
    write: (text) => terminal.isTTY && terminal.write(text),
    facts: journal.facts(),
  });
  if (caller !== undefined) session.feed.subscribe(caller);
  const letGo = handleSignals(session, call);
  const before = journal.facts().length;
  try {
    return display === 'console'
      ? await inConsole(terminalRun, session, gates)
      : await inLines(terminalRun, session, display);
  } finally {
    const held = protocol.entrances?.(journal.facts().slice(before)) ?? [];
    await session.close();
    await keepEntrances(call, models, held);
    letGo();
  }
}

async function inLines(
  { call, journal, protocol, start }: TerminalRun,
  session: Session,
  display: 'plain' | 'json',
): Promise<Ending> {
  const err = call.flags.quiet ? { write: () => true } : call.err;
  const listener =
    display === 'json'
      ? new JsonLines(call.out, session.run, call.flags.deltas)
      : new PlainLines(call.out, err, await textNamed(protocol.name));
  // What a resumed run already knows is shown first, so that the output is whole.
  for (const one of journal.facts()) listener.fact(one);
  session.feed.subscribe({
    fact: (one) => listener.fact(one),
    live: (news) => listener.live(news),
  });
  return start(session);
}

async function inConsole(
  { call, config, store, journal, models, protocol, shown, start }: TerminalRun,
  session: Session,
  gates: Map<string, (answer: string) => void>,
): Promise<Ending> {
  const { openConsole } = await import('../../console/run/start.ts');
  const { keymapOf } = await import('../../console/keys/bindings.ts');
  // Refused before anybody is asked.
  keymapOf(config.keys);
  await toldBefore(call);
  const outside = new Desktop(call, session.run);
  let ending: Ending = { status: 'stopped' };
  const follow = (running: Promise<Ending>): Promise<void> =>
    running.then(
      (ended) => {
        ending = ended;
      },
      (error: unknown) => console_.fail(error),
    );
  const ask = (wanted: Wanted): void => {
    if (session.live) return;
    const facts = journal.facts();
    const request = (protocol.request ?? requestOf)({ view: viewOf(facts), facts }, wanted);
    void follow(session.resume(request));
  };
  const view = await viewNamed(protocol.name);
  // Begun before the console is there, so that its first frame has the question and the seats.
  const begun = start(session);
  call.begun?.();
  const console_ = openConsole({
    view,
    subject: {
      facts: shown ?? journal.facts(),
      feed: session.feed,
      actions: {
        stop: () => session.stop(),
        stopSeat: (seat) => void session.stopSeat(seat),
        retrySeat: (seat, model) => {
          const other = model === undefined ? {} : { model };
          if (!session.retrySeat(seat, model)) ask({ kind: 'retry', seats: [seat], ...other });
        },
        weigh: (of) => ask({ kind: 'weigh', of }),
        followUp: (question) => ask({ kind: 'ask', question }),
        resynthesize: (options) => ask({ kind: 'resynthesize', ...options }),
        resume: () => ask({ kind: 'resume' }),
        answer: (step, value) => gates.get(step)?.(value),
        tell: (control) => session.tell(control),
        pause: () => session.pause(),
        models: async () => offersOf(await models.list()),
        exports: exportsOf({ journal, store, protocol: protocol.name }, outside),
      },
    },
    outside,
    screen: call.out,
    stdin: call.stdin,
    env: call.env,
    keys: config.keys ?? {},
  });
  const leave = (): void => console_.close();
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, leave);
  void follow(begun);
  try {
    await console_.closed;
  } finally {
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.off(signal, leave);
  }
  if (!call.flags.quiet) call.err.write(outside.lines(call.err.isTTY));
  if (session.live) ending = { status: 'stopped' };
  return ending;
}

/** What providers list, for a person to choose from. */
function offersOf(listings: readonly ProviderListing[]): ModelOffer[] {
  return listings.flatMap(({ models }) =>
    models.filter(isNamed).map(({ spec, contextWindow, note }) => ({
      spec,
      detail: [contextWindow === undefined ? '' : `${formatTokens(contextWindow)} context`, note]
        .filter((one) => one)
        .join(', '),
    })),
  );
}

/** Answers what a run asks: the person at the console; else the default, if that was allowed. */
function answerer(
  call: Invocation,
  gates: Map<string, (answer: string) => void> | undefined,
): Answerer {
  return (step, question, signal) => {
    if (call.flags.yes) return Promise.resolve({ answer: question.default, by: 'default' });
    if (gates === undefined)
      return Promise.reject(new RunStopped('gate', `${question.prompt} Nobody is here to answer`));
    return new Promise((resolve, reject) => {
      gates.set(step, (answer) => {
        gates.delete(step);
        resolve({ answer, by: 'person' });
      });
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  };
}

/**
 * The first Ctrl-C stops the run and keeps what there is; the second ends the program at once, which
 * loses nothing that was recorded. A reader that went away stops the run as well.
 */
function handleSignals(session: Session, { out, err }: Invocation): () => void {
  let pressed = false;
  const stop = (): void => {
    if (pressed) process.exit(130);
    pressed = true;
    if (session.live) err.write('Stopping. What was said is kept; once more quits at once.\n');
    session.stop();
  };
  const stopQuietly = (): void => session.stop();
  process.on('SIGINT', stop);
  process.on('SIGTERM', stopQuietly);
  process.on('SIGHUP', stopQuietly);
  out.on('error', stopQuietly);
  return () => {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stopQuietly);
    process.off('SIGHUP', stopQuietly);
    out.off('error', stopQuietly);
  };
}

/** `limited`: the run had a budget, which is not recorded with it. */
function lastLine(
  env: Invocation['env'],
  run: string,
  { status, reason }: Ending,
  limited: boolean,
): string {
  const started = startedAs(env);
  const id = shortId(run);
  const why = reason === undefined ? '' : `: ${reason}`;
  const next =
    status === 'done'
      ? `${started} show ${id} · ${started} export ${id}`
      : `go on with: ${started} resume ${id}${limited ? ', and a budget again: this one is not kept' : ''}`;
  return `run ${id} ${status}${why}. ${next}\n`;
}
