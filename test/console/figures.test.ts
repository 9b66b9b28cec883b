/** Figures of a debate in its Method tab: a row is a row, as wide as what is read beside it. */
import { expect, test } from 'vitest';
import { FakeRun } from './fake-run.ts';
import { openRunConsole } from './terminal.ts';

function makeWeighedRun(): FakeRun {
  const run = new FakeRun().open('Postgres, SQLite or files?', undefined, 'debate');
  run.tell('figure.shown', {
    step: 'totals',
    figure: {
      kind: 'bars',
      title: 'Totals',
      whole: 6,
      rows: [
        { label: 'O2 Start with one small part', value: 5.72 },
        { label: 'O3 Measure first, then decide', value: 4.94 },
      ],
    },
  });
  run.tell('figure.shown', {
    step: 'ranges',
    figure: {
      kind: 'ranges',
      title: 'Estimates by round',
      unit: 'weeks',
      scale: 'linear',
      rows: [{ label: 'round 1', low: 2.8, mid: 9, high: 23.8, quarters: [8, 18] }],
    },
  });
  return run.end('done');
}

test.for([80, 120, 200])(
  'a bar or interval of a chart takes one row of the screen, which has %i columns',
  async (columns) => {
    const { screen, press, console } = openRunConsole(makeWeighedRun(), { columns, rows: 40 });
    await press('2');
    expect(screen.text).toMatch(/^ +O2 Start with one small part +█+ +5\.72$/m);
    expect(screen.text).toMatch(/^ +round 1 +\|-.*-\| +9 \(2\.8 to 23\.8\) weeks$/m);
    console.close();
  },
);

test('a chart is drawn again when the terminal becomes narrower', async () => {
  const { screen, press, console } = openRunConsole(makeWeighedRun(), { columns: 120, rows: 40 });
  await press('2');
  screen.resize(80, 40);
  await screen.settled();
  expect(screen.text).toMatch(/^ +O2 Start with one small part +█+ +5\.72$/m);
  console.close();
});
