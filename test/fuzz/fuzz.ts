/**
 * What is fuzzed: a name, an arbitrary and a property that holds for every value of it. `npm test` runs
 * a few cases of each from fixed seeds, `npm run nightly` a hundred thousand from a fresh one.
 */
import fc from 'fast-check';
import { anyCharacter } from '../any-character.ts';

export interface FuzzTarget {
  readonly name: string;
  /** Runs so many cases. @throws Error with the counterexample, its seed and its path. */
  readonly run: (cases: number, seed: number) => Promise<void>;
  /** Text that is repeated to great length, and what reads it: the time must not grow faster than it. */
  readonly growth?: Growth | undefined;
}

export interface Growth {
  readonly piece: fc.Arbitrary<string>;
  readonly read: (text: string) => unknown;
  /** Characters of the shorter text, where 30,000 are read by other rules. */
  readonly length?: number;
}

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

/** Text made of pieces that mean something to its reader, and of any characters between them. */
export function makeText(pieces: readonly string[], most = 24): fc.Arbitrary<string> {
  const piece = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...pieces) },
    { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 4 }) },
    { weight: 1, arbitrary: fc.string({ maxLength: 4 }) },
  );
  return fc.array(piece, { maxLength: most, size: 'max' }).map((parts) => parts.join(''));
}

/** Where a value is cut, as shares of its length. */
export const cutShares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 });

/** The value in pieces, in order and whole. */
export function cutText<T extends { readonly length: number; slice(from: number, to: number): T }>(
  whole: T,
  shares: readonly number[],
): T[] {
  const places = shares.map((share) => Math.round(share * whole.length)).sort((a, b) => a - b);
  return [0, ...places].map((from, index) => whole.slice(from, places[index] ?? whole.length));
}

/** What `work` throws, if it throws: of one of these classes, or it is a defect and thrown on. */
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
 * A JSON value with a few of its parts replaced, dropped or doubled: what a stranger, a crash or an
 * editor makes of a file.
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
