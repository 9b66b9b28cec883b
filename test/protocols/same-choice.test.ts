/** The planted option among those that a model compares: what it catches, and that it disturbs nothing else. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareEntries } from '../../src/protocols/common/voting/same-choice.ts';

const ENTRIES = [
  { option: 'Split it', position: 'Split the monolith this year.' },
  { option: 'Divide it', position: 'Divide the monolith now.' },
  { option: 'Keep it', position: 'Keep the monolith.' },
];
const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 });

describe('compareEntries, which lets a model group options of the same meaning,', () => {
  it('shows the model every option, and an invented one to test it', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { shown, ids } = compareEntries(ENTRIES, seed, true);
        expect(ids).toEqual(['O1', 'O2', 'O3', 'O4']);
        for (const { option } of ENTRIES)
          expect(shown.filter((entry) => entry.option === option)).toHaveLength(1);
      }),
    );
  });

  it('adds an invented option about another subject than the real options', () => {
    const paint = { option: 'Repaint the meeting room', position: 'Repaint the meeting room red.' };
    fc.assert(
      fc.property(seeds, (seed) => {
        const { shown } = compareEntries([paint, ...ENTRIES], seed, true);
        expect(shown.filter(({ option }) => /paint/i.test(option))).toHaveLength(1);
        expect(shown).toHaveLength(5);
      }),
    );
  });

  it('returns the two options for each pair of different ids in the model’s answer', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { shown, readPairs } = compareEntries(ENTRIES, seed, true);
        const getId = (option: string) => shown.find((entry) => entry.option === option)?.id ?? '';
        expect(readPairs([{ option: getId('Divide it'), as: getId('Split it') }])).toEqual([
          [ENTRIES[1], ENTRIES[0]],
        ]);
        expect(readPairs([{ option: getId('Keep it'), as: getId('Keep it') }])).toEqual([]);
      }),
    );
  });

  it('refuses a model’s answer that groups a real option with the one invented to test the model', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { ids, readPairs } = compareEntries(ENTRIES, seed, true);
        const all = ids.flatMap((option) => ids.map((as) => ({ option, as })));
        expect(readPairs(all)).toBeUndefined();
      }),
    );
  });

  it('in runs of older editions, shows the real options in their original order and no invented one', () => {
    const { shown, readPairs } = compareEntries(ENTRIES, 1, false);
    expect(shown).toEqual(ENTRIES.map((entry, at) => ({ id: `O${at + 1}`, ...entry })));
    expect(readPairs([{ option: 'O1', as: 'O3' }])).toEqual([[ENTRIES[0], ENTRIES[2]]]);
  });
});
