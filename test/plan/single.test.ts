/** The lists in which readers look for the one control that a run would hold, and the counting of their answers. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { conflictsIn, readControls } from '../../bench/pairs/controls.ts';
import { readPanels } from '../../bench/pairs/panels.ts';
import { type SingleList, singleLists } from '../../bench/pairs/single.ts';
import {
  computeTail,
  readSingles,
  singleFaults,
  singleRows,
  writeSingles,
} from '../../bench/pairs/single-answers.ts';
import { temporaryFolder } from '../store/folder.ts';

const LISTS = singleLists(8);
const PANELS = new Map(readPanels().map((panel) => [panel.name, conflictsIn(panel)]));

/** Returns what is measured where all readers answer by two rules, read back from their files. */
function measureReaders(
  named: (list: SingleList) => string,
  says: (isContrary: boolean) => boolean | string,
): { rows: string[]; faults: string[] } {
  const folder = temporaryFolder();
  writeSingles(folder, LISTS);
  for (const reader of new Set(LISTS.map((list) => list.reader))) {
    const own = LISTS.filter((list) => list.reader === reader);
    const writeAnswers = (end: string, pairs: readonly (readonly [string, unknown])[]): void =>
      writeFileSync(
        join(folder, 'answers', `reader-${reader}${end}.json`),
        JSON.stringify(Object.fromEntries(pairs)),
      );
    writeAnswers(
      '',
      own.map((list) => [list.panel, { planted: named(list), why: 'It looks so.' }]),
    );
    writeAnswers(
      '-second',
      own.flatMap(({ panel, pairs }) =>
        pairs.map((pair, at) => [`${panel}-pair-${at + 1}`, says(pair.isContrary)] as const),
      ),
    );
  }
  const answers = readSingles(folder, LISTS);
  const getConflicts = (panel: string): ReadonlySet<string> => PANELS.get(panel) ?? new Set();
  return {
    rows: singleRows(LISTS, answers, getConflicts).map((row) => row.measured),
    faults: singleFaults(LISTS, answers),
  };
}

describe('the 32 lists in which readers look for a planted statement', () => {
  it('contain one planted statement in 24 cases and none in eight', () => {
    const planted = LISTS.flatMap(({ statements, planted: plant }) =>
      plant === undefined ? [] : [statements.find(({ id }) => id === plant.id)?.text],
    );
    expect([LISTS.length, planted.length, new Set(planted).size]).toEqual([32, 24, 24]);
    for (const text of planted)
      expect(readControls().some(({ control }) => control.text === text)).toBe(true);
    expect(new Set(LISTS.map(({ name }) => name)).size).toBe(32);
    for (const half of [LISTS.slice(0, 16), LISTS.slice(16)])
      expect(half.filter((list) => list.planted === undefined)).toHaveLength(4);
  });

  it('keep the ids of all real statements of the panel from which they were made', () => {
    for (const { panel, statements, planted } of LISTS) {
      const said =
        readControls().find((writtenCase) => writtenCase.panel === panel)?.statements ?? [];
      const real = statements.filter(({ id }) => id !== planted?.id);
      expect(real.map(({ id }) => id).sort()).toEqual(said.map(({ id }) => id).sort());
    }
  });
});

describe('renumbering the statements in readers’ lists (singleLists)', () => {
  it('changes nothing but the numbers, which then run from 1 upwards for each seat', () => {
    const textOf = ({ statements }: SingleList, id = ''): string =>
      statements.find((statement) => statement.id === id)?.text ?? '';
    for (const [at, list] of singleLists(8, true).entries()) {
      const before = LISTS[at] ?? expect.fail();
      expect(list.statements.map(({ text }) => text)).toEqual(
        before.statements.map(({ text }) => text),
      );
      expect(textOf(list, list.planted?.id)).toBe(textOf(before, before.planted?.id));
      expect(list.pairs.map(({ ids }) => ids.map((id) => textOf(list, id)))).toEqual(
        before.pairs.map(({ ids }) => ids.map((id) => textOf(before, id))),
      );
      for (const role of new Set(list.statements.map((statement) => statement.role))) {
        const ids = list.statements
          .filter((statement) => statement.role === role)
          .map(({ id }) => id);
        expect(ids).toEqual(ids.map((_, place) => `${role}-${place + 1}`));
      }
    }
  });
});

describe('the share of planted statements that readers find', () => {
  it('is 100 % if the readers name every planted statement', () => {
    const { rows, faults } = measureReaders(
      ({ planted }) => planted?.id ?? 'none',
      (isContrary) => (isContrary ? 'true' : 'false'),
    );
    expect(rows).toEqual([
      '100.0 %',
      '1 (4.2 %)',
      '1.8 (7.5 %)',
      'p = 0.000',
      '0 (0.0 %)',
      '0 (0.0 %)',
      '100.0 %',
      '0 (0.0 %)',
    ]);
    expect(faults).toHaveLength(24);
  });

  it('is 0 % if the readers name a real statement in every list', () => {
    const { rows } = measureReaders(
      ({ statements, planted }) => statements.find(({ id }) => id !== planted?.id)?.id ?? '',
      () => true,
    );
    expect(rows.slice(0, 1)).toEqual(['0.0 %']);
    expect(rows.slice(3)).toEqual([
      'p = 1.000',
      '24 (100.0 %)',
      '8 (100.0 %)',
      '100.0 %',
      '40 (100.0 %)',
    ]);
  });

  it('is not computed if a reader names a statement that does not exist', () => {
    expect(() =>
      measureReaders(
        () => 'nobody-1',
        () => true,
      ),
    ).toThrow('nobody-1 is no statement');
  });
});

describe('computeTail, the probability of at least so many hits,', () => {
  it.each([
    [0, 10, 0.5, 1],
    [10, 10, 0.5, 0.001],
    [1, 2, 0.5, 0.75],
  ])(
    'returns the chance of at least %d hits in %d tries with the probability %d',
    (count, of, chance, expected) => {
      expect(computeTail(count, of, chance)).toBeCloseTo(expected, 3);
    },
  );
});
