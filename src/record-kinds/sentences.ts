/** One sentence or several for each kind of fact, told alike in the log, in pipes and wherever facts are listed. */
import type { AnyBody, AnyFact, Envelope } from '../kernel/vocabulary.ts';

/** `Run`: what the sentences read of the run, with the fact folded into it. A kind without an entry is an error of types. */
export type Sentences<Body extends AnyBody, Run> = {
  readonly [Type in Body['type']]: (
    fact: Envelope & Extract<Body, { type: Type }>,
    run: Run,
  ) => string | readonly string[];
};

/** Returns the sentences of a fact; undefined if its kind is not in the table. `read` is called only if it is. */
export function sentencesOf<Body extends AnyBody, Run>(
  table: Sentences<Body, Run>,
  fact: AnyFact,
  read: () => Run,
): readonly string[] | undefined {
  if (!Object.hasOwn(table, fact.type)) return undefined;
  const tell = table[fact.type as Body['type']] as (
    fact: AnyFact,
    run: Run,
  ) => string | readonly string[];
  const told = tell(fact, read());
  return typeof told === 'string' ? [told] : told;
}
