/** What a model is asked that writes a control: one more statement of a seat, which contradicts another seat's. */
import * as z from 'zod';
import type { Message } from '../../../kernel/model.ts';
import { label } from '../../common/fence.ts';
import { oneOf } from '../../common/one-of.ts';
import type { Statement } from '../rules/statements.ts';
import {
  type Commission,
  MAX_SHARED_RUN,
  wantsGround,
  wantsTitle,
} from '../rules/written-control.ts';
import { ask, statementsPart } from './opening.ts';

export function controlSchema(candidates: readonly string[]) {
  return z.object({
    of: oneOf(candidates),
    text: z.string().min(1).max(900),
    because: z.string().max(600),
    title: z.string().max(120),
  });
}

export function controlMessages(
  topic: string,
  asked: Commission,
  /** All that stand. */
  statements: readonly Statement[],
  /** What was written before, and why it was not taken. */
  earlier: { readonly text: string; readonly why: string } | undefined,
  seed: number,
): Message[] {
  const { role, own, candidates } = asked;
  const rest = statements.filter(
    (one) => !own.includes(one) && !candidates.some(({ id }) => id === one.id),
  );
  return ask(
    topic,
    seed,
    [
      statementsPart(`What ${label(role)} said:`, own, seed),
      statementsPart('What others said, of which you choose one:', candidates, seed),
      ...(rest.length === 0 ? [] : [statementsPart('What else was said:', rest, seed)]),
    ],
    [
      'Somebody will look for contradictions in all of these. To see whether they read carefully, one more statement is put among them, which contradicts one of the others. Write it.',
      `of: the statement that it contradicts; choose one that no other statement contradicts already and that says something definite. text: what ${label(role)} could have said in earnest about its own domain, so that both cannot be followed. It is wrong in no other way: whoever reads it alone finds it sensible, and it goes together with everything else above. The contradiction has to be in the matter itself: another way of doing it, another place, time, order, owner or amount, said from this seat's side and for a reason of its own, and never a denial of the other sentence. Neither may it be a matter of degree or of taste: somebody who reads both carefully must have to say that only one can be followed.`,
      `It reads like the other statements of ${label(role)}: as long, as plain, the same names for the same things. No more than ${MAX_SHARED_RUN} words in a row that stand in another statement, no ids, nothing that only an answer to the other statement would say ("instead", "not even", "still").`,
      `because: ${wantsGround(asked) ? 'a ground of its own, as the others have' : '""'}. title: ${wantsTitle(asked) ? 'a heading, as the others have' : '""'}.`,
      ...(earlier === undefined
        ? []
        : [`Not taken: "${label(earlier.text)}", because ${label(earlier.why)}. Write another.`]),
    ],
  );
}
