/**
 * Runs a session in front of whoever called: picks the display, passes on stop and quit, and says at
 * the end what came of it. The one place where a session, a display and the signals meet.
 */

import type { Actions } from '../../console/run/ports.ts';
import type { ModelOffer } from '../../console/ui/forms/models.ts';
import { INSIDE } from '../../io/environment.ts';
import { refuseSeats } from '../../kernel/names.ts';
import type { RunAction } from '../../kernel/protocol.ts';
import { type Ending, type Opening, Session } from '../../kernel/session.ts';
import { shortId } from '../../kernel/short-id.ts';
import type { Workshop } from '../../kernel/tools/workshop.ts';
import { viewOf } from '../../kernel/view.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import type { ProviderListing } from '../../models/gateway.ts';
import { requestOf } from '../../protocols/common/past.ts';
import { protocolNamed } from '../../protocols/table.ts';
import type { Store } from '../../store/store.ts';
import { readCaller } from '../../telemetry/caller.ts';
import { formatTokens } from '../../text/numbers.ts';
import { engineOf } from '../elsewhere/flags.ts';
import type { Invocation } from '../invocation.ts';
import { archiveText, keeping } from '../rescue.ts';
import { isNamed } from '../settings/discovery.ts';
import { giveEffort } from '../settings/panel.ts';
import type { RunTools } from '../settings/run-tools.ts';
import { openStore } from '../store.ts';
import { startedAs } from '../suggest.ts';
import { callPerson } from './attention.ts';
import { detach, isHandedOver, tellQueued, termsOf } from './detached.ts';
import { type Display, openDisplay } from './display.ts';
import { exportsOf } from './exports.ts';
import { type Answered, Gates } from './gates.ts';
import { hold, type OwnedRun } from './hold.ts';
import type { Desktop } from './outside.ts';

export interface TerminalRun extends OwnedRun {
  /** What the console shows at first, where that is more than the journal says. */
  readonly shown?: readonly AnyFact[];
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

/** The same for a new run of a protocol that comes with the program. */
export async function beginInTerminal(
  { toolsOfRun, named, place, ...terminal }: Begun,
  name: string,
  { seats, ...rest }: Opening,
): Promise<number> {
  const opening = { ...rest, seats: giveEffort(seats, terminal.config.effort) };
  // Refuse before anything is recorded, so that no empty run is left.
  refuseSeats(seats);
  const protocol = await protocolNamed(name);
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

/** Records what is wanted of a run, gives it back, and starts the process that works on it, or queues it. */
export async function handOver(
  terminalRun: Omit<TerminalRun, 'start'>,
  record: (session: Session) => void,
): Promise<number> {
  const { call, config, store, journal, models, protocol, source, tools } = terminalRun;
  const { run } = journal;
  const { answer } = new Gates(store, run, 'by nobody');
  try {
    const there = engineOf(call);
    if (there !== undefined) {
      const { refuseUnable } = await import('../elsewhere/hand-on.ts');
      refuseUnable(terminalRun, journal.facts());
    }
    const caller = readCaller(call.env.TRACEPARENT);
    record(new Session({ journal, models, protocol, source, tools, answer, caller }));
    store.keepTerms(run, termsOf(call, config), call.key);
    if (there !== undefined) {
      const { handOn } = await import('../elsewhere/hand-on.ts');
      return await handOn({ call, config, store }, journal, there);
    }
    // Before it is anybody's: a program that dies in between has left it to workers.
    if (call.flags.queue) store.enqueue(run);
    journal.release();
    return call.flags.queue ? tellQueued(call, store, run) : await detach(call, store, run);
  } finally {
    // Whoever works on the run starts its own.
    await tools?.close?.();
    store.close();
  }
}

type Begun = Pick<TerminalRun, 'call' | 'config' | 'models'> & {
  readonly toolsOfRun?: Pick<RunTools, 'tools' | 'keep'>;
  /** Told the run's id before anything is asked, and where it is kept. */
  readonly named?: (run: string, store: Store) => void;
  /** Opens the place where the run's work is done, by its id; its tools are then the run's. */
  readonly place?: (run: string) => Workshop;
};

/** Resolves when the run has ended and this process has given it back. */
async function runDisplayed(terminalRun: TerminalRun): Promise<Ending> {
  const { call, config, journal, protocol, workshop } = terminalRun;
  await workshop?.clear();
  const display = await openDisplay(call, protocol.name, config.keys);
  const held = await hold(terminalRun, answeredIn(call, journal.run, display));
  const { session, gates } = held;
  const called = callPerson(call, config, display.terminal, journal.facts(), session.feed);
  const leave = new AbortController();
  const letGo = handleSignals(session, call, leave);
  try {
    return await showSession(terminalRun, session, gates, display, leave.signal);
  } finally {
    await held.close();
    await called();
    letGo();
  }
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
  const ask = (wanted: RunAction): void => {
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
    ablate: (of) => ask({ kind: 'weigh', of }),
    followUp: (question) => ask({ kind: 'ask', question }),
    resynthesize: (options) => ask({ kind: 'resynthesize', ...options }),
    resume: () => ask({ kind: 'resume' }),
    answer: (step, value) => gates.give(step, value),
    tell: (control) => session.tell(control),
    noteIteration: (text) => session.noteIteration(text),
    decide: async (wish) => {
      const { decisionOn } = await import('../decisions/decide.ts');
      session.say(await decisionOn(journal.facts(), wish));
    },
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
      err.write('Stopping. Everything so far is kept; press again to quit at once.\n');
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
      : `continue with: ${started} resume ${id}${limited ? ', and set the budget again' : ''}`;
  return `run ${id} ${status}${why}. ${next}\n`;
}
