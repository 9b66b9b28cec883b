/**
 * Works on a run while showing it: chooses the display, connects signals, stop and quit, and reports the end.
 * The only place where a session, a display and signals meet.
 */

import type { Actions } from '../../console/run/ports.ts';
import type { ModelOffer } from '../../console/ui/forms/models.ts';
import { RUN_ID_VARIABLE } from '../../io/environment.ts';
import type { PlannedCalls } from '../../kernel/estimate.ts';
import { refuseSeats } from '../../kernel/names.ts';
import type { RunAction } from '../../kernel/protocol.ts';
import { type Ending, type Opening, Session } from '../../kernel/session.ts';
import { shortId } from '../../kernel/short-id.ts';
import type { Workshop } from '../../kernel/tools/workshop.ts';
import { viewOf } from '../../kernel/view.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import type { ProviderListing } from '../../models/network/listing.ts';
import { handleSignals } from '../../platform/signals.ts';
import { makeRequest } from '../../protocols/common/past.ts';
import type { Store } from '../../store/store.ts';
import { readCaller } from '../../telemetry/caller.ts';
import { formatTokens } from '../../text/numbers.ts';
import { restateAddressOf } from '../elsewhere/flags.ts';
import type { Invocation } from '../invocation.ts';
import { withRescue } from '../rescue.ts';
import { hasValidName } from '../settings/discovery.ts';
import { giveEffort } from '../settings/panel.ts';
import type { RunTools } from '../settings/run-tools.ts';
import { openStore } from '../store.ts';
import { getStartCommand } from '../suggest.ts';
import { notifyPerson } from './attention.ts';
import { getTerms, isHandedOver, startDetached, tellQueued } from './detached.ts';
import { type Display, openDisplay } from './display.ts';
import { exportsOf } from './exports.ts';
import { type GateAnswerer, Gates } from './gates.ts';
import { type OwnedRun, openRunSession } from './hold.ts';
import { refuseMissingKeys } from './keys.ts';
import type { Desktop } from './outside.ts';

/** A run that this process works on and shows. */
export interface TerminalRun extends OwnedRun {
  /** The facts that the display shows first. Absent: the facts of the journal. */
  readonly shown?: readonly AnyFact[];
}

/**
 * Works on a run and shows it. Resolves when the run has ended, the person has left the console, if
 * there is one, and the database is closed. The exit code is 0 for a run that is done, 1 for a failed
 * one and 130 for a stopped one.
 *
 * @throws DeliberateError if the database file was moved or deleted meanwhile; the run was then
 *   saved to another file
 */
export async function runInTerminal(terminalRun: TerminalRun): Promise<number> {
  const { call, journal, store } = terminalRun;
  try {
    const ending = await withRescue(call.protocols, store, journal.run, () =>
      runDisplayed(terminalRun),
    );
    const { budgetTokens, budgetUsd } = call.flags;
    const limited = (budgetTokens ?? budgetUsd) !== undefined;
    if (!call.flags.quiet) call.err.write(lastLine(call.env, journal.run, ending, limited));
    return { done: 0, failed: 1, stopped: 130 }[ending.status];
  } finally {
    store.close();
  }
}

/**
 * Creates a run of a built-in protocol, works on it and shows it. With `--detach`, `--queue` or
 * `--engine restate`, hands the run over to another process instead. Resolves to the exit code.
 *
 * @param begun `toolsOfRun`: the tools of the seats; `planned`: the estimated calls, whose models are
 *   checked as those of the seats are; `named`: called with the run's id before any model is asked;
 *   `place`: opens the workshop of a team's run
 * @param name the protocol's name
 * @throws UsageError if a seat is refused or a setting such as a key is missing; nothing is recorded
 *   then
 */
export async function beginInTerminal(
  { toolsOfRun, named, place, planned = [], ...terminal }: Begun,
  name: string,
  { seats, ...rest }: Opening,
): Promise<number> {
  const opening = { ...rest, seats: giveEffort(seats, terminal.config.effort) };
  // Refuse before anything is recorded, so that the database gets no empty run.
  refuseSeats(seats);
  refuseMissingKeys(terminal.call, [...seats, ...planned], terminal.models);
  const protocol = await terminal.call.protocols.load(name);
  const store = openStore(terminal.call);
  const journal = store.create(name);
  toolsOfRun?.keep(store, journal.run);
  named?.(journal.run, store);
  const workshop = place?.(journal.run);
  const begun = {
    ...terminal,
    tools: toolsOfRun?.tools,
    ...(workshop === undefined ? {} : { workshop, tools: workshop.tools }),
    store,
    journal,
    protocol,
  };
  if (isHandedOver(terminal.call)) return handOver(begun, (session) => session.open(opening));
  return runInTerminal({ ...begun, start: (session) => session.begin(opening) });
}

/**
 * Records the beginning or continuation of a run for another process. Then starts that process,
 * queues the run, or submits it to a Restate server. Resolves to the exit code.
 *
 * @param record records what the other process should do
 */
export async function handOver(
  terminalRun: Omit<TerminalRun, 'start'>,
  record: (session: Session) => void,
): Promise<number> {
  const { call, config, store, journal, models, protocol, source, tools } = terminalRun;
  const { run } = journal;
  const { answer } = new Gates(store, run, 'by nobody');
  try {
    const there = restateAddressOf(call);
    if (there !== undefined) {
      const { refuseUnable } = await import('../elsewhere/hand-on.ts');
      refuseUnable(terminalRun, journal.facts());
    }
    const caller = readCaller(call.env.TRACEPARENT);
    record(new Session({ journal, models, protocol, source, tools, answer, caller }));
    store.detached.keep(run, getTerms(call, config), call.key);
    if (there !== undefined) {
      const { handToRestate } = await import('../elsewhere/hand-on.ts');
      return await handToRestate({ call, config, store }, journal, there);
    }
    // Enqueue before releasing the run, so that if this program dies in between, a worker still takes it.
    if (call.flags.queue) store.enqueue(run);
    journal.release();
    return call.flags.queue ? tellQueued(call, store, run) : await startDetached(call, store, run);
  } finally {
    // The process that takes over the run opens tools of its own.
    await tools?.close?.();
    store.close();
  }
}

type Begun = Pick<TerminalRun, 'call' | 'config' | 'models'> & {
  readonly toolsOfRun?: Pick<RunTools, 'tools' | 'keep'>;
  /** The estimated calls, from which other models than those of the seats are known. Absent: there are none. */
  readonly planned?: readonly PlannedCalls[];
  /** Called with the run's id before any model is asked. */
  readonly named?: (run: string, store: Store) => void;
  /** Opens the run's workshop by the run's id; the workshop's tools are then the run's. */
  readonly place?: (run: string) => Workshop;
};

/** Resolves when the run has ended and this process has released it. */
async function runDisplayed(terminalRun: TerminalRun): Promise<Ending> {
  const { call, config, journal, protocol, workshop } = terminalRun;
  await workshop?.clear();
  const display = await openDisplay(call, protocol.name, config.keys);
  const held = await openRunSession(terminalRun, answeredIn(call, journal.run, display));
  const { session, gates } = held;
  const called = notifyPerson(call, config, display.terminal, journal.facts(), session.feed);
  const leave = new AbortController();
  const letGo = stopOnSignals(session, call, leave);
  try {
    return await showSession(terminalRun, session, gates, display, leave.signal);
  } finally {
    await held.close();
    await called();
    letGo();
  }
}

/** Resolves to the end of the last attempt. */
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
  // Begin the run before the console opens, so that the console's first frame shows the question and the seats.
  const first = display.interactive ? await import('./first-request.ts') : undefined;
  const begun = first && begin();
  // The attempt is awaited below; until then Node must not report a rejection as unhandled.
  begun?.catch(() => undefined);
  const feed = first ? await first.feedFromFirstRequest(session.feed) : session.feed;
  await display.show(
    {
      id: session.run,
      facts: shown ?? journal.facts(),
      feed,
      leave,
      answer: (step, value) => gates.give(step, value),
      actions: ({ outside, fail }) => {
        const followAgain = (running: Promise<Ending>): void => void follow(running).catch(fail);
        return actionsOn(terminalRun, session, { gates, outside, again: followAgain });
      },
    },
    () => follow(begun ?? begin()),
  );
  // If the session is live, the person has left the console during an attempt. The run counts as stopped, because
  // closing the session stops the attempt.
  return session.live ? { status: 'stopped' } : ending;
}

/**
 * Returns what a person at the console can do to the run.
 * @param again follows a further attempt
 */
function actionsOn(
  { call: { protocols }, store, journal, models, protocol }: TerminalRun,
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
  const requestAction = (wanted: RunAction): void => {
    if (session.live) return;
    const facts = journal.facts();
    const request = (protocol.request ?? makeRequest)({ view: viewOf(facts), facts }, wanted);
    again(session.resume(request));
  };
  return {
    stop: () => session.stop(),
    stopSeat: (seat) => void session.stopSeat(seat),
    retrySeat: (seat, model) => {
      const other = model === undefined ? {} : { model };
      if (!session.retrySeat(seat, model))
        requestAction({ kind: 'retry', seats: [seat], ...other });
    },
    ablate: (of) => requestAction({ kind: 'weigh', of }),
    followUp: (question) => requestAction({ kind: 'ask', question }),
    resynthesize: (options) => requestAction({ kind: 'resynthesize', ...options }),
    resume: () => requestAction({ kind: 'resume' }),
    answer: (step, value) => gates.give(step, value),
    tell: (control) => session.tell(control),
    noteIteration: (text) => session.noteIteration(text),
    decide: async (wish) => {
      const { makeDecision } = await import('../decisions/decide.ts');
      session.say(await makeDecision(protocols, journal.facts(), wish));
    },
    pause: () => session.pause(),
    models: async () => offersOf(await models.list()),
    exports: exportsOf(
      protocols,
      {
        run: journal.run,
        protocol: protocol.name,
        facts: () => journal.facts(),
        prompts: () => store.prompts(journal.run),
        archive: () => protocols.formatArchive(store, journal.run),
      },
      outside,
    ),
  };
}

/** Returns the models that providers list, for the person to choose from. */
function offersOf(listings: readonly ProviderListing[]): ModelOffer[] {
  return listings.flatMap(({ models }) =>
    models.filter(hasValidName).map(({ spec, contextWindow, note }) => ({
      spec,
      detail: [contextWindow === undefined ? '' : `${formatTokens(contextWindow)} context`, note]
        .filter((part) => part)
        .join(', '),
    })),
  );
}

/** Determines who answers the run's gates; see `GateAnswerer`. */
function answeredIn({ flags, env }: Invocation, run: string, { asks }: Display): GateAnswerer {
  if (flags.yes) return 'by default';
  if (asks) return 'console';
  return env[RUN_ID_VARIABLE] === run ? 'elsewhere' : 'by nobody';
}

/**
 * Handles signals. The first Ctrl-C stops the run and keeps its answers; the second exits at once, which loses
 * nothing recorded. Closing the output's reader also stops the run.
 */
function stopOnSignals(
  session: Session,
  { out, err }: Invocation,
  leave: AbortController,
): () => void {
  let pressed = false;
  const stop = (): void => {
    if (pressed) process.exit(130);
    pressed = true;
    if (session.live)
      err.write('Stopping. Everything so far is kept; press again to quit at once.\n');
    session.stop();
  };
  const stopQuietly = (): void => session.stop();
  const end = (): void => {
    session.stop();
    leave.abort();
  };
  const release = handleSignals(stop, end);
  out.on('error', stopQuietly);
  return () => {
    release();
    out.off('error', stopQuietly);
  };
}

/**
 * Formats the last line.
 * @param limited whether the run had a budget, which is not recorded with the run
 */
function lastLine(
  env: Invocation['env'],
  run: string,
  { status, reason }: Ending,
  limited: boolean,
): string {
  const started = getStartCommand(env);
  const id = shortId(run);
  const why = reason === undefined ? '' : `: ${reason}`;
  const next =
    status === 'done'
      ? `${started} show ${id} · ${started} export ${id}`
      : `continue with: ${started} resume ${id}${limited ? ', and set the budget again' : ''}`;
  return `run ${id} ${status}${why}${/[.!?]$/.test(why) ? '' : '.'} ${next}\n`;
}
