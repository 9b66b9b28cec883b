/** The console in use: every way into and out of it, what the keys do to the run, and reading. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Painter } from '../../src/console/terminal/paint.ts';
import { UsageError } from '../../src/kernel/errors.ts';
import { FakeRun, makeProse, PANEL } from './fake-run.ts';
import { type ConsoleOptions, KEYS, type OpenedConsole, openRunConsole } from './terminal.ts';

let run: FakeRun;
let opened: OpenedConsole | undefined;

beforeEach(() => {
  run = new FakeRun().open('Why?').ask('advocate', 'critic', 'analyst');
  for (const { id } of PANEL) run.send(id);
});
afterEach(async () => {
  vi.restoreAllMocks();
  opened?.console.close();
  await opened?.console.closed.catch(() => undefined);
  opened = undefined;
});

async function openConsole(opening: ConsoleOptions = {}): Promise<OpenedConsole> {
  opened = openRunConsole(run, opening);
  await opened.screen.settled();
  return opened;
}

function expectRestored({ screen, keyboard }: OpenedConsole): void {
  expect(screen.alternate).toBe(false);
  expect(keyboard.raw).toBe(false);
  // The terminal must be restored: for each mode, the sequence that switches it off comes last.
  for (const [set, reset] of [
    ['\u001b[?1049h', '\u001b[?1049l'],
    ['\u001b[?25l', '\u001b[?25h'],
    ['\u001b[?2004h', '\u001b[?2004l'],
    ['\u001b[22;2t', '\u001b[23;2t'],
  ] as const) {
    expect(screen.raw).toContain(set);
    expect(screen.raw.lastIndexOf(reset)).toBeGreaterThan(screen.raw.lastIndexOf(set));
  }
}

describe('leaving the console', () => {
  test('the console takes over the terminal, and the key q restores the terminal after the end of the run', async () => {
    run.end('done');
    const console = await openConsole();
    expect(console.screen.alternate).toBe(true);
    expect(console.keyboard.raw).toBe(true);
    expect(console.screen.raw).toContain('\u001b]2;✓ Why?\u0007');
    console.keyboard.write('q');
    expect(await console.console.closed).toEqual({ reason: 'quit' });
    expectRestored(console);
  });

  test('no frame is written to a slow terminal after the console was closed', async () => {
    run.end('done');
    const console = await openConsole();
    console.screen.slowness = 60;
    console.keyboard.write('jq');
    await console.console.closed;
    expectRestored(console);
    expect(console.screen.raw).toMatch(/\u001b\[23;2t$/);
  });

  test('the key q asks before leaving a live run', async () => {
    const console = await openConsole();
    await console.press('q');
    expect(console.screen.text).toContain('Quit?');
    expect(console.screen.text).toContain('The run stops; you can resume it.');
    await console.press('n');
    expect(console.screen.text).not.toContain('Quit?');
    await console.press('q', KEYS.escape);
    expect(console.screen.text).not.toContain('Quit?');
    await console.press('q', 's');
    expect(console.done).toEqual([]);
    console.keyboard.write('y');
    expect(await console.console.closed).toEqual({ reason: 'quit' });
    expectRestored(console);
  });

  test('the dialog that asks before quitting closes when the run ends', async () => {
    const console = await openConsole();
    await console.press('q');
    run.end('done');
    await console.screen.settled();
    expect(console.screen.text).not.toContain('Quit?');
    console.keyboard.write('q');
    expect(await console.console.closed).toEqual({ reason: 'quit' });
  });

  test('the first Ctrl-C stops the run, and the second closes the console', async () => {
    const console = await openConsole();
    await console.press(KEYS.ctrlC);
    expect(console.done).toEqual(['stop']);
    expect(console.screen.text).toContain('■ stopping');
    expect(console.screen.text).toContain('answers so far are kept');
    console.keyboard.write(KEYS.ctrlC);
    expect(await console.console.closed).toEqual({ reason: 'quit' });
    expectRestored(console);
  });

  test('Ctrl-C closes the console at once if the run has ended as stopped', async () => {
    const console = await openConsole();
    await console.press('s');
    for (const { id } of PANEL) run.stop(id);
    run.end('stopped');
    await console.screen.settled();
    expect(console.screen.lines[0]).toContain('■ stopped');
    console.keyboard.write(KEYS.ctrlC);
    expect(await console.console.closed).toEqual({ reason: 'quit' });
  });

  test('the key q closes the console at once if the console only watches the run', async () => {
    const console = await openConsole({ acting: false });
    console.keyboard.write('q');
    expect(await console.console.closed).toEqual({ reason: 'detached' });
    expectRestored(console);
  });

  test('the function close() restores the terminal', async () => {
    const console = await openConsole();
    console.console.close();
    expect(await console.console.closed).toEqual({ reason: 'quit' });
    expectRestored(console);
  });
});

describe('suspending the console', () => {
  test('Ctrl-Z gives the terminal to the shell, and after fg the console has the terminal again', async () => {
    const kill = vi.spyOn(process, 'kill').mockImplementation(() => true);
    const console = await openConsole();
    const before = console.screen.text;
    console.keyboard.write('\u001a');
    await vi.waitFor(() => expect(kill).toHaveBeenCalledWith(0, 'SIGTSTP'));
    await vi.waitFor(() => expect(console.screen.alternate).toBe(false));
    expect(console.keyboard.raw).toBe(false);
    process.emit('SIGCONT');
    await console.screen.settled();
    expect(console.screen.alternate).toBe(true);
    expect(console.keyboard.raw).toBe(true);
    expect(console.screen.text).toBe(before);
  });

  test('the screen returns if the program cannot be suspended', async () => {
    vi.spyOn(process, 'kill').mockImplementation(() => true);
    const console = await openConsole();
    await console.press('\u001a');
    await vi.waitFor(() => expect(console.keyboard.raw).toBe(true));
    expect(console.screen.alternate).toBe(true);
  });

  test('the screen is drawn again after another process has suspended the program', async () => {
    const console = await openConsole();
    const before = console.screen.text;
    console.screen.write('\u001b[?1049l\u001b[2J');
    process.emit('SIGCONT');
    await console.screen.settled();
    expect(console.screen.alternate).toBe(true);
    expect(console.screen.text).toBe(before);
  });
});

describe('an exception', () => {
  test('while drawing closes the console and restores the terminal', async () => {
    const console = await openConsole();
    vi.spyOn(Painter.prototype, 'cell').mockImplementation(() => {
      throw new Error('cannot draw this');
    });
    vi.spyOn(globalThis.console, 'error').mockImplementation(() => undefined);
    run.say('critic', 'x');
    await expect(console.console.closed).rejects.toThrow('cannot draw this');
    expectRestored(console);
  });

  test('in a key handler, if it is a plain Error, closes the console and restores the terminal', async () => {
    const console = await openConsole({ exportReport: () => throwError('no disk') });
    console.keyboard.write('e');
    await console.screen.settled();
    console.keyboard.write('m');
    await expect(console.console.closed).rejects.toThrow('no disk');
    expectRestored(console);
  });

  test('in a key handler, if it is a UsageError, is shown as a message, and the console stays open', async () => {
    const console = await openConsole({
      retrySeat: () => {
        throw new UsageError('nothing to ask', 'Fork the run.');
      },
    });
    run.stop('advocate').end('stopped');
    await console.press('R');
    expect(console.screen.text).toContain('nothing to ask. Fork the run.');
    await console.press('?');
    expect(console.screen.text).toContain('Ask this seat again');
  });

  test('while handling a fact closes the console, and is not thrown into the run that published the fact', async () => {
    const console = await openConsole();
    expect(() => run.tell('run.started', { ...run.facts[0], seats: null } as never)).not.toThrow();
    await expect(console.console.closed).rejects.toThrow();
    expectRestored(console);
  });

  test('that is passed to the method `fail` closes the console', async () => {
    const console = await openConsole();
    console.console.fail(new Error('the store is gone'));
    await expect(console.console.closed).rejects.toThrow('the store is gone');
    expectRestored(console);
  });
});

describe('acting on the run from the console', () => {
  test('the key S stops the focused seat, and R asks the seat again', async () => {
    const console = await openConsole();
    await console.press(KEYS.tab, 'S');
    run.say('critic', 'It is').stop('critic');
    await console.press('R');
    expect(console.done).toEqual(['stopSeat critic', 'retrySeat critic']);
    expect(console.screen.text).toContain('Asking Critic again.');
  });

  test('a message such as "Stopping Critic." disappears once the seat has stopped or the run has ended', async () => {
    const console = await openConsole();
    await console.press(KEYS.tab, 'S');
    expect(console.screen.text).toContain('Stopping Critic.');
    run.say('critic', 'It is').stop('critic');
    await console.screen.settled();
    expect(console.screen.text).not.toContain('Stopping Critic.');
    await console.press('r');
    expect(console.screen.text).toContain('make another synthesis when it finishes');
    for (const id of ['advocate', 'analyst']) run.say(id, 'Yes.').done(id);
    run.end('done');
    await console.screen.settled();
    expect(console.screen.text).not.toContain('when it finishes');
  });

  test('after the end of a run, c resumes it, r requests a synthesis, and s (stop) does nothing', async () => {
    for (const { id } of PANEL.slice(0, 2)) run.say(id, 'Yes.').done(id);
    run.stop('analyst').end('stopped');
    const console = await openConsole();
    await console.press('c', 'r', KEYS.enter, 's');
    expect(console.done).toEqual(['resume', 'resynthesize']);
  });

  test('the screen says that a synthesis is made of few answers', async () => {
    run.say('critic', 'Yes.').done('critic');
    for (const id of ['advocate', 'analyst']) run.fail(id, 'server', 'status 500');
    run.ask('synthesizer/1').send('synthesizer/1').say('synthesizer/1', 'So');
    const console = await openConsole();
    expect(console.screen.text).toContain(
      'The synthesizer is writing version 1. Only 1 of 3 seats answered.',
    );
    run
      .say('synthesizer/1', '.')
      .synthesize(1, { included: ['critic'] })
      .end('done');
    await console.screen.settled();
    await console.press('c');
    expect(console.screen.text).toContain('The run is finished. R asks a seat that failed again.');
  });

  test('after a failed seat was asked again, the screen says that the synthesis is without its answer', async () => {
    for (const { id } of PANEL.slice(0, 2)) run.say(id, 'Yes.').done(id);
    run.fail('analyst', 'server', 'status 500');
    run
      .ask('synthesizer/1')
      .say('synthesizer/1', 'So.')
      .synthesize(1, {
        included: ['advocate', 'critic'],
        excluded: [{ seat: 'analyst', reason: 'status 500' }],
      });
    run.end('done');
    const console = await openConsole();
    expect(console.screen.text).toContain(
      'Done: 2 of 3 seats answered; Tab to a failed seat, R asks it again.',
    );
    run.tell('run.resumed', { request: { kind: 'retry', seats: ['analyst'] } });
    run.ask('analyst').send('analyst').say('analyst', 'Yes.').done('analyst').end('done');
    await console.screen.settled();
    expect(console.screen.text).toContain(
      'Done: 3 of 3 seats answered; version 1 is without Analyst: r makes another.',
    );
  });

  test('if all seats failed and one was asked again, the screen says that there is no synthesis yet, until there is one', async () => {
    for (const { id } of PANEL) run.fail(id, 'server', 'status 500');
    run.end('failed', 'no advisor answered');
    const console = await openConsole();
    run.tell('run.resumed', { request: { kind: 'retry', seats: ['critic'] } });
    run.ask('critic').send('critic').say('critic', 'Yes.').done('critic').end('done');
    await console.screen.settled();
    expect(console.screen.text).toContain(
      'Done: 1 of 3 seats answered, no synthesis yet: r makes one, from one answer.',
    );
    run
      .ask('synthesizer/1')
      .send('synthesizer/1')
      .synthesize(1, { included: ['critic'] });
    await console.screen.settled();
    expect(console.screen.text).toContain(
      'Done: 1 of 3 seats answered; Tab to a failed seat, R asks it again.',
    );
  });

  test('the key e offers formats for an export, and the path of the exported file is shown', async () => {
    const console = await openConsole();
    await console.press('e');
    expect(console.screen.text).toContain('m Report');
    await console.press('c');
    expect(console.screen.text).toContain('Exported to /tmp/c.md');
  });

  test('keys that a person has configured work, and the screen names them', async () => {
    const console = await openConsole({ keys: { stop: 'h' } });
    expect(console.screen.text).toContain('h stop');
    await console.press('s');
    expect(console.done).toEqual([]);
    await console.press('h');
    expect(console.done).toEqual(['stop']);
  });

  test('keys that a person has configured for two commands at once are refused before anything is drawn', () => {
    expect(() => openRunConsole(run, { keys: { stop: 'q' } })).toThrow(UsageError);
  });

  test('pasted text is never interpreted as commands', async () => {
    const console = await openConsole();
    await console.press('\u001b[200~sq y\u001b[201~');
    expect(console.done).toEqual([]);
    expect(console.screen.text).toContain('Pasted text is ignored here; / opens a search.');
    await console.press('/', '\u001b[200~two\nwords\u001b[201~');
    expect(console.screen.text).toContain(' /two words');
  });
});

describe('the screen of a run', () => {
  test('keeps a growing text in place when the person has scrolled up', async () => {
    const console = await openConsole({ columns: 80, rows: 24 });
    run.say('advocate', makeProse(1, 900));
    await console.screen.settled();
    const readTopRow = () => console.screen.lines[5]?.slice(0, 38);
    await console.press('k');
    const held = readTopRow();
    const hint = /held · (\d+) below/;
    const before = Number(hint.exec(console.screen.text)?.[1]);
    run.say('advocate', makeProse(2, 200));
    await console.screen.settled();
    expect(readTopRow()).toBe(held);
    expect(Number(hint.exec(console.screen.text)?.[1])).toBeGreaterThan(before + 20);
    await console.press('G');
    expect(console.screen.text).not.toMatch(hint);
    expect(readTopRow()).not.toBe(held);
  });

  test('handles several keys one by one if they arrive in one chunk of input', async () => {
    const console = await openConsole({ columns: 80, rows: 24 });
    run.say('advocate', makeProse(1, 900));
    await console.screen.settled();
    await console.press('g');
    const cutColumn = (line = ''): string => line.slice(0, 38).trimEnd();
    const lines = console.screen.lines.slice(5, 21).map(cutColumn);
    await console.press('jjj');
    expect(cutColumn(console.screen.lines[5])).toBe(lines[3]);
    await console.press('kkk\u0004\u0015');
    expect(cutColumn(console.screen.lines[5])).toBe(lines[0]);
  });

  test('scrolls all columns together after the key = is pressed', async () => {
    const console = await openConsole();
    for (const { id } of PANEL) run.say(id, makeProse(3, 900));
    await console.screen.settled();
    await console.press('g', '=', KEYS.pageUp);
    await console.press('g', 'jj');
    const row = console.screen.lines[4]?.trim().split(/ {3,}/);
    expect(row).toHaveLength(3);
    expect(new Set(row).size).toBe(1);
  });

  test('shows the end of a growing synthesis, and the beginning of a complete one', async () => {
    const console = await openConsole({ columns: 80, rows: 24 });
    for (const { id } of PANEL) run.say(id, 'Yes.').done(id);
    run.ask('synthesizer/1').send('synthesizer/1').say('synthesizer/1', 'BEGINNING ');
    await console.screen.settled();
    run.say('synthesizer/1', `${makeProse(1, 300)} END`);
    await console.screen.settled();
    expect(console.screen.text).toContain(' END');
    run.synthesize(1);
    await console.screen.settled();
    expect(console.screen.text).toContain('BEGINNING');
    await console.press('G');
    expect(console.screen.text).toContain(' END');
  });

  test('shows the number and the name of the open tab, and a number key opens another tab', async () => {
    run = new FakeRun().open('Why?', PANEL, 'rounds').ask('advocate');
    const console = await openConsole({ columns: 80, rows: 24 });
    expect(console.screen.lines[1]).toContain('[2 Rounds]');
    expect(console.screen.lines.at(-1)).toContain('q quit');
    await console.press('1');
    expect(console.screen.lines[1]).toContain('[1 Columns]');
    expect(console.screen.text).toContain('Advocate  qwen3:8b');
    await console.press('9', '2');
    expect(console.screen.text).toContain('No rounds yet.');
  });

  test('shows a message if the person presses a number that belongs to no tab', async () => {
    const console = await openConsole({ columns: 80, rows: 24 });
    await console.press('4');
    expect(console.screen.text).toContain('There is no tab 4.');
    expect(console.screen.lines[1]).toContain('[1 Columns]');
  });

  test('shows the beginning of every text when a finished run is opened', async () => {
    for (const { id } of PANEL) run.say(id, `FIRST ${makeProse(3, 900)}`).done(id);
    run.end('done');
    const console = await openConsole();
    expect(console.screen.text.match(/FIRST/g)).toHaveLength(3);
  });
});

function throwError(message: string): never {
  throw new Error(message);
}
