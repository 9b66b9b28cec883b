/** On narrow terminals rows are shortened; none is broken, which would move all the others. */
import { expect, it, type TestContext, test } from 'vitest';
import { cutRow, FittedRows } from '../../src/console/terminal/fit-rows.ts';
import { textWidth } from '../../src/text/width.ts';
import { makePlanRun } from '../plan/facts.ts';
import { makeTeamRun, STAGES } from '../team/facts-of-a-run.ts';
import { makeFullBoard } from './fake-board.ts';
import { makeThreeRounds } from './fake-rounds.ts';
import type { FakeRun } from './fake-run.ts';
import { KEYS, openRunConsole } from './terminal.ts';

const RUNS: readonly (readonly [string, number, () => FakeRun])[] = [
  ['board', 4, makeFullBoard],
  ['rounds', 6, () => makeThreeRounds().run],
  ['plan', 7, () => makePlanRun('done')],
  ['team', 6, () => makeTeamRun(STAGES.done)],
];

for (const [name, tabs, run] of RUNS)
  for (const [columns, rows] of [
    [40, 12],
    [60, 20],
    [72, 24],
  ] as const)
    test.concurrent(`each tab of ${name} shows its own name, the numbers of all tabs and the key to quit on a screen of ${columns}×${rows}`, async (context: TestContext) => {
      const { screen, press, console } = openRunConsole(run(), { columns, rows });
      context.onTestFinished(async () => {
        console.close();
        await console.closed;
      });
      for (let tab = 1; tab <= tabs; tab += 1) {
        await press(String(tab));
        await screen.settled();
        const [title, row = ''] = screen.lines;
        context.expect(screen.broken).toEqual([]);
        context.expect(title).toMatch(new RegExp(`^ ${name}`));
        context.expect(row).toMatch(new RegExp(`\\[${tab} \\w+\\]`));
        for (let other = 1; other <= tabs; other += 1) context.expect(row).toContain(String(other));
        context.expect(screen.lines.at(-1)).toMatch(/quit/);
      }
    });

it('cutRow keeps the styles of a row that it cuts', () => {
  const toBold = (text: string): string => `\u001b[1m${text}\u001b[22m`;
  expect(cutRow(`a ${toBold('bc')} d`, 6)).toBe(`a ${toBold('bc')} d`);
  expect(cutRow(`a ${toBold('bcde')} f`, 5)).toBe(`a ${toBold('bc…')}`);
  expect(cutRow(`${toBold('abc')} def`, 4)).toBe(`${toBold('abc')}…`);
  expect(cutRow(toBold('日本語'), 5)).toBe(toBold('日本…'));
  expect(textWidth(cutRow('日本語日本語', 4))).toBeLessThanOrEqual(4);
});

it('FittedRows cuts each row to the width, also after the row or the width has changed', () => {
  const rows = new FittedRows();
  expect(rows.of(['abcdef', 'x'], 4)).toEqual(['abc…', 'x']);
  expect(rows.of(['abcdef', 'abcde'], 4)).toEqual(['abc…', 'abc…']);
  expect(rows.of(['abcdef', 'abcde'], 5)).toEqual(['abcd…', 'abcde']);
});

test.concurrent('the field that has the cursor is visible in the form for a decision on a screen of 40×12', async (context: TestContext) => {
  const { screen, press, console } = openRunConsole(makeFullBoard(), { columns: 40, rows: 12 });
  context.onTestFinished(async () => {
    console.close();
    await console.closed;
  });
  await press('D');
  for (const field of ['Decision', 'Option', 'Recommended', 'Review on', 'By', 'Note']) {
    context.expect(screen.text).toContain(field);
    context.expect(screen.lines.at(-1)).toMatch(/Enter record .*Esc later/);
    context.expect(screen.broken).toEqual([]);
    context.expect(screen.lines[1]).toMatch(/^ ┌─+┐$/);
    for (const row of screen.lines.slice(2, -2)) context.expect(row).toMatch(/^ (│.*│|└─+┘)$/);
    await press(KEYS.tab);
  }
});

test.concurrent('a message on the screen of a run takes several rows if the screen is narrow', async (context: TestContext) => {
  const { screen, press, console } = openRunConsole(makeFullBoard(), {
    columns: 40,
    rows: 12,
    acting: false,
  });
  context.onTestFinished(async () => {
    console.close();
    await console.closed;
  });
  await press('i');
  context
    .expect(screen.text.replace(/\s+/g, ' '))
    .toContain(
      'Watch-only view: another console has this run open. Close that one, then open the run here again.',
    );
  context.expect(screen.lines).toHaveLength(12);
});
