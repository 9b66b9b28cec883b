/** Tests the lists of which each reader gets one, and how the filled-in answers are counted. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readAcceptedControls } from '../../bench/pairs/controls.ts';
import { type FreshList, freshLists } from '../../bench/pairs/fresh.ts';
import { freshFaults, freshRows, readFresh, writeFresh } from '../../bench/pairs/fresh-answers.ts';
import { temporaryFolder } from '../store/folder.ts';

const LISTS = freshLists();
const HELD = LISTS.filter(({ planted }) => planted.length > 0);

/** Fills in the answers of all readers, and returns how they are counted. */
function countAnswers(
  named: (list: FreshList) => readonly string[],
  isContrary: (kind: FreshList['pairs'][number]['kind']) => boolean,
): { measured: Map<string, string>; met: (boolean | undefined)[]; faults: string[] } {
  const folder = temporaryFolder();
  writeFresh(folder, LISTS);
  for (const list of LISTS) {
    const contrary = list.pairs.map(({ kind }, at) => [String(at + 1), isContrary(kind)]);
    writeFileSync(
      join(folder, list.name, 'answer.json'),
      JSON.stringify({ planted: named(list), why: '', contrary: Object.fromEntries(contrary) }),
    );
  }
  const filled = readFresh(folder, LISTS);
  const rows = freshRows(filled);
  return {
    measured: new Map(rows.map(({ what, measured }) => [what.replace(/^[^:]*: /, ''), measured])),
    met: rows.flatMap(({ met }) => met ?? []),
    faults: freshFaults(filled),
  };
}

describe('the lists in which 24 readers look for planted statements', () => {
  it('contain each of the 60 planted statements once, and four lists contain none', () => {
    expect([LISTS.length, HELD.length]).toEqual([24, 20]);
    const texts = LISTS.flatMap(({ statements, planted }) =>
      planted.map((id) => statements.find((statement) => statement.id === id)?.text),
    );
    expect(texts.sort()).toEqual(
      readAcceptedControls()
        .map(({ control }) => control.text)
        .sort(),
    );
  });

  it('vary in how many real conflicts they contain, even among lists of the same panel', () => {
    for (const [, lists] of Map.groupBy(HELD, ({ panel }) => panel)) {
      const numbers = lists.map(({ pairs }) => pairs.filter(({ kind }) => kind === 'real').length);
      expect(new Set(numbers).size).toBeGreaterThan(1);
      expect(Math.min(...numbers)).toBeGreaterThanOrEqual(3);
    }
  });

  it('name no statement twice, and have the planted statements at any place in the list', () => {
    const places = LISTS.flatMap(({ statements, planted }) => {
      expect(new Set(statements.map(({ id }) => id)).size).toBe(statements.length);
      return planted.map(
        (id) => statements.findIndex((statement) => statement.id === id) / (statements.length - 1),
      );
    });
    const mean = places.reduce((sum, place) => sum + place, 0) / places.length;
    expect(mean).toBeGreaterThan(0.35);
    expect(mean).toBeLessThan(0.65);
  });

  it('are written as files that do not reveal which statements are planted, if any', () => {
    const folder = temporaryFolder();
    writeFresh(folder, LISTS);
    const textOf = (name: string, file: string): string =>
      readFileSync(join(folder, name, file), 'utf8');
    expect(new Set(LISTS.map(({ name }) => textOf(name, 'INSTRUCTIONS.md'))).size).toBe(1);
    for (const { name, statements, pairs } of LISTS) {
      const files = ['INSTRUCTIONS.md', 'answer.json', 'list.md', 'pairs.md'];
      expect(readdirSync(join(folder, name)).sort()).toEqual(files);
      const rows = textOf(name, 'list.md').split('\n').slice(6, -1);
      expect(rows).toHaveLength(statements.length);
      for (const row of rows)
        expect(row).toMatch(/^- [a-z]+-\d+ \((?:constraint|concern|section)(?:, must)?\): /);
      expect(textOf(name, 'pairs.md').match(/^## /gm)).toHaveLength(pairs.length);
      expect(textOf(name, 'answer.json')).not.toMatch(/[a-z]+-\d/);
    }
  });
});

describe('the share of planted statements that 24 readers have picked from lists', () => {
  it('is 100 %, and misses its target of at most 10 %, if the readers recognize every planted statement', () => {
    const { measured, met, faults } = countAnswers(
      ({ planted }) => planted,
      (kind) => kind !== 'compatible',
    );
    expect(measured.get('controls picked out, of 60')).toBe('100.0 %');
    expect(measured.get('understood as contrary, of 60')).toBe('100.0 %');
    expect(met).toEqual([false, true]);
    expect(faults).toHaveLength(60);
  });

  it('meets its target of at most 10 % if no reader names a statement', () => {
    const { measured, met } = countAnswers(
      () => [],
      (kind) => kind !== 'compatible',
    );
    expect(met).toEqual([true, true]);
    expect(measured.get('picked out by lot, if 0 statements are named')).toBe('0 of 60 (0.0 %)');
    expect(measured.get('readers who named none')).toBe('20 of 20 (100.0 %)');
  });

  it('is shown beside the share that the same number of random guesses would find', () => {
    const nameAllInConflicts = ({ disputed }: FreshList) => disputed;
    const { measured } = countAnswers(nameAllInConflicts, () => true);
    // This reader names every statement that is in a conflict. So a random draw of equally many of these
    // statements contains every planted one.
    expect(measured.get('the same, if all that are named are in conflicts')).toBe(
      '60 of 60 (100.0 %)',
    );
    const blind = [...measured].find(([what]) => what.startsWith('picked out by lot'))?.[1] ?? '';
    expect(Number.parseFloat(blind)).toBeGreaterThan(30);
    expect(Number.parseFloat(blind)).toBeLessThan(60);
  });

  it('leaves out readers who have not answered; an answer with an unknown statement causes an error', () => {
    const folder = temporaryFolder();
    writeFresh(folder, LISTS);
    expect(readFresh(folder, LISTS)).toEqual([]);
    const file = join(folder, '01', 'answer.json');
    writeFileSync(file, JSON.stringify({ planted: ['nobody-9'], contrary: {} }));
    expect(() => readFresh(folder, LISTS)).toThrow('nobody-9 is no statement of the list');
  });
});
