/**
 * `deliberate due`: lists what is due. With a run, asks what came of it, or records the answers of
 * `--resolve`.
 */
import { type DueRow, formatDueLines, readDue } from '../../app/decisions/due.ts';
import { recordDecisionFacts } from '../../app/decisions/record.ts';
import type { Invocation } from '../../app/invocation.ts';
import { withRecorded } from '../../app/store.ts';
import { formatCommand, getStartCommand } from '../../app/suggest.ts';
import { dayOf } from '../../decisions/dates.ts';
import type { DecisionBody } from '../../decisions/facts.ts';
import type { DecisionsView } from '../../decisions/fold.ts';
import { resolvePrediction, reviewDecision } from '../../decisions/taking.ts';
import { UsageError } from '../../kernel/errors.ts';
import { shortId } from '../../kernel/short-id.ts';
import { jsonLine } from '../../plain/json-lines.ts';
import type { Store } from '../../store/store.ts';
import { toLine } from '../../text/line.ts';
import { formatCount } from '../../text/numbers.ts';
import { walk } from './walk.ts';

/**
 * Runs `deliberate due`: lists predictions and decisions that should be looked at again. If a run is
 * named and there is a terminal, asks the person about each of them; with `--resolve`, records the
 * given outcomes instead. Resolves to the exit code.
 */
export function due(call: Invocation): Promise<number> {
  const { words, flags } = call;
  const [ref, ...more] = words;
  if (more.length > 0)
    throw new UsageError('expected at most one run', `Example: ${formatCommand(call, 'latest')}`);
  const said = ['why', 'date', 'evidence'] as const;
  const alone = said.find((name) => flags[name] !== undefined);
  if (flags.resolve.length === 0 && alone !== undefined)
    throw new UsageError(
      `--${alone} goes with --resolve`,
      `Example: ${formatCommand(call, 'latest --resolve P-1-2=yes')}`,
    );
  return withRecorded(call, async (store) => {
    const today = dayOf(new Date());
    if (flags.resolve.length > 0) return resolveAll(call, store, ref ?? 'latest', today);
    if (ref === undefined) return printDue(call, readDue(store, today));
    const run = store.find(ref);
    // Read the run once, so that an error is shown if this version cannot read the run: `readDue` leaves out
    // such runs silently.
    store.facts(run);
    const rows = readDue(store, today).filter((row) => row.run === run);
    const canAsk = call.stdin.isTTY && call.err.isTTY && !flags.json;
    return canAsk && rows.length > 0 ? walk(call, store, run, rows) : printDue(call, rows);
  });
}

function printDue({ out, err, flags, env }: Invocation, rows: readonly DueRow[]): number {
  if (flags.json) {
    for (const { isImported, ...row } of rows)
      out.write(jsonLine({ ...row, imported: isImported }));
    return 0;
  }
  if (rows.length === 0) out.write('Nothing is due.\n');
  for (const row of rows) out.write(`${formatDueLines(row, shortId(row.run)).join('\n')}\n`);
  const [first] = rows;
  if (first !== undefined && !flags.quiet)
    err.write(`${getStartCommand(env)} due ${shortId(first.run)}\n`);
  return 0;
}

/** Records all answers of `--resolve`, or none if one cannot be recorded. Resolves to the exit code. */
async function resolveAll(
  call: Invocation,
  store: Store,
  ref: string,
  today: string,
): Promise<number> {
  const { flags, out, err } = call;
  const run = store.find(ref);
  const pairs = flags.resolve.map(readPair);
  const twice = pairs.find(({ id }, at) => pairs.findIndex((pair) => pair.id === id) !== at);
  if (twice !== undefined) throw new UsageError(`--resolve says two things of ${toLine(twice.id)}`);
  const written = await recordDecisionFacts(call, store, run, (view) =>
    pairs.map((pair) => factOf(pair, view, call, today)),
  );
  if (flags.json) for (const fact of written) out.write(jsonLine(fact));
  else if (!flags.quiet)
    err.write(`${formatCount(written.length, 'answer')} on run ${shortId(run)} recorded.\n`);
  return 0;
}

interface Pair {
  readonly id: string;
  readonly outcome: string;
}

function readPair(given: string): Pair {
  const at = given.indexOf('=');
  if (at < 1)
    throw new UsageError(
      `--resolve ${toLine(given)}: expected ID=OUTCOME`,
      'Example: --resolve P-1-2=yes',
    );
  const id = given.slice(0, at).trim().toUpperCase();
  return {
    id,
    outcome: given
      .slice(at + 1)
      .trim()
      .toLowerCase(),
  };
}

function factOf(
  { id, outcome }: Pair,
  view: DecisionsView,
  { flags }: Invocation,
  today: string,
): DecisionBody {
  const { by, why, evidence } = flags;
  if (id !== 'DECISION') {
    // If the person gives several `--resolve`, a prediction takes `--date` only with the outcome `later`, and
    // `--why` only with `void`.
    const date = outcome === 'later' || flags.resolve.length === 1 ? flags.date : undefined;
    const reason = outcome === 'void' || flags.resolve.length === 1 ? why : undefined;
    return resolvePrediction(view, id, { outcome, date, why: reason, by, evidence }, today);
  }
  if (outcome !== 'stands')
    throw new UsageError(
      `--resolve decision=${toLine(outcome)}: expected stands`,
      'Where something else is decided, use deliberate decide.',
    );
  return reviewDecision(view, { review: flags.date, by, note: why }, today);
}
