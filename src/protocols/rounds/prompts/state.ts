/**
 * The state of claims and decisions for prompts: what is decided and how, the grounds of decisions,
 * what is open, and what was refused. Code derives it, so that no seat has to remember it.
 */

import { joinLines } from '../../../text/line.ts';
import { withoutFalse } from '../../../text/without-undefined.ts';
import { convertToRecords } from '../records/of-run.ts';
import type { ClaimState } from '../records/standing/claims.ts';
import { deriveState, type State } from '../records/state-of.ts';
import { type Basis, CHECKS } from '../records/types.ts';
import type { Piece, RoundsRun } from '../rounds-run.ts';
import { isSince } from './order.ts';
import { shortenForPrompt } from './short.ts';

/** The words for how a claim was decided. */
const BASIS_WORDS: Readonly<Record<Basis, string>> = {
  executed: 'run',
  read: 'read in the text',
  argued: 'argued',
  conceded: 'withdrawn',
};

/**
 * The most entries of each kind that seats are shown, the newest of the kind. A synthesis is shown all of them.
 */
const MOST_TOLD = 8;
const TEXT = 160;

type ForWhom = 'seats' | 'synthesis';

/**
 * Returns the state of all claims and decisions at present, including those of the unfinished
 * round.
 */
export function derivePresentState(roundsRun: RoundsRun): State {
  return deriveState(convertToRecords(roundsRun.view, roundsRun.plan));
}

/**
 * Formats the state of claims and decisions as a list with one block of a prompt: refuted and withdrawn claims are
 * included, and decisions whose grounds have fallen, but no superseded claims and no overturned decisions. The list is
 * empty if there is nothing to show yet.
 * @param forWhom the readers of the prompt; seats are shown only the newest entries of each kind
 * @param when the time that the block's title names, for prompts that have two such blocks: the
 * state before the round, and the state now
 */
export function formatStatePiece(
  roundsRun: RoundsRun,
  forWhom: ForWhom,
  when?: 'before this round' | 'now',
): Piece[] {
  const { prompts } = roundsRun.settings;
  const lines = stateLines(derivePresentState(roundsRun), forWhom, isSince(prompts, 4));
  const time = when === undefined || !isSince(prompts, 3) ? '' : ` ${when}`;
  return lines.length === 0
    ? []
    : [{ from: `the state of the record${time}`, text: lines.join('\n') }];
}

/**
 * Formats the state of claims and decisions as lines. `inFull` is false for older prompts, which cut decisions
 * before their conditions.
 */
function stateLines(state: State, forWhom: ForWhom, inFull: boolean): string[] {
  const whole = forWhom === 'synthesis';
  const { claims, decisions, tensions, awaiting, answer } = state;
  const decided = claims.filter(({ standing }) => DECIDED.has(standing));
  const open = claims.filter(({ standing }) => standing === 'open');
  const withdrawn = claims.filter(({ standing }) => standing === 'withdrawn');
  const standing = decisions.filter((decision) => decision.standing === 'stands');
  const fallen = decisions.filter((decision) => decision.standing === 'fallen');
  return withoutFalse([
    answer !== undefined && `The answer after round ${answer.round}: ${joinLines(answer.text)}`,
    ...formatSection(
      'Decided claims',
      decided.map((claim) => claimLine(claim, whole)),
      whole,
    ),
    ...formatSection(
      'Open claims',
      open.map((claim) => claimLine(claim, whole)),
      whole,
    ),
    ...formatSection(
      'Withdrawn by their seats, and free to be adopted',
      withdrawn.map((claim) => claimLine(claim, false)),
      whole,
    ),
    ...formatSection(
      'Decisions that stand',
      standing.map(({ decision: { id, text, conditions = [] } }) => {
        const waits =
          inFull && conditions.length > 0 ? ` (waits for ${conditions.join(', ')})` : '';
        return `${id}: ${shortenForPrompt(text, whole || inFull ? 400 : TEXT)}${waits}`;
      }),
      whole,
    ),
    ...formatSection(
      'Decisions whose ground has fallen: they carry nothing',
      fallen.map(
        ({ decision, fallen: why }) =>
          `${decision.id}: ${shortenForPrompt(decision.text, TEXT)} (${why.map((reason) => reason.why).join('; ')})`,
      ),
      whole,
    ),
    ...formatSection(
      'Open tensions',
      tensions.map((tension) => shortenForPrompt(tension, 2 * TEXT)),
      whole,
    ),
    ...(whole
      ? formatSection(
          'Tests worth running',
          awaiting.map(
            ({ claim }) => `${claim.id}: ${shortenForPrompt(claim.testable_as, 2 * TEXT)}`,
          ),
          whole,
        )
      : []),
    state.reader === 'failed' &&
      "Nobody here has passed the reader's entrance: no claim is decided by reading or argument.",
  ]);
}

const DECIDED: ReadonlySet<ClaimState['standing']> = new Set([
  'confirmed',
  'refuted',
  'partly',
  'unclear',
]);

/**
 * Formats a claim: `C-2-1 (critic) confirmed, read in the text: The standby lags … ("about 40 minutes",
 * attachments/plan.md#L12)`. Only a synthesis is shown the quotations.
 */
function claimLine(
  { claim, standing, basis, quotes, challengers }: ClaimState,
  whole: boolean,
): string {
  const how = basis === undefined ? '' : `, ${BASIS_WORDS[basis]}`;
  const word = standing === 'open' ? '' : ` ${standing}${standing === 'withdrawn' ? '' : how}`;
  const by = whole
    ? quotes.slice(0, 2).map(({ text, ref }) => ` ("${shortenForPrompt(text, 120)}", ${ref})`)
    : [];
  const denied = challengers.length === 0 ? '' : ` [denied by ${challengers.join(', ')}]`;
  return `${claim.id} (${claim.raised_by})${word}: ${shortenForPrompt(claim.text, whole ? 400 : TEXT)}${by.join('')}${denied}`;
}

function formatSection(title: string, lines: readonly string[], whole: boolean): string[] {
  if (lines.length === 0) return [];
  const told = whole ? lines : lines.slice(-MOST_TOLD);
  const left = lines.length - told.length;
  return [
    `${title}${left > 0 ? ` (the last ${told.length} of ${lines.length})` : ''}:`,
    ...told.map((line) => `- ${line}`),
  ];
}

/**
 * Formats the verifications of a round so far (verdicts, readings, tests and withdrawals) as a list with one block of a
 * prompt. The list is empty if there are none.
 */
export function formatVerdictsPiece(roundsRun: RoundsRun, round: number): Piece[] {
  const lines = roundsRun
    .round(round)
    .verifications.map(({ id, check, result, notes, evidence_refs }) =>
      withoutFalse([
        `${id} ${check}: ${result}. ${notes}`,
        CHECKS.some((knownCheck) => knownCheck === check) &&
          evidence_refs.length > 0 &&
          `(${evidence_refs.join(', ')})`,
      ]).join(' '),
    );
  return lines.length === 0 ? [] : [{ from: 'the verifier and the log', text: lines.join('\n') }];
}
