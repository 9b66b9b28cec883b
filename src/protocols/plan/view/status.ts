/**
 * Formats the state of a plan in one line: while its phases run, when it has ended, and while a person
 * decides.
 */
import type { RunModel } from '../../../console/model/run-model.ts';
import { shownModel } from '../../../kernel/providers/spec.ts';
import { stepOf } from '../../../kernel/tools/tools.ts';
import type { GateView } from '../../../kernel/view.ts';
import { formatCount } from '../../../text/numbers.ts';
import { textWidth } from '../../../text/width.ts';
import { listDependentQuestions, suspicionRows } from './conflict.ts';
import { PLAN_PART, type PlanDisplay } from './display-state.ts';
import { countEndings, formatControlLines } from './wording.ts';

/** Says what the plan is doing now; undefined if no call of a known phase is running. */
export function describeStatus(runModel: RunModel): string | undefined {
  const steps = runningCalls(runModel);
  const [step] = steps;
  if (step === undefined) return undefined;
  const planned = PLAN_PART.state(runModel);
  const [phase = '', part = '', turn = ''] = step.split('/');
  const round = /^round-(\d+)$/.exec(phase)?.[1];
  if (round !== undefined)
    return `Round ${round}: ${part.startsWith('examine') ? examineWords(part, Number(round), planned) : roundWords(steps, round, planned)}.`;
  switch (phase) {
    case 'staff':
      return 'The chair decides what to search for and whom to call in.';
    case 'ask':
      return turn.startsWith('read')
        ? `${isAre(steps.filter((step) => step.includes('/read-')).length, 'question')} looked up in the documents.`
        : `${formatCount(countAsked(steps), 'specialist')} ${countAsked(steps) === 1 ? 'says' : 'say'} what must be known first.`;
    case 'research':
      return turn === 'carried'
        ? 'Claims from the code are checked against their quotations.'
        : `${isAre(countDistinct(steps, 2), 'question')} researched in the code.`;
    case 'decide':
      return `${part}: ${planned.title(seatOf(turn))} is asked alone about its must.`;
    case 'synthesis':
      return part === 'again'
        ? 'The chair accounts for what its first draft left out.'
        : 'The chair writes the plan.';
    default:
      return undefined;
  }
}

/**
 * Formats what a round is doing, such as `3 specialists speak` or `2 specialists answer 1 open question`.
 */
function roundWords(steps: readonly string[], round: string, { standings }: PlanDisplay): string {
  const seats = countDistinct(steps, 2);
  const isSingle = seats === 1;
  if (round === '1') return `${formatCount(seats, 'specialist')} ${isSingle ? 'speaks' : 'speak'}`;
  const open = standings.filter(({ state }) => state === 'open').length;
  return `${formatCount(seats, 'specialist')} ${isSingle ? 'answers' : 'answer'} ${formatCount(open, 'open question')}`;
}

function examineWords(part: string, round: number, { plan }: PlanDisplay): string {
  const missed = plan.examined.findLast((examination) => examination.round === round);
  return part === 'examine-1' || missed === undefined
    ? 'looking for conflicts'
    : `looking for conflicts again, as ${shownModel(missed.model)} missed the control`;
}

/** Formats the progress for the window's title, such as `round 2`; undefined if no call of a known phase is running. */
export function formatProgress(runModel: RunModel): string | undefined {
  const [phase = ''] = runningCalls(runModel)[0]?.split('/') ?? [];
  const round = /^round-(\d+)$/.exec(phase)?.[1];
  if (round !== undefined) return `round ${round}`;
  const names = new Map([
    ['staff', 'calling in'],
    ['ask', 'questions'],
    ['research', 'research'],
    ['decide', 'deciding'],
    ['synthesis', 'synthesis'],
  ]);
  return names.get(phase);
}

/**
 * Formats the result of a plan, such as `Done: open; 1 settled by agreement, 1 open.`: first the plan's state, then
 * how many questions ended in each way. A hint at the Documents tab follows if it fits into `room` cells; the counts
 * are left out if even they don't fit. Undefined before the plan is written.
 */
export function formatResultLine(runModel: RunModel, room: number): string | undefined {
  const planned = PLAN_PART.state(runModel);
  const { written, conflicts } = planned.plan;
  if (written === undefined) return undefined;
  const ended = countEndings(planned);
  const short = `Done: ${written.state}${conflicts.length === 0 ? ', no conflict' : ''}.`;
  const counted = ended === '' ? short : `${short.slice(0, -1)}; ${ended}.`;
  const whole = `${counted} The Documents tab lists the files it comes to.`;
  return [whole, counted].find((sentence) => textWidth(sentence) <= room) ?? short;
}

/**
 * Returns the lines that the console shows beside a conflict which the person is asked to decide. They say why the
 * statements are in conflict, what the options said before they were reworded, why an agreement of the seats is
 * doubtful, and which other conflicts the decision affects. They also say which models looked for conflicts in the
 * round in which this one was found, and whether each found the contradiction planted to test it. Empty if the
 * person is asked for something else, or about the same conflict once more.
 */
export function decisionLines({ step }: GateView, runModel: RunModel): string[] {
  const id = /^decide\/(Q-\d+)$/.exec(step)?.[1];
  const planned = PLAN_PART.state(runModel);
  const { plan, title } = planned;
  const conflict = plan.conflicts.find((conflict) => conflict.id === id);
  if (conflict === undefined) return [];
  const options = plan.statements.filter((statement) => conflict.options.includes(statement.id));
  return [
    `Why it is a question: ${conflict.why}`,
    ...options.flatMap(({ id: option, role, earlier }) =>
      earlier.map(({ text }) => `${option} of ${title(role)} read before: ${text}`),
    ),
    ...suspicionRows(conflict, planned),
    ...listDependentQuestions(conflict, plan),
    ...formatControlLines(plan.examined.filter(({ round }) => round === conflict.round)),
  ];
}

function runningCalls(runModel: RunModel): string[] {
  return Object.values(runModel.view.calls)
    .filter(({ state }) => state === 'running')
    .map(({ step }) => stepOf(step));
}

/** Counts the different keys among steps, by the first `parts` parts of each key. */
function countDistinct(steps: readonly string[], parts: number): number {
  return new Set(steps.map((step) => step.split('/').slice(0, parts).join('/'))).size;
}

/** Returns the seat of a statement: `engine` for `engine-2`. */
function seatOf(statement: string): string {
  return statement.replace(/-\d+$/, '');
}

/**
 * Counts the specialists that are being asked what they have to know, without the chair, who may be reading
 * for others meanwhile.
 */
function countAsked(steps: readonly string[]): number {
  return steps.filter((step) => step.split('/').length === 2).length;
}

function isAre(count: number, noun: string): string {
  return `${formatCount(count, noun)} ${count === 1 ? 'is' : 'are'}`;
}
