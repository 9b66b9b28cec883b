/** Builds the prompt that tells a seat what the person decided in their own words. */
import * as z from 'zod';
import type { Message } from '../../../kernel/model.ts';
import { cleanTagLabel } from '../../common/prompts/fence.ts';
import { makeChoiceSchema } from '../../common/prompts/one-of.ts';
import type { Conflict } from '../rules/conflicts.ts';
import type { Statement } from '../rules/statements.ts';
import { buildPrompt, statementsPart } from './opening.ts';

/**
 * Returns the schema of a seat's answer on which of its statements contradict what the person
 * decided.
 * @param own the ids of the seat's statements
 */
export function toldSchema(own: readonly string[]) {
  return z.object({
    clashes: z.array(z.object({ id: makeChoiceSchema(own), why: z.string().max(600) })),
  });
}

/**
 * Builds the prompt that asks a seat which of its statements contradict what the person decided. `seed`
 * decides the names of the fences around untrusted text.
 */
export function toldMessages(
  topic: string,
  {
    conflict,
    decided,
    own,
  }: {
    readonly conflict: Conflict;
    readonly decided: Statement;
    /** Statements of the seat that are not withdrawn. */
    readonly own: readonly Statement[];
  },
  seed: number,
): Message[] {
  return buildPrompt(
    topic,
    seed,
    [
      statementsPart('The person has decided in their own words:', [decided], seed),
      statementsPart('Your statements that stand:', own, seed),
    ],
    [
      `The question was: ${cleanTagLabel(conflict.question)} The other options of it are given up.`,
      'clashes: those of your statements that cannot be followed together with what was decided, each with why; [] where there is none. It is decided: this is not the place to say that you would have decided otherwise.',
    ],
  );
}
