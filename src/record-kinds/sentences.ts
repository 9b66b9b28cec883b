/** One sentence or several for each kind of fact, told alike in the log, in pipes and wherever facts are listed. */
import type { AnyBody, AnyFact, Envelope } from '../kernel/vocabulary.ts';

/**
 * Functions that describe a fact in sentences, one for each type of fact; a missing one is a type error.
 * `Run` is what they read of the run, including the fact itself.
 */
export type Sentences<Body extends AnyBody, Run> = {
  readonly [Type in Body['type']]: (
    fact: Envelope & Extract<Body, { type: Type }>,
    run: Run,
  ) => string | readonly string[];
};

/**
 * Returns the sentences that describe a fact; undefined if the table has no function for its type.
 * @param read returns the state of the run; called only if there is such a function
 */
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
