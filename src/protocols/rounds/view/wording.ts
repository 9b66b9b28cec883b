/** The words for a deliberation's records. */
import { formatPartName } from '../../../text/documents/parts.ts';
import { joinLines } from '../../../text/line.ts';
import type { Finding } from '../../entrance/findings.ts';
import type { Phase, SignalsView } from '../claims/rounds-view.ts';
import type { FactOf } from '../facts.ts';
import type { SignalName } from '../records/six-signals/measurement.ts';
import type { ClaimState } from '../records/standing/claims.ts';
import type { DecisionState } from '../records/standing/decisions.ts';
import { type ClaimStanding, getStandingOfStatus } from '../records/standing/standings.ts';
import type { Basis, ClaimStatus, Decision, Quotation } from '../records/types.ts';

/** The word for the members of the panel, in `3 of 4 roles`. */
export const MEMBERS = 'roles';

type Verification = FactOf<'verification.recorded'>;

/** The words for the state of a claim, in the console and all reports. */
export const STANDING_WORDS: Readonly<Record<ClaimStanding, string>> = {
  open: 'open',
  confirmed: 'confirmed',
  refuted: 'refuted',
  partly: 'partly refuted',
  unclear: 'unclear',
  withdrawn: 'withdrawn',
  superseded: 'superseded',
};

/**
 * Returns the words for how a claim was decided, such as `read in the text`. Prompts keep older
 * words (see `prompts/state.ts`), because recorded runs depend on them.
 */
export function describeBasis(basis: Basis): string {
  return GROUNDS[basis];
}

const GROUNDS: Readonly<Record<Basis, string>> = {
  executed: 'run',
  read: 'read in the text',
  argued: 'argued, not tested',
  conceded: 'withdrawn',
};

/** Formats the state of a claim: `confirmed, read in the text`, or only `open`. */
export function formatStanding({
  standing,
  basis,
}: Pick<ClaimState, 'standing'> & { readonly basis?: Basis | undefined }): string {
  const word = STANDING_WORDS[standing];
  return basis === undefined || UNGROUNDED.has(standing)
    ? word
    : `${word}, ${describeBasis(basis)}`;
}

const UNGROUNDED: ReadonlySet<ClaimStanding> = new Set(['open', 'withdrawn', 'superseded']);

/**
 * Formats the state of a claim for a narrow column: `refuted, read`, `partly, not tested`, `open, to
 * test`, `fact`.
 */
export function formatStandingBriefly({
  standing,
  basis,
  awaits,
  isFact,
  reliedOn,
}: ClaimState): string {
  if (isFact && reliedOn.length === 0) return 'fact';
  if (awaits) return 'open, to test';
  if (basis === undefined || UNGROUNDED.has(standing)) return STANDING_WORDS[standing];
  // Show `partly` instead of `partly refuted`, because columns are narrow.
  const word = standing === 'partly' ? standing : STANDING_WORDS[standing];
  return `${word}, ${basis === 'read' ? basis : describeBasis(basis).replace('argued, ', '')}`;
}

/** Formats a claim's status and how it was decided. */
export function formatStatus(status: ClaimStatus, basis?: Basis): string {
  return formatStanding({ standing: getStandingOfStatus(status, basis), basis });
}

interface Moved {
  readonly from: ClaimStatus;
  readonly to: ClaimStatus;
  readonly basis?: Basis | undefined;
}

/** Formats a change of a claim's status: `open → refuted, read in the text`. */
export function formatStatusChange({ from, to, basis }: Moved): string {
  return `${formatStatus(from)} → ${formatStatus(to, basis)}`;
}

/** The words for the results of checks. */
export const RESULT_WORDS: Readonly<Record<Verification['result'], string>> = {
  BROKEN: 'BROKEN',
  ROBUST: 'ROBUST',
  UNCLEAR: 'UNCLEAR',
  NOT_APPLICABLE: 'N/A',
};

/**
 * Formats the result of a verification: `plan BROKEN` for a check, and `test BROKEN` for a test that
 * was run. The first word says that a check judges the plan and not a claim: if the plan is BROKEN, a
 * claim that the plan fails is true. A check that was not applicable gives `N/A`. A reading or a
 * withdrawal has no result, so the name of the check is returned.
 */
export function formatResult({ check, result }: Pick<Verification, 'check' | 'result'>): string {
  if (result === 'NOT_APPLICABLE') return RESULT_WORDS[result];
  if (check === 'settled_by_reading' || check === 'conceded') return CHECK_NAMES[check];
  return check === 'executed_test'
    ? `test ${RESULT_WORDS[result]}`
    : `plan ${RESULT_WORDS[result]}`;
}

/** The words for how a decision was made. */
export const MADE_BY: Readonly<Record<Decision['made_by'], string>> = {
  consensus: 'by consensus',
  round_lead: 'by the lead of the round, against an objection',
  adversary_concession: 'since the Critic gave way',
};

/** The names of the checks for people. */
export const CHECK_NAMES: Readonly<Record<Verification['check'], string>> = {
  critic_attack_on_action_trace: 'attack against the trace',
  guardian_vs_observer_walkthrough: 'invariant against the walkthrough',
  observer_friction_vs_critic_attack: 'friction against the attack',
  all_vs_prior_decisions: 'artifacts against earlier decisions',
  executed_test: 'a test that was run',
  settled_by_reading: 'read in the text',
  conceded: 'withdrawn by its seat',
};

/** Formats a quotation with its place: `plan.md, lines 3 to 4: "The primary takes …"`. */
export function formatQuotation({ text, ref }: Quotation): string {
  return `${formatCitedPlace(ref)}: "${joinLines(text)}"`;
}

/**
 * Formats a citation for people: `plan.md, line 3` for `attachments/plan.md#L3`, and `report.pdf, page 3,
 * lines 10 to 12` in a document with pages. Returns any other citation as it is.
 */
export function formatCitedPlace(ref: string): string {
  const found = /^attachments\/(.+)#(.*?)L(\d+)(?:-(.*?)L?(\d+))?$/.exec(ref);
  if (found === null) return ref;
  const [, file, part = '', from, otherPart = '', to] = found;
  const name = part === '' ? file : `${file}, ${formatPartName(part)}`;
  if (otherPart !== '') return `${name}, line ${from} to ${formatPartName(otherPart)}, line ${to}`;
  return to === undefined || to === from
    ? `${name}, line ${from}`
    : `${name}, lines ${from} to ${to}`;
}

/** The words for whether a decision still holds. */
export const DECISION_WORDS: Readonly<Record<DecisionState['standing'], string>> = {
  stands: 'stands',
  fallen: 'its ground has fallen',
  overturned: 'overturned',
};

/** The words for what a reader found about a claim. */
export const FINDING_WORDS: Readonly<Record<Finding, string>> = {
  true_in_text: 'true in the text',
  false_in_text: 'false in the text',
  absent: 'not in the text',
  partly: 'partly in the text',
  needs_a_test: 'needs a test',
};

/** The names of a round's phases, in order. */
export const PHASE_NAMES: Readonly<Record<Exclude<Phase, 'synthesis'>, string>> = {
  A: 'Opening',
  B: 'Proposal',
  C: 'Supplements',
  D: 'Artifacts',
  E: 'Checks',
  F: 'Claims',
  G: 'Decisions',
  H: 'Drift check',
};

/** What each satisfied signal means, for people who do not know the method. */
export const SIGNAL_WORDS: Readonly<Record<SignalName, string>> = {
  'refutation-rate': 'claims have stopped changing',
  'disagreement-slope': 'disagreement holds',
  'lead-coverage': 'every role has led',
  'stress-tests': 'the panel was tried without its roles',
  'drift-checks': 'the question is still the question',
  'pending-claims': 'few claims are left untested',
};

/** One sentence for each signal on why it is measured. */
export const SIGNAL_SENTENCES: Readonly<Record<SignalName, string>> = {
  'refutation-rate': 'While decided claims still turn, another round is likely to find more.',
  'disagreement-slope':
    'Checks that stop finding fault may be a sign of politeness, not of progress.',
  'lead-coverage': 'A role that never led has only reacted to what others proposed.',
  'stress-tests': 'A round without a role shows whether that role makes a difference.',
  'drift-checks': 'Drift checks show whether the panel still answers the question.',
  'pending-claims': 'A decision is no better than the untested claims under it.',
};

type SignalState = SignalsView['signals'][number]['state'];

/** The sign before each signal, by its state. */
export const SIGNAL_SIGNS: Readonly<Record<SignalState, string>> = {
  satisfied: '✓',
  unsatisfied: '✗',
  uninformative: '·',
};

/** The words for what the signals recommend. */
export const ADVICE: Readonly<Record<SignalsView['recommendation'], string>> = {
  stop: 'Stop with a synthesis',
  'wrap-up': 'One more round to wrap up, then stop',
  consider: 'Consider stopping',
  continue: 'Go on',
};

/** Formats the number of satisfied signals: `1 of 6 signals is satisfied`. */
export function formatSatisfiedCount(satisfied: number, of = 6): string {
  return `${satisfied} of ${of} signals ${satisfied === 1 ? 'is' : 'are'} satisfied`;
}

/** Formats a text as inline code in Markdown, whatever characters it contains. */
export function formatInlineCode(text: string): string {
  return `\`${joinLines(text).replaceAll('`', "'")}\``;
}

/**
 * Converts the recorded explanation of a signal to words for people. The recorded words themselves
 * must stay as they are, because a replayed run must record the same facts as the original.
 */
export function translateSignalReason(why: string): string {
  return why
    .replace(/^1 of 6 signals are satisfied/, formatSatisfiedCount(1))
    .replace(/^out of reach in (\d+ rounds?): /, 'cannot be met in $1: ')
    .replace(/: a (peak|slope) takes (\d+)$/, ': a $1 needs $2')
    .replace(
      / (\d+ claims?) that the text does not say outright: it takes (\d+)$/,
      ' $1 beyond what the text says outright; needs $2',
    )
    .replace(/^all 1 drift check PASS$/, 'the one drift check so far is PASS')
    .replace(/ \(([\d.]+ %)\), below ([\d.]+ %) wanted$/, ' ($1; wanted: under $2)')
    .replace(/; below ([\d.]+ %) wanted of both$/, '; wanted: both under $1')
    .replace(/, (?:at least )?([\d.]+) wanted$/, '; wanted: at least $1')
    .replace(/\d+\.\d+(?= %)/g, (share) => String(Math.round(Number(share))));
}
