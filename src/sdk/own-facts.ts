/** The facts that a definition names itself. */
import * as z from 'zod';
import { type AnyBody, Vocabulary } from '../kernel/vocabulary.ts';
import { type AnyDefinition, factOf } from './define.ts';

/**
 * Returns the schemas of the facts that a protocol defines itself. The type of each fact begins with the
 * protocol's name: `red-team/objection.raised`.
 */
export function vocabularyOf({ name, facts = {} }: AnyDefinition): Vocabulary<AnyBody> {
  const schemas = Object.entries(facts).map(([kind, factDefinition]) => {
    const { v, body } = factOf(factDefinition);
    return z.object({
      ...body.shape,
      v: z.literal(v),
      type: z.literal(`${name}/${kind}`),
      step: z.string().optional(),
    });
  });
  return new Vocabulary<AnyBody>(() => schemas, {});
}
