/** Tests the lists in which readers look for written controls, and how their answers are counted. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type BlindAnswer,
  type BlindList,
  blindFaults,
  blindLists,
  blindRows,
  readAnswers,
  writeLists,
} from '../../bench/pairs/blind.ts';
import { readControls } from '../../bench/pairs/controls.ts';
import { temporaryFolder } from '../store/folder.ts';

const LISTS = blindLists(3);

/** Returns the answers as read from a folder in which all readers answer by the rule `of`. */
function answerAllReaders(of: (list: BlindList) => BlindAnswer): Map<BlindList, BlindAnswer> {
  const folder = temporaryFolder();
  writeLists(folder, LISTS);
  for (const reader of new Set(LISTS.map((list) => list.reader))) {
    const own = LISTS.filter((list) => list.reader === reader);
    const writeAnswers = (file: string, key: keyof BlindAnswer): void =>
      writeFileSync(
        join(folder, String(reader), file),
        JSON.stringify(Object.fromEntries(own.map((list) => [list.panel, of(list)[key]]))),
      );
    writeAnswers('first.json', 'planted');
    writeAnswers('second.json', 'contrary');
  }
  return readAnswers(folder, LISTS);
}

const measureAnswers = (answers: Map<BlindList, BlindAnswer>): string[] =>
  blindRows(answers).map((row) => row.measured);

describe('a list of real and planted statements, from which readers try to pick the planted ones,', () => {
  it('shares no planted statement with another list', () => {
    const shown = LISTS.flatMap(({ planted, statements }) =>
      planted.map(({ id }) => statements.find((statement) => statement.id === id)?.text ?? ''),
    );
    expect(shown.sort()).toEqual(
      readControls()
        .map(({ control }) => control.text)
        .sort(),
    );
    const turns = LISTS.map(({ reader, panel }) => `${reader} ${panel}`);
    expect(new Set(turns).size).toBe(turns.length);
  });

  it('contains every real statement of the panel from which it is made', () => {
    const cases = readControls();
    for (const { panel, planted, statements } of LISTS) {
      const real = statements.filter(({ id }) => !planted.some((plant) => plant.id === id));
      const said = cases.find((writtenCase) => writtenCase.panel === panel)?.statements ?? [];
      expect(real.map(({ text }) => text).sort()).toEqual(said.map(({ text }) => text).sort());
      for (const { id, of } of planted) {
        const text = statements.find((statement) => statement.id === id)?.text;
        const about = cases.find(({ control }) => control.text === text);
        const target = about?.statements.find(
          (statement) => statement.id === about.control.of,
        )?.text;
        expect(real.find((statement) => statement.id === of)?.text).toBe(target);
      }
    }
  });

  it('writes planted statements like real ones, and not always as the last of their seat', () => {
    const folder = temporaryFolder();
    writeLists(folder, LISTS);
    const [list] = LISTS;
    if (list === undefined) expect.fail('there are no lists');
    const text = readFileSync(join(folder, String(list.reader), 'TASK.md'), 'utf8');
    const rows = text.split('\n').filter((row) => /^- [a-z]+-\d+ \(/.test(row));
    const own = LISTS.filter(({ reader }) => reader === list.reader);
    expect(rows).toHaveLength(own.reduce((sum, list) => sum + list.statements.length, 0));
    const last = own.flatMap(({ planted, statements }) =>
      planted.map(({ id }) => statements.some((statement) => statement.id === toNextId(id))),
    );
    expect(last).toContain(true);
    expect(last).toContain(false);
  });
});

function toNextId(id: string): string {
  return id.replace(/\d+$/, (number) => String(Number(number) + 1));
}

describe('the share of planted statements that readers have picked from lists', () => {
  it('is 100 % if the readers name all planted statements and no other', () => {
    const all = answerAllReaders(({ planted }) => ({
      planted: planted.map(({ id }) => id),
      contrary: planted.map(({ id, of }) => [of, id]),
    }));
    expect(measureAnswers(all)).toEqual(['100.0 %', '0.0 %', '100.0 %']);
    expect(blindRows(all).map(({ met }) => met)).toEqual([false, undefined, true]);
    expect(blindFaults(all)).toHaveLength(60);
  });

  it('is 0 % if the readers name all real statements and no other', () => {
    const none = answerAllReaders(({ planted, statements }) => {
      const real = statements.filter(({ id }) => !planted.some((plant) => plant.id === id));
      const [one, other] = real.map(({ id }) => id);
      return { planted: real.map(({ id }) => id), contrary: [[one ?? '', other ?? '']] };
    });
    expect(measureAnswers(none)).toEqual(['0.0 %', '100.0 %', '0.0 %']);
    expect(blindFaults(none).every((fault) => fault.includes('not understood'))).toBe(true);
  });

  it('is not computed if a reader’s answers are missing', () => {
    const folder = temporaryFolder();
    writeLists(folder, LISTS);
    expect(() => readAnswers(folder, LISTS)).toThrow('first.json');
  });
});
