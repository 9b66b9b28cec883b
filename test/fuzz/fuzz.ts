/**
 * What a fuzz target is made of. `npm test` runs a few cases of each target from fixed seeds, `npm run
 * nightly` a hundred thousand from a new seed.
 */
import fc from 'fast-check';
import { anyCharacter } from '../any-character.ts';

/** A property that has to hold for every random value of a kind. */
export interface FuzzTarget {
  /** What holds, for the names of tests. */
  readonly name: string;
  /**
   * Checks the property for as many random values as `cases` says, made from `seed`.
   *
   * @throws Error with the counterexample, its seed and its path
   */
  readonly run: (cases: number, seed: number) => Promise<void>;
  /**
   * Checks in the nightly run that reading time grows no faster than the text; absent if there is no such
   * check.
   */
  readonly growth?: Growth | undefined;
}

/**
 * A check of a reader's time: a text is repeated to a great length and to twice this length, and the times of
 * reading both are compared.
 */
export interface Growth {
  /** The text that is repeated. */
  readonly piece: fc.Arbitrary<string>;
  /** Reads a text. Its result is ignored. */
  readonly read: (text: string) => unknown;
  /** The number of characters of the shorter of the two repeated texts; 30,000 if absent. */
  readonly length?: number;
}

/**
 * Returns a target that checks the property for values of an arbitrary. The property throws if it does not
 * hold.
 */
export function makeTarget<T>(
  name: string,
  arbitrary: fc.Arbitrary<T>,
  property: (value: T) => void | Promise<void>,
  growth?: Growth,
): FuzzTarget {
  const runCases = (cases: number, seed: number): Promise<void> =>
    Promise.resolve(
      fc.assert(
        fc.asyncProperty(arbitrary, async (value) => {
          await property(value);
        }),
        { numRuns: cases, seed, endOnFailure: cases > 1_000 },
      ),
    );
  return { name, run: runCases, growth };
}

/**
 * Returns an arbitrary of texts that mix the given pieces, which mean something to the tested code, with random
 * characters.
 *
 * @param most The most pieces of a text.
 */
export function makeText(pieces: readonly string[], most = 24): fc.Arbitrary<string> {
  const piece = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...pieces) },
    { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 4 }) },
    { weight: 1, arbitrary: fc.string({ maxLength: 4 }) },
  );
  return fc.array(piece, { maxLength: most, size: 'max' }).map((parts) => parts.join(''));
}

/** Generates up to six places at which a value is cut, as shares of its length from 0 to 1, in any order. */
export const cutShares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 });

/**
 * Returns the value cut at these shares of its length, in order. The pieces together are the whole value;
 * some may be empty.
 */
export function cutText<T extends { readonly length: number; slice(from: number, to: number): T }>(
  whole: T,
  shares: readonly number[],
): T[] {
  const places = shares.map((share) => Math.round(share * whole.length)).sort((a, b) => a - b);
  return [0, ...places].map((from, index) => whole.slice(from, places[index] ?? whole.length));
}

/**
 * Returns the error of the given class that `work` throws; undefined if `work` returns. Errors of other
 * classes are thrown on.
 */
export function catchRefusal<E extends Error>(
  work: () => unknown,
  declared: abstract new (...args: never[]) => E,
): E | undefined {
  try {
    work();
  } catch (error) {
    if (error instanceof declared) return error;
    throw error;
  }
  return undefined;
}

type Json = unknown;
type Place = [holder: Record<string, Json>, key: string];

/**
 * Returns an arbitrary of copies of a JSON value in which a few parts are replaced or dropped, as people,
 * crashes and editors damage files.
 *
 * @param most The most changes of a copy.
 */
export function spoilValue(value: Json, most = 3): fc.Arbitrary<Json> {
  const change = fc.record({ at: fc.nat(), to: SPOILS, drop: fc.boolean() });
  return fc.array(change, { maxLength: most }).map((changes) => {
    const copy = { root: structuredClone(value) };
    for (const { at, to, drop } of changes) {
      const places = [...placesIn(copy)];
      const [holder, key]: Place = places[at % places.length] ?? [copy, 'root'];
      if (drop && holder !== copy && !Array.isArray(holder)) delete holder[key];
      else holder[key] = structuredClone(to);
    }
    return copy.root;
  });
}

const SPOILS: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom(null, true, 0, -1, 1.5, 1e300, '', '__proto__', [], {}, 'x'.repeat(300)),
  fc.string({ unit: anyCharacter, maxLength: 8 }),
  fc.jsonValue({ maxDepth: 2 }),
);

function* placesIn(value: Json): Generator<Place> {
  if (typeof value !== 'object' || value === null) return;
  const holder = value as Record<string, Json>;
  for (const key of Object.keys(holder)) {
    yield [holder, key];
    yield* placesIn(holder[key]);
  }
}
