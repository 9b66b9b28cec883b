/** Formats a plan's facts as lines of progress for pipes, and says what its calls are for. */
import type { CallView } from '../../../kernel/view.ts';
import { type Teller, toProgress } from '../../../plain/protocol-text.ts';
import { sentencesOf } from '../../../record-kinds/sentences.ts';
import { formatAnswer } from '../../../text/answers/answer.ts';
import { toLine } from '../../../text/line.ts';
import { EMPTY_PLAN, foldPlan, type PlanView } from '../fold.ts';
import { formatSeatAnswer } from './answers.ts';
import { derivePlanned } from './display-state.ts';
import { SENTENCES } from './sentences.ts';
import { describeStateAndQuestions } from './wording.ts';

/** Facts that only repeat a seat's own words, which were printed just before. */
const TOLD_BY_SEATS: ReadonlySet<string> = new Set(['statements.made', 'conflicts.answered']);

/**
 * Returns an object that formats each new fact of a plan as lines of progress. Facts that only repeat a seat's own
 * words give no line.
 */
export function planTeller(): Teller {
  let plan = EMPTY_PLAN;
  return {
    tell: (fact, { view }) => {
      plan = foldPlan(plan, fact);
      if (TOLD_BY_SEATS.has(fact.type)) return [];
      const told = sentencesOf(SENTENCES, fact, () => derivePlanned(view, plan)) ?? [];
      return told.map((sentence) => toProgress(toLine(sentence)));
    },
    above: (_synthesis, view) =>
      plan.written === undefined ? [] : [describeStateAndQuestions(derivePlanned(view, plan))],
  };
}

/** Tasks whose answers are a specialist's own words on the plan. Other answers are reported by their results. */
const SPOKEN: ReadonlySet<string> = new Set(['plan/speak', 'plan/answer', 'plan/must']);

/**
 * Formats a seat's answer as plain text if it is what a specialist says on the plan: its statements, its answers
 * to questions, or whether it insists on a must. Undefined for other answers, such as those of readers.
 */
export function spokenText(call: CallView): string | undefined {
  return SPOKEN.has(call.task ?? '') ? formatAnswer(call, formatSeatAnswer) : undefined;
}

/**
 * Returns the question that a research step looks up. Returns undefined for other steps, and in runs before
 * edition 3 of the rules, because their research steps are only numbered.
 */
export function questionOf(step: string, { lookedUp }: PlanView): string | undefined {
  const id = /^research\/([^/]+)$/.exec(step)?.[1];
  return lookedUp.find((question) => question.id === id)?.question;
}

const PURPOSES: readonly (readonly [RegExp, string])[] = [
  [/^staff/, ' what to search for and whom to call in'],
  [/^ask\/[^/]+\/read-/, ' whether the documents answer a question'],
  [/^ask\//, ' what it must know first'],
  [/^research\/[^/]+\/carried/, ' whether quotations carry what was claimed'],
  [/^research\//, ' to look into the code'],
  [/\/control-\d+$/, ' for a statement to plant among the others'],
  [/\/examine-\d+$/, ' for conflicts'],
  [/\/told-[^/]+$/, ' what of its own does not go with what the person decided'],
  [/^round-\d+\/reread-/, ' whether a question misreads its statements'],
  [/^round-1\//, ' for its statements'],
  [/^round-\d+\//, ' to answer what is open'],
  [/^decide\//, ' alone about its must'],
  [/^synthesis.*\/carried-\d+\/\d+/, ' whether a part of the plan follows from what it cites'],
  [/^synthesis.*\/compared-\d+/, ' whether parts of the plan contradict each other'],
  [/^synthesis/, ' to write the plan'],
];

/** Formats what a seat is asked for in a step, such as ` for its statements`; empty if the step is unknown. */
export function purposeOf(step: string): string {
  return PURPOSES.find(([steps]) => steps.test(step))?.[1] ?? '';
}
