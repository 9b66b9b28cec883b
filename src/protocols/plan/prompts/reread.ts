/**
 * Builds the prompt for a reader who sees only questions and their statements, and says whether the
 * statements say what the question claims.
 */
import * as z from 'zod';
import { makeNonce } from '../../../kernel/chance.ts';
import type { Message } from '../../../kernel/model.ts';
import { encloseInTags } from '../../common/prompts/fence.ts';
import { buildPromptWithoutTopic } from './opening.ts';

/**
 * The schema of a reader's answer when it checks, for numbered questions, whether the statements really say what the
 * question claims about them (`says`). `quotation` has the words that show it.
 */
export const rereadSchema = z.object({
  readings: z.array(
    z.object({
      number: z.number().int(),
      says: z.boolean(),
      quotation: z.string().max(900),
      why: z.string().max(600),
    }),
  ),
});

/**
 * A question with the statements that it is about, for a reader who checks whether the statements say what the
 * question claims. `why` says why not all of them can be followed.
 */
export interface Reading {
  readonly question: string;
  readonly why: string;
  readonly statements: readonly string[];
}

/**
 * Builds the prompt that asks a reader about questions of a plan: does each statement that a question names really say
 * what the question takes it to say? `seed` decides the names of the fences around untrusted text.
 */
export function rereadMessages(readings: readonly Reading[], seed: number): Message[] {
  const id = makeNonce(seed, 'reread');
  const blocks = readings.map(({ question, why, statements }, index) =>
    [
      `${index + 1}.`,
      encloseInTags('record', id, 'finding', `${question}\nWhy not all can be followed: ${why}`),
      ...statements.map((text, at) => encloseInTags('answer', id, `statement ${at + 1}`, text)),
    ].join('\n'),
  );
  return buildPromptWithoutTopic(
    [blocks.join('\n\n')],
    [
      'Somebody has found that the statements below each number cannot all be followed, and somebody else says that they were misread. For each number: do the statements say what the finding takes them to say? says: true where they do, whether or not you would decide it like that; then quotation: the words that it turns on, copied letter for letter from one statement. Code looks whether they stand there. says: false only where a statement does not say what is read into it; then quotation: "". why: what it says instead, in a sentence.',
    ],
  );
}
