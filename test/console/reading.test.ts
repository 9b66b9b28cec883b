/** Reading at the keyboard: columns that scroll together, a zoom that keeps the place, a search that counts. */
import { afterEach, describe, expect, test } from 'vitest';
import { FakeRounds } from './fake-rounds.ts';
import { FakeRun, makeProse, PANEL } from './fake-run.ts';
import { KEYS, type OpenedConsole, openRunConsole } from './terminal.ts';

let opened: OpenedConsole | undefined;
afterEach(async () => {
  opened?.console.close();
  await opened?.console.closed.catch(() => undefined);
  opened = undefined;
});

describe.each([
  { columns: 80, rows: 24 },
  { columns: 140, rows: 40 },
])('reading at $columns×$rows', (size) => {
  /** Opens the console on a run, then lets `play` send live news, which only an open console hears. */
  async function openConsole(
    run: FakeRun,
    play: (run: FakeRun) => unknown = () => 0,
  ): Promise<OpenedConsole> {
    opened = openRunConsole(run, size);
    await opened.screen.settled();
    play(run);
    await opened.screen.settled();
    return opened;
  }

  function askPanel(): FakeRun {
    const run = new FakeRun().open('Why?').ask(...PANEL.map(({ id }) => id));
    for (const { id } of PANEL) run.send(id);
    return run;
  }

  /** Returns the rows below the headings of the seats' columns, each row split into one text per seat. */
  const readBody = (): string[][] => {
    const lines = opened?.screen.lines ?? [];
    const rule = lines.findIndex((line) => line.includes('━━'));
    return lines.slice(rule + 1, -2).map((line) => line.trim().split(/ {3,}/));
  };

  function makeParagraphs(count: number, mark: string): string {
    return Array.from({ length: count }, (_, row) => `${mark}${row}`).join('\n\n');
  }

  test('columns can be scrolled together, and a short column stops at its end', async () => {
    const run = askPanel();
    const console = await openConsole(run, () =>
      run.say('advocate', makeParagraphs(200, 'a')).say('critic', makeParagraphs(20, 'b')),
    );
    await console.press('g', '=');
    expect(readBody()[0]?.slice(0, 2)).toEqual(['a0', 'b0']);
    await console.press('jjjj');
    expect(readBody()[0]?.slice(0, 2)).toEqual(['a2', 'b2']);
    for (let page = 0; page < 3; page += 1) await console.press(' ');
    const end = readBody().map(([, critic]) => critic);
    expect(end).toContain('b19');
    for (let page = 0; page < 3; page += 1) await console.press(KEYS.pageUp);
    expect(readBody()[0]?.slice(0, 2)).toEqual(['a2', 'b2']);
  });

  test('columns that scroll together stay in place while their texts grow', async () => {
    const run = askPanel();
    const console = await openConsole(run, () =>
      run.say('advocate', makeParagraphs(60, 'a')).say('critic', makeParagraphs(60, 'b')),
    );
    await console.press('=', 'g', 'jj');
    const before = readBody()[0];
    run
      .say('advocate', `\n\n${makeParagraphs(40, 'c')}`)
      .say('critic', `\n\n${makeParagraphs(40, 'd')}`);
    await console.screen.settled();
    expect(readBody()[0]).toEqual(before);
  });

  test('the zoom of a text begins at the word that was on top, and leaving it at once shows the screen as before', async () => {
    const words = Array.from({ length: 1500 }, (_, index) => `word${index}`).join(' ');
    const run = askPanel();
    const console = await openConsole(run, () => run.say('advocate', words));
    await console.press('g', ' ', ' ', 'jjj');
    const before = console.screen.text;
    const [first = ''] = /word\d+/.exec(readBody()[0]?.[0] ?? '') ?? [];
    expect(first).not.toBe('');
    await console.press('z');
    const top = console.screen.lines.find((line) => /^ word\d/.test(line)) ?? '';
    expect(top).toContain(first);
    await console.press('z');
    expect(console.screen.text).toBe(before);
  });

  test('the screen says how many rows are new below a text that was scrolled up', async () => {
    const run = askPanel();
    const console = await openConsole(run, () => run.say('advocate', makeParagraphs(60, 'a')));
    await console.press('g');
    expect(console.screen.text).toMatch(/held · \d+ below \(G follows\)/);
    run.say('advocate', `\n\n${makeParagraphs(5, 'n')}`);
    await console.screen.settled();
    expect(console.screen.text).toMatch(/held · \d+ below, 10 new \(G/);
    await console.press('G');
    expect(console.screen.text).toContain('n4');
    expect(console.screen.text).not.toContain('held');
    run.done('advocate');
    await console.press('g');
    expect(console.screen.text).toMatch(/\d+ more below \(PgDn\)/);
  });

  test('a search continues from the start after the last match', async () => {
    const run = askPanel();
    const console = await openConsole(run, () => {
      run.say('advocate', `needle\n\n${makeProse(1, 300)}\n\nneedle`).done('advocate');
      run.say('critic', 'a needle').done('critic');
    });
    await console.press('g', '/', 'needle', KEYS.enter);
    expect(console.screen.text).toContain('match 1 of 3 for "needle" ·');
    await console.press('n', 'n');
    expect(console.screen.text).toContain('match 3 of 3');
    await console.press('n');
    expect(console.screen.text).toContain('match 1 of 3 for "needle" (wrapped around)');
    await console.press('N');
    expect(console.screen.text).toContain('match 3 of 3 for "needle" (wrapped around)');
    await console.press('N');
    expect(console.screen.text).toContain('match 2 of 3 for "needle" ·');
  });
});

test('the keys n and N go through the matches of a search', async () => {
  const run = new FakeRounds().start('Why?').round(1, 'action');
  opened = openRunConsole(run, { columns: 80, rows: 24 });
  await opened.screen.settled();
  await opened.press('g', KEYS.enter, '/', 'a', KEYS.enter);
  const [, count = ''] = /match 1 of (\d+) for "a"/.exec(opened.screen.text) ?? [];
  expect(Number(count)).toBeGreaterThan(2);
  await opened.press('n');
  expect(opened.screen.text).toContain(`match 2 of ${count}`);
  await opened.press('N', 'N');
  expect(opened.screen.text).toContain(`match ${count} of ${count}`);
  await opened.press(KEYS.escape);
  expect(opened.screen.text).not.toContain('match');
});
