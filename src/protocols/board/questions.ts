/** A board's questions: the first one, follow-ups, and what a follow-up builds on. */

import { isCall } from '../../kernel/call.ts';
import { KERNEL } from '../../kernel/facts.ts';
import { stepOf } from '../../kernel/tools/tools.ts';
import { type SynthesisView, viewOf } from '../../kernel/view.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import { boardOf, getAnswerStep, getLatestSynthesis } from './fold.ts';

/** A question that the panel has answered earlier. */
export interface EarlierQuestion {
  readonly number: number;
  readonly question: string;
  /** The text of the question's last synthesis, ablations apart. Absent if there is none. */
  readonly synthesis?: string;
}

/** A question, together with all questions before it. */
export interface QuestionContext {
  /** The question's number; 1 is the first question of the run. */
  readonly number: number;
  readonly text: string;
  /** The earlier questions of the run. */
  readonly before: readonly EarlierQuestion[];
}

/** Returns the latest question, which the present attempt answers. */
export function getLatestQuestion(facts: readonly AnyFact[]): QuestionContext {
  return getQuestion(facts, boardOf(facts).questions.at(-1)?.number ?? 1);
}

/**
 * Returns a question with the syntheses that existed when it was asked. Later syntheses of earlier
 * questions are ignored, so that prompts never change.
 */
export function getQuestion(facts: readonly AnyFact[], number: number): QuestionContext {
  const questions = boardOf(facts).questions;
  const at = facts.findIndex((any) => {
    const fact = KERNEL.own(any);
    return fact?.type === 'question.asked' && fact.number === number;
  });
  const then = at < 0 ? facts : facts.slice(0, at);
  const { syntheses } = viewOf(then);
  const board = boardOf(then);
  return {
    number,
    text: questions.find((question) => question.number === number)?.text ?? '',
    before: questions
      .filter((question) => question.number < number)
      .map(({ number: earlier, text }) => {
        const last = getLatestSynthesis(
          syntheses.filter((synthesis) => isAnswerTo(synthesis, earlier)),
          board,
        );
        return {
          number: earlier,
          question: text,
          ...withoutUndefined({ synthesis: last?.text }),
        };
      }),
  };
}

/** Returns whether a synthesis is about the question with this number. */
export function isAnswerTo(synthesis: SynthesisView, question: number): boolean {
  return (synthesis.question ?? 1) === question;
}

/** Returns the ids of a synthesis's seats that were asked again after it was written, even if the new call failed. */
export function findAnsweredSince(
  facts: readonly AnyFact[],
  { version, included, question }: SynthesisView,
): string[] {
  const made = facts
    .filter(KERNEL.is('synthesis.completed'))
    .findLast((fact) => fact.version === version);
  const asked = facts.filter(isCall).filter(({ seq }) => seq > (made?.seq ?? seq));
  return included.filter((seat) =>
    asked.some(({ step }) => stepOf(step) === getAnswerStep(seat, question)),
  );
}

/**
 * Returns the facts of the present attempt, and those of the attempts before it that had the same request and were
 * interrupted: their decisions are still valid. The search backwards stops at an attempt that has ended or had another
 * request.
 */
export function getFactsOfAttempt(facts: readonly AnyFact[]): readonly AnyFact[] {
  const starts = facts.flatMap((any, index) => {
    const fact = KERNEL.own(any);
    return fact?.type === 'run.started' || fact?.type === 'run.resumed'
      ? [{ index, asked: JSON.stringify(fact.request) }]
      : [];
  });
  const last = starts.at(-1);
  let from = last?.index ?? 0;
  for (const { index, asked } of starts.toReversed().slice(1)) {
    const ended = facts.slice(index, from).some((fact) => fact.type === 'run.ended');
    if (ended || asked !== last?.asked) break;
    from = index;
  }
  return facts.slice(from);
}
