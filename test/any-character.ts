/**
 * A fast-check arbitrary of single characters. It draws the same values from a seed as `unit: 'binary'` of
 * `fc.string`, which first makes a table of all 1,112,064 characters and so costs every worker a second of
 * processor time.
 */
import fc from 'fast-check';

/** The first surrogate. Surrogates are half characters and are left out. */
const HALVES = 0xd800;
/** The number of surrogates. */
const HOW_MANY = 0x800;

/** Any Unicode character except the surrogates, which are halves of characters. */
export const anyCharacter: fc.Arbitrary<string> = fc.nat(0x10ffff - HOW_MANY).map(
  (place) => String.fromCodePoint(place < HALVES ? place : place + HOW_MANY),
  (value) => {
    const [first, ...others] = typeof value === 'string' ? value : '';
    const code = first?.codePointAt(0);
    if (code === undefined || others.length > 0 || !first?.isWellFormed())
      throw new TypeError('not one whole character');
    return code < HALVES ? code : code - HOW_MANY;
  },
);
