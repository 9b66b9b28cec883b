/** Asks a person at the terminal about everything that is due in one run, and records each answer at once. */
import { resolve } from 'node:path';
import { type DueRow, formatDueLines } from '../../app/decisions/due.ts';
import { recordDecisionFacts } from '../../app/decisions/record.ts';
import type { Invocation } from '../../app/invocation.ts';
import { runStoppable } from '../../app/run-command.ts';
import { getStartCommand } from '../../app/suggest.ts';
import { dayOf } from '../../decisions/dates.ts';
import type { DecisionBody, DecisionFactOf } from '../../decisions/facts.ts';
import { type DecisionsView, decisionsOf } from '../../decisions/fold.ts';
import { observeClaim, resolvePrediction, reviewDecision } from '../../decisions/taking.ts';
import { askLine, askToConfirm } from '../../io/confirm.ts';
import { workingFolder } from '../../io/files.ts';
import { Secrets } from '../../io/secrets.ts';
import { findStatus } from '../../io/text-file.ts';
import { UsageError } from '../../kernel/errors.ts';
import { shortId } from '../../kernel/short-id.ts';
import { runIn } from '../../platform/shells.ts';
import type { Store } from '../../store/store.ts';
import { toLine } from '../../text/line.ts';
import { formatCount, formatMs } from '../../text/numbers.ts';
import { sanitiseText } from '../../text/sanitise.ts';
import { escapeInvisible } from '../../text/unseen.ts';

/** The most characters of a command's output that are shown and kept. */
const KEPT = 4_000;

type Ran = NonNullable<DecisionFactOf<'prediction.resolved'>['ran']>;

/** The question about each kind of due item; Enter skips the item. */
const QUESTIONS: Readonly<Record<DueRow['kind'], string>> = {
  prediction: 'yes, no, later DATE, void REASON, or Enter to skip: ',
  decision: 'Does it stand? yes, yes DATE to look at it again, no, or Enter to skip: ',
  claim: 'held NOTE, failed NOTE, or Enter to skip: ',
};

/**
 * Asks the person about each due prediction, decision and claim in turn, and records each answer at
 * once. Resolves to the exit code.
 *
 * @param rows what is due in the run; at least one
 */
export async function walk(
  call: Invocation,
  store: Store,
  run: string,
  rows: readonly DueRow[],
): Promise<number> {
  const { err } = call;
  let recorded = 0;
  for (const row of rows) {
    err.write(`\n${formatDueLines(row, shortId(run)).join('\n')}\n`);
    const before = countAnswers(decisionsOf(store.facts(run)), row);
    const ran = row.command === undefined ? undefined : await offerCommand(call, row, row.command);
    if (await askUntilRecorded(call, store, row, before, ran)) recorded += 1;
  }
  err.write(`\n${formatCount(recorded, 'answer')} on run ${shortId(run)} recorded.\n`);
  return 0;
}

/**
 * Asks about one item until the answer can be recorded or the person leaves the item out. Resolves to whether
 * an answer was recorded.
 * @param before how many answers the item had when the question was shown
 */
async function askUntilRecorded(
  call: Invocation,
  store: Store,
  row: DueRow,
  before: number,
  ran: Ran | undefined,
): Promise<boolean> {
  for (;;) {
    const given = await askLine(call, QUESTIONS[row.kind], 'Use --resolve P-1-2=yes in a script.');
    if (given === '') return false;
    const [first = ''] = given.split(/\s/, 1);
    const said = { word: first.toLowerCase(), rest: given.slice(first.length).trim() };
    if (row.kind === 'decision' && said.word === 'no') {
      call.err.write(
        `Record what is decided instead: ${getStartCommand(call.env)} decide ${shortId(row.run)} "…"\n`,
      );
      return false;
    }
    try {
      const written = await recordDecisionFacts(call, store, row.run, (view) => {
        // If another process has meanwhile recorded an answer about this prediction, decision or claim, record nothing.
        if (countAnswers(view, row) !== before) return [];
        return [factOf(row, said, view, call.flags.by, ran)];
      });
      if (written.length > 0) return true;
      call.err.write(`${toLine(row.id)} was answered elsewhere meanwhile: that is kept.\n`);
      return false;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      call.err.write(`${error.message}. ${error.next ?? ''}\n`);
    }
  }
}

/** Returns how many answers people have given about an item so far. */
function countAnswers(
  { predictions, taken, observations }: DecisionsView,
  { kind, id }: DueRow,
): number {
  switch (kind) {
    case 'prediction':
      return predictions.find((prediction) => prediction.id === id)?.resolutions.length ?? 0;
    case 'decision':
      return taken.length + taken.reduce((sum, { reviews }) => sum + reviews.length, 0);
    case 'claim':
      return observations.filter(({ claim }) => claim === id).length;
  }
}

function factOf(
  { kind, id }: DueRow,
  { word, rest }: { readonly word: string; readonly rest: string },
  view: DecisionsView,
  by: string | undefined,
  ran: Ran | undefined,
): DecisionBody {
  const today = dayOf(new Date());
  const words = rest === '' ? undefined : rest;
  switch (kind) {
    case 'prediction': {
      const own =
        word === 'later' ? { date: words } : word === 'void' ? { why: words } : { evidence: words };
      return resolvePrediction(
        view,
        id,
        { outcome: SHORT.get(word) ?? word, by, ran, ...own },
        today,
      );
    }
    case 'decision':
      if (word !== 'yes' && word !== 'y') throw new UsageError(`"${toLine(word)}": say yes or no`);
      return reviewDecision(view, { review: words, by }, today);
    case 'claim':
      return observeClaim([id], id, { outcome: word, note: words, by });
  }
}

const SHORT: ReadonlyMap<string, string> = new Map([
  ['y', 'yes'],
  ['n', 'no'],
]);

/**
 * Shows the command of a prediction and runs it if the person approves. Resolves to undefined if it was not
 * run.
 * @throws UsageError if `--cwd` is no folder
 */
async function offerCommand(
  call: Invocation,
  row: DueRow,
  command: string,
): Promise<Ran | undefined> {
  const { err, env, flags } = call;
  const shown = escapeInvisible(command)
    .split('\n')
    .map((text) => `        ${text}\n`)
    .join('');
  if (row.isImported) {
    err.write(`    Its command, which is never run here as the run was imported:\n${shown}`);
    return undefined;
  }
  const cwd = resolve(workingFolder(), flags.cwd ?? '.');
  if (!findStatus(cwd)?.isDirectory()) throw new UsageError(`--cwd ${cwd}: no such folder`);
  const shell = runIn(command, env);
  if (typeof shell === 'string' || command.includes('\0')) {
    err.write(`    Its command cannot be run here:\n${shown}`);
    return undefined;
  }
  err.write(
    `    A model wrote this command. Approved, it runs exactly as shown, with your permissions,\n    in ${escapeInvisible(cwd)}, by ${shell.by}, for at most ${formatMs(flags.timeout)}:\n${shown}`,
  );
  if (!(await askToConfirm(call, '    Run it? [y/N] ', ''))) return undefined;
  const { exit, output } = await runStoppable({ command, cwd, timeoutMs: flags.timeout, env });
  const kept = output.length > KEPT ? `${output.slice(0, KEPT)}…` : output;
  err.write(`${sanitiseText(kept)}\n    ${exit === null ? 'It was killed.' : `Exit ${exit}.`}\n`);
  return { command: new Secrets(env).conceal(command), exit, output: kept };
}
