/**
 * The usage of all runs on the history's screen, summed by a real store, at several sizes of the terminal.
 */
import { expect, it } from 'vitest';
import { historyPage } from '../../src/console/history/page.ts';
import {
  beginHistory,
  type History,
  press,
  type UsageSums,
  withRuns,
  withUsage,
} from '../../src/console/history/state.ts';
import { keymapOf } from '../../src/console/keys/key-lookup.ts';
import { Theme } from '../../src/console/terminal/theme.ts';
import { totalOf } from '../../src/store/usage.ts';
import { GROUPINGS, type Grouping } from '../../src/text/usage-table.ts';
import { textWidth } from '../../src/text/width.ts';
import { temporaryStore } from '../kernel/desk.ts';
import { makeCompletedCall, makeRunStarted } from '../store/bodies.ts';

const LOOK = { theme: new Theme(0), keymap: keymapOf({}), columns: 80, rows: 24, now: 0 };

/** Returns the sums over one priced call for each of `models` models, and two calls without a price. */
function sumsOf(models: number): (by: Grouping) => UsageSums {
  const store = temporaryStore();
  const journal = store.create('board');
  const usage = { input: 1000, output: 50, cached: 0, cacheWritten: 0, thinking: 0 };
  journal.note([
    makeRunStarted('Why?'),
    ...Array.from({ length: models }, (_, index) =>
      makeCompletedCall({
        model: `openai/gpt-${index}`,
        costUsd: models - index,
        latencyMs: 1000,
        usage,
      }),
    ),
    makeCompletedCall({ model: 'lab/own\u001b[2J', latencyMs: 100, usage }),
    makeCompletedCall({ model: 'lab/own\u001b[2J', latencyMs: 100, usage }),
  ]);
  journal.release();
  return (by) => {
    const rows = store.usage(by);
    return { rows, total: totalOf(rows) };
  };
}

/**
 * Returns the history after these keys. Sums that are asked for are loaded at once, as `openHistory` does.
 */
function pressKeys(keys: readonly string[], sums: (by: Grouping) => UsageSums): History {
  return keys.reduce(
    (before, key) => {
      const after = press(before, key);
      return after.effect?.kind === 'usage'
        ? withUsage(after, after.effect.by, sums(after.effect.by))
        : after;
    },
    withRuns(beginHistory(), []),
  );
}

const drawHistory = (history: History, look: Partial<typeof LOOK> = {}): string[] =>
  historyPage(history, { ...LOOK, ...look }).map((row) => row.replaceAll(/\u001b\[\d+m/g, ''));

it('the key u in the history shows costs by model with a total', () => {
  const rows = drawHistory(pressKeys(['u'], sumsOf(2)));
  const text = rows.join('\n');
  expect(rows[0]).toMatch(/^ deliberate {2}usage {2}by model/);
  expect(text).toMatch(/MODEL +CALLS +IN +OUT +TIME +COST/);
  expect(text).toMatch(/openai\/gpt-0 +1 +1\.0k +50 +1\.0s +\$2\.00/);
  expect(text).toMatch(/lab\/own\S* +2 +2\.0k +100 .*unknown/);
  expect(text).toMatch(/total +4 .* \$3\.00 \+ 2 unpriced/);
  expect(text).toContain('2 calls without a known price, not in COST: 2.0k tokens in, 100 out.');
});

it('the key b on the history’s page of costs switches between costs by model, server, protocol and day', () => {
  const sums = sumsOf(2);
  const seen = GROUPINGS.map((_, turns) => {
    const rows = drawHistory(pressKeys(['u', ...Array<string>(turns).fill('b')], sums));
    return `${rows[0]?.match(/by \w+/)?.[0]}, ${rows.at(-1)?.match(/b by \w+/)?.[0]}`;
  });
  expect(seen).toEqual([
    'by model, b by server',
    'by server, b by protocol',
    'by protocol, b by day',
    'by day, b by model',
  ]);
});

it('on the history’s page of costs, keys for runs change nothing and show a message that says where they work', () => {
  const sums = sumsOf(1);
  expect(pressKeys(['u', 'q'], sums).mode.kind).toBe('list');
  expect(pressKeys(['u', '?', 'x'], sums)).toMatchObject({
    mode: { kind: 'usage' },
    over: undefined,
  });
  const still = pressKeys(['u'], sums);
  for (const key of ['enter', 'x', 'e', 'f', 'r', 'p', '/']) {
    const pressed = press(still, key);
    expect(pressed).toEqual({ ...still, effect: undefined, notice: pressed.notice });
    expect(pressed.notice?.text, key).toContain(' works in the history’s list: ');
  }
});

it('the history’s page of costs ignores sums by model that arrive when costs are already grouped by server', () => {
  const sums = sumsOf(1);
  const asked = press(press(withRuns(beginHistory(), []), 'u'), 'b');
  expect(withUsage(asked, 'model', sums('model'))).toBe(asked);
  expect(drawHistory(asked).join('\n')).toContain('…');
});

it.each([
  [80, 24],
  [120, 40],
  [40, 12],
])(
  'the history’s page of costs fits %d x %d, and the cursor can reach the last model',
  (columns, rows) => {
    const sums = sumsOf(60);
    for (const keys of [['u'], ['u', 'G'], ['u', 'pagedown', 'down']]) {
      const page = drawHistory(pressKeys(keys, sums), { columns, rows });
      expect(page).toHaveLength(rows);
      expect(Math.max(...page.map(textWidth))).toBeLessThanOrEqual(columns);
      expect(page.join('\n')).toMatch(/ total .*unpriced/);
    }
    expect(drawHistory(pressKeys(['u', 'G'], sums), { columns, rows }).join('\n')).toMatch(
      />.*lab\/own/,
    );
  },
);

it('the history’s page of costs says "No calls yet" if nothing has been asked', () => {
  const rows = drawHistory(pressKeys(['u'], () => ({ rows: [], total: totalOf([]) })));
  expect(rows.join('\n')).toContain('No calls yet.');
});
