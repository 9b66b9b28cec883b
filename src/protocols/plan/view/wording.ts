/**
 * Defines how a plan's record is put into words: its state, how a question ended, and who looked for
 * conflicts.
 */

import { shownModel } from '../../../kernel/providers/spec.ts';
import type { Tone } from '../../../plain/blocks.ts';
import { formatCount } from '../../../text/numbers.ts';
import type { FactOf } from '../facts.ts';
import type { Examination } from '../fold.ts';
import { formatEndState } from '../rules/checks.ts';
import {
  type Conflict,
  type ConflictKind,
  type FoundConflict,
  listNamedStatements,
} from '../rules/conflicts.ts';
import type { Suspicion } from '../rules/settle.ts';
import { findMustsLeft, formatConverged, formatQuestionsToFindOut } from '../rules/spec.ts';
import { deriveSpecBasis } from '../standings.ts';
import type { PlanDisplay } from './display-state.ts';

type PlanState = FactOf<'plan.written'>['state'];

const STATE_WORDS: Readonly<Record<Exclude<PlanState, 'converged'>, string>> = {
  open: 'Open: not every question is settled.',
  unexamined:
    'Unexamined: no search for conflicts in the statements as they stand passed a control, so finding none proves nothing.',
};

/** The words for each kind of conflict. */
export const KIND_WORDS: Readonly<Record<ConflictKind, string>> = {
  contradiction: 'contradiction',
  'trade-off': 'trade-off',
  unowned: 'owned by nobody',
  'against-context': 'against context',
};

/** The words for each kind of conflict, as the beginning of a sentence. */
export const KIND_SENTENCES: Readonly<Record<ConflictKind, string>> = {
  contradiction: 'A contradiction',
  'trade-off': 'A trade-off',
  unowned: 'Owned by nobody',
  'against-context': 'Against the context of its own seat',
};

/** The words for each reason to doubt an agreement. */
export const SUSPICION_WORDS: Readonly<Record<Suspicion, string>> = {
  'yields everything': 'keeps nothing of its own in any question',
  'gives no ground': 'gives no ground for yielding',
  'yields with all others': 'yields at once with all others',
};

/** The state of a question, with the words for it. */
interface Ending {
  readonly state: 'settled' | 'misread' | 'decided' | 'open' | 'waits';
  readonly tone: Tone;
  /** The ending in a few words, such as `engine-3, agreed`. */
  readonly brief: string;
  /** The ending in a sentence. */
  readonly words: string;
}

/** Returns how a question ended or, during the run, its state so far. */
export function getEnding(
  { id, options }: Conflict,
  { plan, standings, isOver }: PlanDisplay,
): Ending {
  const { option, together, by } = plan.decided.find(({ conflict }) => conflict === id) ?? {};
  const standing = standings.find(({ conflict }) => conflict === id);
  const { state, outcome, why = 'no answers yet' } = standing ?? {};
  if (state === 'settled') {
    // The person's choice is shown only while the question is settled. If the chosen option was given up later in
    // another question, this question is not settled any more.
    if (option !== undefined && by === 'person')
      return makeEnding('decided', `${option}, decided`, `${option} was chosen by the person.`);
    if (together !== undefined)
      return makeEnding(
        'decided',
        `${TOGETHER}, decided`,
        `It is decided: ${why}. ${together.how}`,
      );
    if (outcome === undefined) return makeEnding('misread', 'misread', `It was ${why}`);
    const chosen = 'option' in outcome ? outcome.option : undefined;
    const hasOptionGivenUpByPerson = plan.statements.some(
      (statement) => options.includes(statement.id) && statement.withdrawal?.by === 'person',
    );
    if (plan.edition >= 3 && by !== 'agreement' && hasOptionGivenUpByPerson)
      return makeEnding('decided', `${chosen ?? TOGETHER}, decided`, `It is what is left: ${why}.`);
    return chosen === undefined
      ? makeEnding('settled', TOGETHER, 'All its seats say how the options go together.')
      : makeEnding('settled', `${chosen}, agreed`, `${chosen} was taken by agreement.`);
  }
  if (by === 'default') return makeEnding('open', 'left open', `Left open: ${why}.`);
  if (state !== 'person') return makeEnding('open', 'open', `Open: ${why}.`);
  return isOver
    ? makeEnding('open', 'open', `Open, for the person to decide: ${why}.`)
    : makeEnding('waits', 'for the person', `For the person to decide: ${why}.`);
}

const TOGETHER = 'they go together';

function makeEnding(state: Ending['state'], brief: string, words: string): Ending {
  return { state, tone: state === 'open' || state === 'waits' ? 'open' : 'good', brief, words };
}

/**
 * Counts how questions ended, such as `1 settled by agreement, 1 decided by the person, 1 open`; empty if
 * there are none.
 */
export function countEndings(planned: PlanDisplay): string {
  const states = planned.plan.conflicts.map((conflict) => getEnding(conflict, planned).state);
  const countStates = (...wanted: readonly Ending['state'][]): number =>
    states.filter((state) => wanted.includes(state)).length;
  return [
    [countStates('settled'), 'settled by agreement'],
    [countStates('decided'), 'decided by the person'],
    [countStates('misread'), 'found to be misread'],
    [countStates('open', 'waits'), 'open'],
  ]
    .flatMap(([number, words]) => (number === 0 ? [] : `${number} ${words}`))
    .join(', ');
}

/**
 * Formats how a plan ended, and which constraints it leaves out although they must not be given up.
 */
export function formatStateSentence(plan: PlanDisplay['plan']): string {
  const { written, statements } = plan;
  if (written === undefined) return 'No plan was written.';
  const { spec, state } = written;
  if (plan.edition >= 3) {
    const words = formatEndState(written, deriveSpecBasis(plan));
    const passed = 'and the last search for conflicts passed its control.';
    return [
      state === 'converged' ? `${words.slice(0, -1)}, ${passed}` : words,
      ...formatQuestionsToFindOut(spec),
    ].join(' ');
  }
  const left = findMustsLeft(spec, statements);
  const musts = `not carried, although a must: ${left.join(', ')}.`;
  const words =
    state === 'converged'
      ? `${formatConverged(spec)}, and the last search for conflicts passed its control.`
      : STATE_WORDS[state];
  const told =
    left.length === 0 ? words : state === 'open' ? `Open: ${musts}` : `${words} N${musts.slice(1)}`;
  return [told, ...formatQuestionsToFindOut(spec)].join(' ');
}

/**
 * Formats how a plan and its questions ended, such as `Open: 2 conflicts nobody has settled. 3
 * questions: 1 settled by agreement, 2 open.`
 */
export function describeStateAndQuestions(planned: PlanDisplay): string {
  const { written, conflicts } = planned.plan;
  if (written === undefined) return 'No plan was written.';
  const ended = countEndings(planned);
  const counted = ended === '' ? '' : ` ${formatCount(conflicts.length, 'question')}: ${ended}.`;
  return `${formatStateSentence(planned.plan)}${counted}`;
}

/**
 * Formats for each round which models looked for conflicts and whether they found the planted
 * contradiction, such as `Round 1: qwen3:8b missed the control; claude-haiku-4-5 saw the control and found
 * 3 conflicts.` If the last model of a round has not found it, a second sentence says that the round counts as
 * unexamined.
 */
export function formatControlLines(examined: readonly Examination[]): string[] {
  const rounds = [...new Set(examined.map(({ round }) => round))];
  return rounds.map((round) => {
    const looks = examined.filter((examination) => examination.round === round);
    const last = looks.at(-1);
    const end = last?.control?.seen === true ? '' : ' So this round counts as unexamined.';
    return `Round ${round}: ${looks.map(describeExamination).join('; ')}.${end}`;
  });
}

/**
 * Formats the result of one model's search for conflicts, such as `qwen3:8b saw the control and found 2 conflicts`.
 * The control is the planted contradiction.
 */
export function describeExamination({ model, found, control, why, refused }: Examination): string {
  const name = shownModel(model);
  if (why !== undefined) return `${name} did not answer (${why})`;
  if (control?.seen === false) return `${name} missed the control`;
  const real = found.filter((finding) => isFinding(finding, control?.planted));
  const left = refused.length === 0 ? '' : `, ${refused.length} of them refused`;
  const how = control === undefined ? 'was held to no control' : 'saw the control';
  return `${name} ${how} and found ${real.length === 0 ? 'no conflict' : formatCount(real.length, 'conflict')}${left}`;
}

/**
 * Returns whether a finding names at least two statements beside the planted one. Otherwise it is the
 * control itself.
 */
function isFinding(finding: FoundConflict, planted: string | undefined): boolean {
  const others = new Set(finding.statements.filter((id) => id !== planted));
  return (
    planted === undefined || !listNamedStatements(finding).includes(planted) || others.size > 1
  );
}

/** The word for the members of a plan in displays. */
export const MEMBERS = 'specialists';
