/** Where the cursor of the history stands when its list is read again. */
import { expect, it } from 'vitest';
import { historyPage } from '../../src/console/history/page.ts';
import { beginHistory, chosenRun, press, withRuns } from '../../src/console/history/state.ts';
import { keymapOf } from '../../src/console/keys/key-lookup.ts';
import type { RunLine } from '../../src/console/model/runs.ts';
import { Theme } from '../../src/console/terminal/theme.ts';

function makeRun(id: string): RunLine {
  const startedAt = '2026-03-01T10:00:00Z';
  const about = {
    protocol: 'board',
    status: 'done',
    costUsd: 0,
    estimated: false,
    rehearsal: false,
  } as const;
  return { ...about, id, question: `${id}?`, startedAt };
}

const [one, two, three] = [makeRun('one'), makeRun('two'), makeRun('three')] as const;

it('the cursor of the history returns to the run that was opened, or to the first run if that run is gone', () => {
  expect(chosenRun(withRuns(beginHistory(), [one, two, three], 'two'))).toBe(two);
  expect(chosenRun(withRuns(beginHistory(), [one, three], 'two'))).toBe(one);
});

it('after a search, the cursor of the history is on the best match', () => {
  const all = withRuns(beginHistory(), [one, two, three]);
  const searched = press(press(all, '/'), 'w');
  expect(chosenRun(withRuns(searched, [two, one]))).toBe(two);
});

const LOOK = { theme: new Theme(0), keymap: keymapOf({}), columns: 80, rows: 24, now: 0 };

it('the last row of an empty history names no keys for runs', () => {
  const rows = historyPage(withRuns(beginHistory(), []), LOOK).map((row) =>
    row.replace(/\u001b\[\d+m/g, ''),
  );
  expect(rows.at(-1)?.trim()).toBe('/ search  u usage  t track record  ? help  q back');
});

it('the warning before a run is deleted cuts a long question, so that the key that deletes is still named', () => {
  const long = { ...makeRun('long'), question: 'Should we paint the shed? '.repeat(9) };
  const asked = historyPage(press(withRuns(beginHistory(), [long]), 'x'), LOOK);
  const row = asked.at(-2)?.replaceAll(/\u001b\[\d+m/g, '') ?? '';
  expect(row).toMatch(/…" permanently\? y removes it$/);
  expect(row.length).toBeLessThan(80);
});

it('the last row of the history says how to open a run even on a narrow screen', () => {
  const rows = historyPage(withRuns(beginHistory(), [one]), { ...LOOK, columns: 40, rows: 12 });
  const last =
    rows
      .at(-1)
      ?.replaceAll(/\u001b\[\d+m/g, '')
      .trim() ?? '';
  expect(last).toMatch(/^Enter open .*\? help {2}q back$/);
});
