/**
 * Runs a session in front of whoever called: picks the display, passes on stop and quit, and says at
 * the end what came of it. The one place where a session, a display and the signals meet.
 */

import type { Actions, ModelOffer } from '../../console/replay/ports.ts';
import { INSIDE } from '../../io/environment.ts';
import type { Source } from '../../kernel/facts.ts';
import type { Journal } from '../../kernel/journal.ts';
import type { Protocol, Wanted } from '../../kernel/protocol.ts';
import { type Ending, type Opening, Session } from '../../kernel/session.ts';
import { shortId } from '../../kernel/short-id.ts';
import type { Tools } from '../../kernel/tools/tools.ts';
import type { Workshop } from '../../kernel/tools/workshop.ts';
import { viewOf } from '../../kernel/view.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import type { ModelGateway, ProviderListing } from '../../models/gateway.ts';
import type { Look } from '../../protocols/common/look-config.ts';
import { requestOf } from '../../protocols/common/past.ts';
import { protocolNamed } from '../../protocols/table.ts';
import type { Store } from '../../store/store.ts';
import { readCaller } from '../../telemetry/caller.ts';
import { formatTokens } from '../../text/figures.ts';
import type { Invocation } from '../invocation.ts';
import { archiveText, keeping } from '../rescue.ts';
import type { Config } from '../settings/config.ts';
import { isNamed } from '../settings/discovery.ts';
import { nameLook } from '../settings/look-folders.ts';
import { giveEffort } from '../settings/panel.ts';
import { keepEntrances } from '../settings/profiles.ts';
import { openStore } from '../store.ts';
import { startedAs } from '../suggest.ts';
import { callPerson } from './attention.ts';
import { detach, termsOf } from './detached.ts';
import { type Display, openDisplay } from './display.ts';
import { exportsOf } from './exports.ts';
import { type Answered, Gates } from './gates.ts';
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
  /** Where a team's work is done. */
  readonly workshop?: Workshop | undefined;
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
  { look = [], named, place, ...terminal }: Begun,
  name: string,
  { seats, ...rest }: Opening,
): Promise<number> {
  const opening = { ...rest, seats: giveEffort(seats, terminal.config.effort) };
  const protocol = await protocolNamed(name);
  const store = openStore(terminal.call);
  const journal = store.create(name);
  nameLook(store, journal.run, look);
  named?.(journal.run);
  const workshop = place?.(journal.run);
  const begun = {
    ...terminal,
    ...(workshop === undefined ? {} : { workshop, tools: workshop.tools }),
    store,
    journal,
    protocol,
  };
  if (terminal.call.flags.detach) return handOver(begun, (session) => session.open(opening));
  return runInTerminal({ ...begun, start: (session) => session.begin(opening) });
}

/** Records what is wanted of a run, gives it back, and starts the process that works on it. */
export async function handOver(
  terminalRun: Omit<TerminalRun, 'start'>,
  record: (session: Session) => void,
): Promise<number> {
  const { call, config, store, journal, models, protocol, source, tools } = terminalRun;
  const { run } = journal;
  const { answer } = new Gates(store, run, 'by nobody');
  try {
    const caller = readCaller(call.env.TRACEPARENT);
    record(new Session({ journal, models, protocol, source, tools, answer, caller }));
    store.keepTerms(run, termsOf(call, config), call.key);
    journal.release();
    return await detach(call, store, run);
  } finally {
    store.close();
  }
}

type Begun = Pick<TerminalRun, 'call' | 'config' | 'models' | 'tools'> & {
  readonly look?: Look;
  /** Told the run's id before anything is asked. */
  readonly named?: (run: string) => void;
  /** Opens the place where the run's work is done, by its id; its tools are then the run's. */
  readonly place?: (run: string) => Workshop;
};

/** Resolves when the run has ended and this process has given it back. */
async function runDisplayed(terminalRun: TerminalRun): Promise<Ending> {
  const { call, config, store, journal, models, protocol, source, tools, workshop } = terminalRun;
  await workshop?.clear();
  const display = await openDisplay(call, protocol.name, config.keys);
  const gates = new Gates(store, journal.run, answeredIn(call, journal.run, display));
  const session = new Session({
    journal,
    models,
    protocol,
    source,
    tools,
    workshop,
    caller: readCaller(call.env.TRACEPARENT),
    limits: { tokens: config.budget_tokens, usd: config.budget_usd },
    answer: gates.answer,
  });
  const called = callPerson(call, config, display.terminal, journal.facts(), session.feed);
  const leave = new AbortController();
  const letGo = handleSignals(session, call, leave);
  const lookAway = gates.watch(() => session.stop());
  const before = journal.facts().length;
  const spans = await spansTo(call, session, journal);
  try {
    return await showSession(terminalRun, session, gates, display, leave.signal);
  } finally {
    lookAway();
    const held = protocol.entrances?.(journal.facts().slice(before)) ?? [];
    await session.close();
    await spans?.close();
    await keepEntrances(call, models, held);
    await called();
    letGo();
  }
}

/** Loaded where a person has named a collector. */
async function spansTo({ env, flags }: Invocation, session: Session, journal: Journal) {
  if (!Object.keys(env).some((name) => /^OTEL_EXPORTER_OTLP_(?:TRACES_)?ENDPOINT$/.test(name)))
    return undefined;
  const { sendSpans } = await import('./trace.ts');
  return sendSpans(env, session.feed, journal.facts(), flags);
}

/** Resolves to what came of the attempt that ended last. */
async function showSession(
  terminalRun: TerminalRun,
  session: Session,
  gates: Gates,
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
    call.begun?.(session.run);
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
    gates: Gates;
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
    answer: (step, value) => gates.give(step, value),
    tell: (control) => session.tell(control),
    pause: () => session.pause(),
    models: async () => offersOf(await models.list()),
    exports: exportsOf(
      {
        run: journal.run,
        protocol: protocol.name,
        facts: () => journal.facts(),
        prompts: () => store.prompts(journal.run),
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

/** Who answers what a run asks: see `Answered`. */
function answeredIn({ flags, env }: Invocation, run: string, { interactive }: Display): Answered {
  if (flags.yes) return 'by default';
  if (interactive) return 'console';
  return env[INSIDE] === run ? 'elsewhere' : 'by nobody';
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
