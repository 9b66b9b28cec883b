/**
 * Runs a session in front of whoever called: picks the display, passes on stop and quit, and says at
 * the end what came of it. The one place where a session, a display and the signals meet.
 */

import type { Actions, ModelOffer } from '../../console/replay/ports.ts';
import { RunStopped } from '../../kernel/errors.ts';
import type { Source } from '../../kernel/facts.ts';
import type { Journal } from '../../kernel/journal.ts';
import type { Protocol, Wanted } from '../../kernel/protocol.ts';
import type { Answerer } from '../../kernel/run.ts';
import { type Ending, type Opening, Session } from '../../kernel/session.ts';
import { shortId } from '../../kernel/short-id.ts';
import type { Tools } from '../../kernel/tools/tools.ts';
import { viewOf } from '../../kernel/view.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import type { ModelGateway, ProviderListing } from '../../models/gateway.ts';
import type { Look } from '../../protocols/common/look.ts';
import { requestOf } from '../../protocols/common/past.ts';
import { protocolNamed } from '../../protocols/table.ts';
import type { Store } from '../../store/store.ts';
import { formatTokens } from '../../text/figures.ts';
import type { Invocation } from '../invocation.ts';
import { archiveText, keeping } from '../rescue.ts';
import type { Config } from '../settings/config.ts';
import { isNamed } from '../settings/discovery.ts';
import { nameLook } from '../settings/look.ts';
import { keepEntrances } from '../settings/profiles.ts';
import { openStore } from '../store.ts';
import { startedAs } from '../suggest.ts';
import { callPerson } from './attention.ts';
import { type Display, openDisplay } from './display.ts';
import { exportsOf } from './exports.ts';
import type { Desktop } from './outside.ts';

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

/** The same for a new run of a protocol that comes with the program. `look`: the folders of its tools. */
export async function beginInTerminal(
  { look = [], named, ...terminal }: Begun,
  name: string,
  opening: Opening,
): Promise<number> {
  const store = openStore(terminal.call);
  const journal = store.create(name);
  nameLook(store, journal.run, look);
  named?.(journal.run);
  return runInTerminal({
    ...terminal,
    store,
    journal,
    protocol: await protocolNamed(name),
    start: (session) => session.begin(opening),
  });
}

type Begun = Pick<TerminalRun, 'call' | 'config' | 'models' | 'tools'> & {
  readonly look?: Look;
  /** Told the run's id before anything is asked. */
  readonly named?: (run: string) => void;
};

/** Resolves when the run has ended and this process has given it back. */
async function runDisplayed(terminalRun: TerminalRun): Promise<Ending> {
  const { call, config, journal, models, protocol, source, tools } = terminalRun;
  const display = await openDisplay(call, protocol.name, config.keys);
  const gates = new Map<string, (answer: string) => void>();
  const session = new Session({
    journal,
    models,
    protocol,
    source,
    tools,
    limits: { tokens: config.budget_tokens, usd: config.budget_usd },
    answer: answerer(call, display.interactive ? gates : undefined),
  });
  callPerson(call, config, display.terminal, journal.facts(), session.feed);
  const leave = new AbortController();
  const letGo = handleSignals(session, call, leave);
  const before = journal.facts().length;
  try {
    return await showSession(terminalRun, session, gates, display, leave.signal);
  } finally {
    const held = protocol.entrances?.(journal.facts().slice(before)) ?? [];
    await session.close();
    await keepEntrances(call, models, held);
    letGo();
  }
}

/** Resolves to what came of the attempt that ended last. */
async function showSession(
  terminalRun: TerminalRun,
  session: Session,
  gates: ReadonlyMap<string, (answer: string) => void>,
  display: Display,
  leave: AbortSignal,
): Promise<Ending> {
  const { call, journal, shown, start } = terminalRun;
  let ending: Ending = { status: 'stopped' };
  const follow = async (running: Promise<Ending>): Promise<void> => {
    ending = await running;
  };
  const begin = (): Promise<Ending> => {
    const running = start(session);
    call.begun?.();
    return running;
  };
  // Before a console is there, so that its first frame has the question and the seats.
  const begun = display.interactive ? begin() : undefined;
  await display.show(
    {
      id: session.run,
      facts: shown ?? journal.facts(),
      feed: session.feed,
      leave,
      actions: ({ outside, fail }) => {
        const again = (running: Promise<Ending>): void => void follow(running).catch(fail);
        return actionsOn(terminalRun, session, { gates, outside, again });
      },
    },
    () => follow(begun ?? begin()),
  );
  // A person who leaves while it goes on stops it.
  return session.live ? { status: 'stopped' } : ending;
}

/** What a person at the console can do to the run. `again` follows a further attempt. */
function actionsOn(
  { store, journal, models, protocol }: TerminalRun,
  session: Session,
  {
    gates,
    outside,
    again,
  }: {
    gates: ReadonlyMap<string, (answer: string) => void>;
    outside: Desktop;
    again: (running: Promise<Ending>) => void;
  },
): Actions {
  const ask = (wanted: Wanted): void => {
    if (session.live) return;
    const facts = journal.facts();
    const request = (protocol.request ?? requestOf)({ view: viewOf(facts), facts }, wanted);
    again(session.resume(request));
  };
  return {
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
    exports: exportsOf(
      {
        run: journal.run,
        protocol: protocol.name,
        facts: () => journal.facts(),
        archive: () => archiveText(store, journal.run),
      },
      outside,
    ),
  };
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
function handleSignals(
  session: Session,
  { out, err }: Invocation,
  leave: AbortController,
): () => void {
  let pressed = false;
  const stop = (): void => {
    if (pressed) process.exit(130);
    pressed = true;
    if (session.live)
      err.write('Stopping. Everything said so far is kept; press again to quit at once.\n');
    session.stop();
  };
  const stopQuietly = (): void => session.stop();
  const end = (): void => {
    session.stop();
    leave.abort();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', end);
  process.on('SIGHUP', end);
  out.on('error', stopQuietly);
  return () => {
    process.off('SIGINT', stop);
    process.off('SIGTERM', end);
    process.off('SIGHUP', end);
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
      : `continue with: ${started} resume ${id}${limited ? ', with the budget again: it is not kept' : ''}`;
  return `run ${id} ${status}${why}. ${next}\n`;
}
