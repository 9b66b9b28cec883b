/** Coming back to a run: `resume`, `ask`, `retry` and `resynthesize`. */

import { DeliberateError, UsageError } from '../../kernel/errors.ts';
import type { Wanted } from '../../kernel/protocol.ts';
import type { Ending, Session } from '../../kernel/session.ts';
import { shortId } from '../../kernel/short-id.ts';
import { checkSpec } from '../../kernel/spec.ts';
import { type RunView, viewOf } from '../../kernel/view.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { requestOf } from '../../protocols/common/past.ts';
import type { Invocation } from '../invocation.ts';
import { holderOf } from '../own/open.ts';
import { readConfig } from '../settings/config.ts';
import { reopenLook } from '../settings/look-folders.ts';
import { openModels } from '../settings/providers.ts';
import { readQuestion } from '../settings/question.ts';
import { reopenWorkshop } from '../settings/workshop.ts';
import { openStore } from '../store.ts';
import { suggest } from '../suggest.ts';
import { taking } from '../taking.ts';
import { detach, termsOf } from './detached.ts';
import { handOver, runInTerminal, type TerminalRun } from './run-in-terminal.ts';

export function resume(call: Invocation): Promise<number> {
  return comeBack(call, () => ({ kind: 'resume' }));
}

/** A further question, from the words after the run, `--file` or standard input. */
export async function ask(call: Invocation): Promise<number> {
  const [run, ...words] = call.words;
  if (run === undefined)
    throw new UsageError('name a run', `Example: ${suggest(call, 'latest "And if it fails?"')}`);
  const question = await readQuestion({ ...call, words }, run);
  return comeBack({ ...call, words: [run] }, () => ({ kind: 'ask', question }));
}

export function retry(call: Invocation): Promise<number> {
  return comeBack(call, (view) => retryWanted(call, view));
}

/** `critic` or `critic=PROVIDER/MODEL`, several of them with one model. @throws UsageError */
function retryWanted(call: Invocation, { id: run, seats }: RunView): Wanted {
  const wanted = call.flags.seat;
  if (wanted.length === 0)
    throw new UsageError(
      'no seat named',
      `Example: ${suggest(call, `${shortId(run)} --seat ${seats[0]?.id ?? 'critic'}`)}`,
    );
  const named = wanted.map((text) => {
    const equals = text.indexOf('=');
    return equals < 0
      ? { id: text.trim(), model: undefined }
      : { id: text.slice(0, equals).trim(), model: checkSpec(text.slice(equals + 1).trim()) };
  });
  for (const { id } of named) seatKnown(id, '--seat', seats);
  const [model, ...others] = [...new Set(named.map((one) => one.model))];
  if (others.length > 0)
    throw new UsageError(
      'only one model per retry',
      'Retry seats one at a time to give them different models.',
    );
  return {
    kind: 'retry',
    seats: named.map(({ id }) => id),
    ...(model === undefined ? {} : { model }),
  };
}

export function resynthesize(call: Invocation): Promise<number> {
  const { model, note, without, loadBearing, of } = call.flags;
  if (of !== undefined && !loadBearing)
    throw new UsageError('--of requires --load-bearing', 'Add --load-bearing, or drop --of.');
  if (loadBearing && (model ?? note ?? without[0]) !== undefined)
    throw new UsageError(
      '--load-bearing repeats the same synthesis',
      'Drop --model, --note and --without.',
    );
  return comeBack(call, (view) => {
    for (const id of without) seatKnown(id, '--without', view.seats);
    if (loadBearing) return { kind: 'weigh', of };
    return {
      kind: 'resynthesize',
      without,
      ...(model === undefined ? {} : { model: checkSpec(model) }),
      ...(note === undefined ? {} : { note }),
    };
  });
}

function seatKnown(id: string, flag: string, seats: RunView['seats']): void {
  if (seats.some((seat) => seat.id === id)) return;
  throw new UsageError(
    `${flag} ${id}: no such seat`,
    `The seats are ${seats.map((seat) => seat.id).join(', ')}.`,
  );
}

function comeBack(call: Invocation, wish: (view: RunView) => Wanted): Promise<number> {
  return withRun(call, async ({ found, view, facts }) => {
    const wanted = wish(view);
    const request = (found.protocol.request ?? requestOf)({ view, facts }, wanted);
    const asksSeats = wanted.kind !== 'resynthesize' && wanted.kind !== 'weigh';
    const look = reopenLook(call, found.store, view, found.models, asksSeats);
    const workshop = reopenWorkshop(call, found.store, view, found.models);
    const tools = workshop?.tools ?? look;
    const isNew = view.seq === 1 && wanted.kind === 'resume';
    if (call.flags.detach && wanted.kind === 'resume')
      return detach(call, found.store, view.id, termsOf(call, found.config));
    const journal = await taking(call, view.id, (how) => found.store.own(view.id, how));
    const run = { ...found, tools, workshop, journal };
    if (call.flags.detach) return handOver(run, (session) => session.record(request));
    const start = (session: Session): Promise<Ending> =>
      isNew ? session.start() : session.resume(request);
    return runInTerminal({ ...run, start });
  });
}

/** A run on record, and what it takes to go on with it. */
interface Resumable {
  readonly found: Omit<TerminalRun, 'journal' | 'start'>;
  readonly view: RunView;
  readonly facts: readonly AnyFact[];
}

/** Does it with the run that was named; closes the database. @throws DeliberateError if it never began. */
export async function withRun<T>(
  call: Invocation,
  work: (recorded: Resumable) => Promise<T>,
): Promise<T> {
  const config = readConfig(call);
  const store = openStore(call);
  try {
    const id = store.find(runOf(call));
    const facts = store.facts(id);
    const view = viewOf(facts);
    if (view.seq === 0)
      throw new DeliberateError(
        'never-began',
        `run ${shortId(id)} never began: the program died before recording the question`,
        `Remove it with: deliberate rm ${shortId(id)}`,
      );
    const { protocol, source } = await holderOf(call, store, view);
    const models = openModels(call, config);
    return await work({ found: { call, config, store, protocol, source, models }, view, facts });
  } finally {
    store.close();
  }
}

/** The one word after the command. @throws UsageError */
export function runOf(call: Invocation): string {
  const [run, ...more] = call.words;
  if (run === undefined || more.length > 0)
    throw new UsageError(
      'name one run',
      `Use an id, its beginning, or "latest": ${suggest(call, 'latest')}; see deliberate list.`,
    );
  return run;
}
