/** A board's questions: the one it was opened with, its follow-ups, and what a follow-up builds on. */

import { isCall } from '../../kernel/call.ts';
import { KERNEL } from '../../kernel/facts.ts';
import { stepOf } from '../../kernel/tools/tools.ts';
import { type SynthesisView, viewOf } from '../../kernel/view.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { answerStep, boardOf, latestOf } from './fold.ts';

/** A question that the panel has dealt with before. */
export interface Earlier {
  readonly number: number;
  readonly question: string;
  /** Its last synthesis; absent where it came to none. */
  readonly synthesis?: string;
}

/** A question with what came before it. */
export interface Asked {
  /** 1 is the question the run was opened with. */
  readonly number: number;
  readonly text: string;
  readonly before: readonly Earlier[];
}

/** The question that an attempt works on: the latest one. */
export function latestQuestion(facts: readonly AnyFact[]): Asked {
  return questionOf(facts, boardOf(facts).questions.at(-1)?.number ?? 1);
}

/**
 * What stood in the log when a question was asked is what it builds on: whatever is made of an earlier
 * question afterwards changes no prompt.
 */
export function questionOf(facts: readonly AnyFact[], number: number): Asked {
  const questions = boardOf(facts).questions;
  const at = facts.findIndex((any) => {
    const one = KERNEL.own(any);
    return one?.type === 'question.asked' && one.number === number;
  });
  const then = at < 0 ? facts : facts.slice(0, at);
  const { syntheses } = viewOf(then);
  const board = boardOf(then);
  return {
    number,
    text: questions.find((one) => one.number === number)?.text ?? '',
    before: questions
      .filter((one) => one.number < number)
      .map(({ number: earlier, text }) => {
        const last = latestOf(
          syntheses.filter((one) => answers(one, earlier)),
          board,
        );
        return {
          number: earlier,
          question: text,
          ...(last === undefined ? {} : { synthesis: last.text }),
        };
      }),
  };
}

/** Whether a synthesis is one of this question. */
export function answers(synthesis: SynthesisView, question: number): boolean {
  return (synthesis.question ?? 1) === question;
}

/** The seats that were asked again since a synthesis was made of their answers. */
export function answeredSince(
  facts: readonly AnyFact[],
  { version, included, question }: SynthesisView,
): string[] {
  const made = facts
    .filter(KERNEL.is('synthesis.completed'))
    .findLast((one) => one.version === version);
  const asked = facts.filter(isCall).filter(({ seq }) => seq > (made?.seq ?? seq));
  return included.filter((seat) =>
    asked.some(({ step }) => stepOf(step) === answerStep(seat, question)),
  );
}

/**
 * The facts of the attempt that goes on, with those of the attempts before it that asked for the same
 * and that no process lived to end: what was decided in them stands.
 */
export function ofThisAttempt(facts: readonly AnyFact[]): readonly AnyFact[] {
  const starts = facts.flatMap((any, index) => {
    const one = KERNEL.own(any);
    return one?.type === 'run.started' || one?.type === 'run.resumed'
      ? [{ index, asked: JSON.stringify(one.request) }]
      : [];
  });
  const last = starts.at(-1);
  let from = last?.index ?? 0;
  for (const { index, asked } of starts.toReversed().slice(1)) {
    const ended = facts.slice(index, from).some((one) => one.type === 'run.ended');
    if (ended || asked !== last?.asked) break;
    from = index;
  }
  return facts.slice(from);
}
