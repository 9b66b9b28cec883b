/** Thinking beside the answer: folded to a line, read when somebody wants to, never in the way. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Thinking } from '../../src/console/model/thinking.ts';
import { ColumnBuffer } from '../../src/text/rows/column-buffer.ts';
import { rowText } from '../../src/text/rows/row.ts';
import { FakeRun, makeProse, PANEL } from './fake-run.ts';
import { KEYS, type OpenedConsole, openRunConsole } from './terminal.ts';

let opened: OpenedConsole | undefined;
afterEach(async () => {
  vi.restoreAllMocks();
  opened?.console.close();
  await opened?.console.closed.catch(() => undefined);
  opened = undefined;
});

function readRows(thinking: Thinking, width = 40): string[] {
  return thinking.slice(0, thinking.length, width, 'T').map(rowText);
}

describe('a call’s thinking', () => {
  test('is shown as one line with its time and its number of words', () => {
    const thinking = new Thinking();
    thinking.push('one two ', 1_000);
    thinking.push('three', 13_400);
    expect(readRows(thinking)).toEqual(['thought for 12 s, 3 words · T opens', '']);
    thinking.settle('one two three');
    expect(readRows(thinking)[0]).toBe('thought for 12 s, 3 words · T opens');
  });

  test('takes no row if it is empty', () => {
    const thinking = new Thinking();
    expect(thinking.length).toBe(0);
    thinking.settle('one');
    expect(readRows(thinking)[0]).toBe('thought: 1 word · T opens');
    thinking.settle('');
    expect(thinking.length).toBe(0);
  });

  test('is shown between two lines when unfolded', () => {
    const thinking = new Thinking();
    thinking.push('one two', 0);
    thinking.unfold(20);
    thinking.push(' three four five six', 0);
    expect(readRows(thinking, 20)).toEqual([
      'thought: 6 words · …',
      'one two three four',
      'five six',
      '-- end of thinking …',
      '',
    ]);
    expect(thinking.find('four f')).toEqual([1]);
    thinking.fold();
    expect(thinking.length).toBe(2);
    expect(thinking.find('four')).toEqual([]);
  });

  test('is not wrapped into lines while it is folded to one line', () => {
    const push = vi.spyOn(ColumnBuffer.prototype, 'push');
    const thinking = new Thinking();
    for (let token = 0; token < 50_000; token += 1) thinking.push('word ', token);
    readRows(thinking);
    thinking.tail(40);
    expect(push).not.toHaveBeenCalled();
    expect(thinking.words).toBe(50_000);
  });
});

describe.each([
  { columns: 80, rows: 24 },
  { columns: 140, rows: 40 },
])('thinking on a screen of $columns×$rows', (size) => {
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

  test('the last rows of a model’s thinking are shown while it has not begun to answer', async () => {
    const console = await openConsole(askPanel(), (run) =>
      run.think('advocate', `BEGINNING ${makeProse(1, 200)} and so the END`),
    );
    expect(console.screen.text).toContain('thinking · 205 words');
    expect(console.screen.text).toContain('END');
    expect(console.screen.text).not.toContain('BEGINNING');
  });

  test('the key T unfolds the thinking of the focused column and folds it again', async () => {
    const console = await openConsole(askPanel(), (run) => {
      run.think('advocate', `BEGINNING ${makeProse(1, 200)}`).wait(12_000);
      run.think('advocate', ' FINISH.').say('advocate', `ANSWER ${makeProse(2, 900)}`);
      run.done('advocate').think('critic', 'SECRET').say('critic', 'No.').done('critic');
    });
    await console.press('g', 'jjjjjj');
    const before = console.screen.text;
    expect(before).not.toContain('ANSWER');
    await console.press('T');
    expect(console.screen.text).toContain('BEGINNING');
    expect(console.screen.text).toMatch(/thought for 12 s, 202 words · T( f|…)/);
    expect(console.screen.text).not.toContain('SECRET');
    await console.press('/', 'ANSWER', KEYS.enter);
    expect(console.screen.text).toContain('FINISH');
    expect(console.screen.text).toContain('-- end of thinking --');
    await console.press(KEYS.escape, 'T');
    expect(console.screen.text).toBe(before);
    await console.press('g');
    expect(console.screen.text).toMatch(/thought for 12 s, 202 words · T( o|…)/);
  });

  test('the end of unfolded thinking is shown while the thinking grows', async () => {
    const run = askPanel();
    const console = await openConsole(run, () => run.think('advocate', makeProse(1, 400)));
    await console.press('T');
    run.think('advocate', ' the END');
    await console.screen.settled();
    expect(console.screen.text).toContain('END');
    run.say('advocate', 'ANSWER');
    await console.screen.settled();
    expect(console.screen.text).toContain('ANSWER');
  });

  test('control sequences in thinking do not reach the terminal', async () => {
    const run = askPanel().think(
      'advocate',
      'a \u001b]52;c;eA==\u0007 \u001b]0;pwned\u0007 \u009b2J b',
    );
    const console = await openConsole(run);
    await console.press('T');
    run.say('advocate', 'Yes.').done('advocate');
    await console.press('T', 'T', 'y');
    const rest = console.screen.raw.replace(/\u001b\]52;c;WWVzLg==\u0007/, '');
    expect(rest).not.toMatch(/\u001b\]52|pwned|\u009b/);
  });

  test('the key T shows a message if a seat has no thinking', async () => {
    const console = await openConsole(askPanel().say('advocate', 'Yes.').done('advocate'));
    await console.press('T');
    expect(console.screen.text).toContain('This seat has no thinking to show.');
  });
});
