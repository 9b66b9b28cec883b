/** Continues a recorded run: `resume`, `ask`, `retry` and `resynthesize`. */

import { DeliberateError, UsageError } from '../../kernel/errors.ts';
import type { Request } from '../../kernel/facts.ts';
import type { RunAction } from '../../kernel/protocol.ts';
import { checkSpec } from '../../kernel/providers/spec.ts';
import type { Ending, Session } from '../../kernel/session.ts';
import { shortId } from '../../kernel/short-id.ts';
import { type RunView, viewOf } from '../../kernel/view.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { makeRequest } from '../../protocols/common/past.ts';
import type { Store } from '../../store/store.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import { restateAddressOf } from '../elsewhere/flags.ts';
import type { Invocation } from '../invocation.ts';
import { confirmRunOf } from '../run-of.ts';
import { readConfig } from '../settings/config.ts';
import { openModels } from '../settings/providers.ts';
import { readQuestion } from '../settings/question.ts';
import { reopenRunTools } from '../settings/run-tools.ts';
import { reopenWorkshop } from '../settings/workshop.ts';
import { copyRemoteNews, openRecorded } from '../store.ts';
import { formatCommand } from '../suggest.ts';
import { withTakeover } from '../taking.ts';
import { getTerms, isHandedOver, startDetached, tellQueued } from './detached.ts';
import { handOver, runInTerminal, type TerminalRun } from './run-in-terminal.ts';

/**
 * Runs `deliberate resume`: continues a run. Resolves to the exit code.
 *
 * @param seen called with the run's state before it is continued
 */
export function resume(call: Invocation, seen?: (run: RunView) => void): Promise<number> {
  return continueRun(call, (view) => {
    seen?.(view);
    return { kind: 'resume' };
  });
}

/**
 * Runs `deliberate ask`: asks the seats of a run a further question, from the words, `--file` or
 * standard input. Resolves to the exit code.
 */
export async function ask(call: Invocation): Promise<number> {
  const [first] = call.words;
  if (first === undefined && call.flags.file === undefined)
    throw new UsageError(
      'no question given',
      `Example: ${formatCommand(call, 'latest "And if it fails?"')}`,
    );
  // If the first word contains a blank or a question mark, it cannot be a run's name, so it is part of a
  // question for the latest run.
  const isNamed = first !== undefined && !/[\s?]/.test(first.trim());
  const words = isNamed ? call.words.slice(1) : call.words;
  const question = await readQuestion({ ...call, words }, isNamed ? first : 'latest');
  return continueRun({ ...call, words: isNamed ? [first] : [] }, () => ({ kind: 'ask', question }));
}

/**
 * Runs `deliberate retry`: asks the seats that `--seat` names again. Resolves to the exit code.
 *
 * @throws UsageError if no seat or an unknown seat is named, or the seats are given different models
 */
export function retry(call: Invocation): Promise<number> {
  return continueRun(call, (view) => retryWanted(call, view));
}

/**
 * Reads which seats to ask again and with which model: `critic` or `critic=PROVIDER/MODEL`.
 * @throws UsageError
 */
function retryWanted(call: Invocation, { id: run, seats }: RunView): RunAction {
  const wanted = call.flags.seat;
  if (wanted.length === 0)
    throw new UsageError(
      'no seat named',
      `Example: ${formatCommand(call, `${shortId(run)} --seat ${seats[0]?.id ?? 'critic'}`)}`,
    );
  const named = wanted.map((text) => {
    const equals = text.indexOf('=');
    return equals < 0
      ? { id: text.trim(), model: undefined }
      : { id: text.slice(0, equals).trim(), model: checkSpec(text.slice(equals + 1).trim()) };
  });
  for (const { id } of named) requireSeat(id, '--seat', seats);
  const [model, ...others] = [...new Set(named.map((seat) => seat.model))];
  if (others.length > 0)
    throw new UsageError(
      'only one model per retry',
      'To give seats different models, retry them one at a time.',
    );
  return {
    kind: 'retry',
    seats: named.map(({ id }) => id),
    ...withoutUndefined({ model }),
  };
}

/**
 * Runs `deliberate resynthesize`: requests another synthesis of the same answers. With
 * `--load-bearing`, it requests a synthesis with all seats and, for each seat, one that leaves out
 * only that seat. Resolves to the exit code.
 */
export function resynthesize(call: Invocation): Promise<number> {
  const { model, note, without, loadBearing, of } = call.flags;
  if (of !== undefined && !loadBearing)
    throw new UsageError('--of requires --load-bearing', 'Add --load-bearing, or drop --of.');
  if (loadBearing && (model ?? note ?? without[0]) !== undefined)
    throw new UsageError(
      '--load-bearing repeats the same synthesis',
      'Drop --model, --note and --without.',
    );
  return continueRun(call, (view) => {
    for (const id of without) requireSeat(id, '--without', view.seats);
    if (loadBearing) return { kind: 'weigh', of };
    return {
      kind: 'resynthesize',
      without,
      ...(model === undefined ? {} : { model: checkSpec(model) }),
      ...withoutUndefined({ note }),
    };
  });
}

function requireSeat(id: string, flag: string, seats: RunView['seats']): void {
  if (seats.some((seat) => seat.id === id)) return;
  throw new UsageError(
    `${flag} ${id}: no such seat`,
    `The seats are ${seats.map((seat) => seat.id).join(', ')}.`,
  );
}

function continueRun(call: Invocation, wish: (view: RunView) => RunAction): Promise<number> {
  return withRun(call, async ({ found, view, facts }) => {
    const wanted = wish(view);
    const request = (found.protocol.request ?? makeRequest)({ view, facts }, wanted);
    const placed = await placesOf({ found, view, facts }, wanted);
    const { store } = found;
    const isElsewhere = isHandedOver(call);
    if (call.flags.detach && wanted.kind === 'resume') {
      // Own the run for a moment before starting a process for it: owning the run fails if another process
      // already works on it.
      (await withTakeover(call, view.id, (how) => store.own(view.id, how))).release();
      return startDetached(call, store, view.id, getTerms(call, found.config));
    }
    if (call.flags.queue && restateAddressOf(call) === undefined && wanted.kind === 'resume') {
      await withTakeover(call, view.id, (how) => store.enqueue(view.id, how));
      return tellQueued(call, store, view.id, getTerms(call, found.config));
    }
    const journal = await withTakeover(call, view.id, (how) => store.own(view.id, how));
    const run = { ...found, ...placed, journal };
    // The process that takes over the run records a request to resume itself. Record any other request here.
    if (isElsewhere)
      return handOver(run, (session) => wanted.kind !== 'resume' && session.record(request));
    return runInTerminal({ ...run, start: startOf(view, wanted, request) });
  });
}

/**
 * Opens the tools and the workshop of a recorded run again.
 * @throws DeliberateError if one of them no longer exists
 */
async function placesOf(
  { found: { call, store, models }, view }: Resumable,
  { kind }: RunAction,
): Promise<Pick<TerminalRun, 'tools' | 'workshop'>> {
  const asksSeats = kind !== 'resynthesize' && kind !== 'weigh';
  const tools = await reopenRunTools(call, store, view, models, asksSeats);
  const workshop = reopenWorkshop(call, store, view, models);
  return { workshop, tools: workshop?.tools ?? tools };
}

/** Returns how to start: a run that was opened but never worked on is begun, not resumed. */
function startOf(view: RunView, { kind }: RunAction, request: Request): TerminalRun['start'] {
  const isNew = view.seq === 1 && kind === 'resume';
  return (session: Session): Promise<Ending> => (isNew ? session.start() : session.resume(request));
}

/**
 * Prepares to continue a run that this process has taken over.
 * @throws DeliberateError if the run cannot be continued
 */
export async function reopen(
  call: Invocation,
  parts: Pick<TerminalRun, 'config' | 'store' | 'journal' | 'models'>,
): Promise<TerminalRun> {
  const { journal, ...shared } = parts;
  const recorded = await readRecorded(call, shared, journal.run);
  const { found, view, facts } = recorded;
  const wanted: RunAction = { kind: 'resume' };
  const request = (found.protocol.request ?? makeRequest)({ view, facts }, wanted);
  const start = startOf(view, wanted, request);
  return { ...found, ...(await placesOf(recorded, wanted)), journal, start };
}

/** A recorded run and what is needed to continue it. */
interface Resumable {
  readonly found: Omit<TerminalRun, 'journal' | 'start'>;
  readonly view: RunView;
  readonly facts: readonly AnyFact[];
}

/**
 * Finds the run that the call names, calls `work` with what is recorded of it, and closes the
 * database.
 *
 * @param choose returns the id of the run
 * @throws DeliberateError if nothing of the run was recorded
 */
export async function withRun<T>(
  call: Invocation,
  work: (recorded: Resumable) => Promise<T>,
  choose: (call: Invocation, store: Store) => string | Promise<string> = confirmRunOf,
): Promise<T> {
  const config = readConfig(call);
  const store = openRecorded(call);
  try {
    await copyRemoteNews(call, store);
    const models = openModels(call, config);
    const run = await choose(call, store);
    return await work(await readRecorded(call, { config, store, models }, run));
  } finally {
    store.close();
  }
}

async function readRecorded(
  call: Invocation,
  shared: Pick<TerminalRun, 'config' | 'store' | 'models'>,
  id: string,
): Promise<Resumable> {
  const { store } = shared;
  const facts = store.facts(id);
  const view = viewOf(facts);
  if (view.seq === 0)
    throw new DeliberateError(
      'never-began',
      `run ${shortId(id)} was never started: the program died before it recorded the question`,
      `Remove it with: deliberate rm ${shortId(id)}`,
    );
  const { protocol, source } = await call.protocols.ofRun(call, store, view);
  return { found: { ...shared, call, protocol, source }, view, facts };
}
