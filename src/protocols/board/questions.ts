/** A board's questions: the one it was opened with, its follow-ups, and what a follow-up builds on. */

import type { Fact } from '../../kernel/facts.ts';
import { type SynthesisView, viewOf } from '../../kernel/view.ts';
import { boardOf } from './fold.ts';

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

/** The question that a sitting works on: the latest one. */
export function latestQuestion(facts: readonly Fact[]): Asked {
  return questionOf(facts, boardOf(facts).questions.at(-1)?.number ?? 1);
}

/**
 * What stood in the log when a question was asked is what it builds on: whatever is made of an earlier
 * question afterwards changes no prompt.
 */
export function questionOf(facts: readonly Fact[], number: number): Asked {
  const questions = boardOf(facts).questions;
  const at = facts.findIndex((one) => one.type === 'question.asked' && one.number === number);
  const then = at < 0 ? facts : facts.slice(0, at);
  const { syntheses } = viewOf(then);
  const metered = meteredVersions(then);
  return {
    number,
    text: questions.find((one) => one.number === number)?.text ?? '',
    before: questions
      .filter((one) => one.number < number)
      .map(({ number: earlier, text }) => {
        const last = syntheses.findLast(
          (one) => answers(one, earlier) && !metered.has(one.version),
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

/** The syntheses that were only made to weigh another one. */
export function meteredVersions(facts: readonly Fact[]): Set<number> {
  const sizes = new Map<number, number>();
  for (const one of facts)
    if (one.type === 'synthesis.completed') sizes.set(one.version, one.included.length);
  return new Set(
    facts.flatMap((one) =>
      one.type === 'run.resumed' && one.request.kind === 'weigh'
        ? Array.from(
            { length: (sizes.get(one.request.base) ?? 0) + 1 },
            (_each, index) => (one.request.kind === 'weigh' ? one.request.first : 0) + index,
          )
        : [],
    ),
  );
}

/**
 * The facts of the sitting that goes on, with those of the sittings before it that asked for the same
 * and that no process lived to end: what was decided in them stands.
 */
export function ofThisSitting(facts: readonly Fact[]): readonly Fact[] {
  const starts = facts.flatMap((one, index) =>
    one.type === 'run.started' || one.type === 'run.resumed'
      ? [{ index, asked: JSON.stringify(one.request) }]
      : [],
  );
  const last = starts.at(-1);
  let from = last?.index ?? 0;
  for (const { index, asked } of starts.toReversed().slice(1)) {
    const ended = facts.slice(index, from).some((one) => one.type === 'run.ended');
    if (ended || asked !== last?.asked) break;
    from = index;
  }
  return facts.slice(from);
}
