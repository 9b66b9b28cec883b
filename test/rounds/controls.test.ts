/** Controls: sentences whose answer code knows, made from the run's own text. */
import { describe, expect, it } from 'vitest';
import { type Control, controlsFor } from '../../src/protocols/rounds/reader/controls.ts';
import { findWord, placeOf } from '../../src/protocols/rounds/records/documents.ts';

const PLAN = {
  name: 'plan.md',
  text: [
    '# A plan of 5 parts that is a heading and no sentence.',
    'The ledger is moved in 14 nights, one shard a night.',
    'At most 40 requests a second are let through meanwhile.',
    '- a list of 3 names, and nothing else in it.',
    'Short of 9 words.',
    'Nobody has been told so far who is on call on a Sunday.',
    'It costs 1,200 a month for as long as both of them run.',
  ].join('\n'),
};

const SEEDS = Array.from({ length: 50 }, (_, seed) => seed);
const every = (round = 1): Control[] => SEEDS.flatMap((seed) => controlsFor([PLAN], seed, round));

describe('controls', () => {
  it('are up to three, one of each kind, the same for the same seed and round', () => {
    for (const seed of SEEDS) {
      const made = controlsFor([PLAN], seed, 1);
      expect(made.map(({ key }) => key)).toEqual(['true_in_text', 'false_in_text', 'absent']);
      expect(controlsFor([PLAN], seed, 1)).toEqual(made);
    }
    const rounds = [1, 2, 3, 4, 5, 6].map((round) => controlsFor([PLAN], 7, round));
    expect(new Set(rounds.map((made) => JSON.stringify(made))).size).toBeGreaterThan(1);
  });

  it('say what stands there word for word, if they are keyed true', () => {
    for (const { key, text } of every())
      if (key === 'true_in_text') expect(PLAN.text).toContain(text);
  });

  it('have another figure that stands nowhere, if they are keyed false', () => {
    for (const { key, text } of every()) {
      if (key !== 'false_in_text') continue;
      expect(placeOf(text, [PLAN])).toBeUndefined();
      const [figure = ''] = text.match(/\d+/) ?? [];
      expect(findWord(figure, [PLAN])).toBeUndefined();
      const own = PLAN.text.split('\n').map((line) => line.replace(/\d+/, '#'));
      expect(own).toContain(text.replace(/\d+/, '#'));
    }
  });

  it('speak of what no document has, if they are keyed absent', () => {
    for (const { key, text } of every()) {
      if (key !== 'absent') continue;
      const thing = /that the (\w+) is/.exec(text)?.[1] ?? '';
      expect(findWord(thing, [PLAN])).toBeUndefined();
    }
    const strangers = 'trombone lighthouse hedgehog marmalade zeppelin tambourine';
    const full = { name: 'x', text: strangers };
    expect(controlsFor([full], 1, 1)).toEqual([]);
    expect(controlsFor([{ name: 'x', text: strangers.replace('hedgehog', '') }], 1, 1)).toEqual([
      { key: 'absent', text: expect.stringContaining('hedgehog') },
    ]);
  });

  it('are made of no heading, no list, no fragment and no figure with a point in it', () => {
    for (const { text } of every()) expect(text).not.toMatch(/heading|list of|Short of|1,2|1,9/);
  });

  it('are only those that can be made', () => {
    expect(controlsFor([], 1, 1)).toMatchObject([{ key: 'absent' }]);
    const bare = { name: 'x', text: 'nothing that is a sentence' };
    expect(controlsFor([bare], 1, 1)).toMatchObject([{ key: 'absent' }]);
    // A sentence cannot be changed and left alone at once.
    const one = { name: 'x', text: 'Only 3 nights are left until the ledger is moved.' };
    expect(controlsFor([one], 1, 1).map(({ key }) => key)).toEqual(['true_in_text', 'absent']);
  });

  it('carry nothing that a terminal would obey', () => {
    const text = 'The \u001b[31mledger\u001b[0m is moved in 14 nights, \u202eone a night.';
    for (const control of controlsFor([{ name: 'x', text }], 1, 1))
      expect(control.text).not.toMatch(/[\u001b\u202e]/);
  });
});
