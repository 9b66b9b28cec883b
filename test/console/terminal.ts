/**
 * A terminal for tests. What the console writes goes through a real terminal emulator, so that a test sees
 * both the screen that a person would see and every byte that was written.
 */

import { PassThrough, Writable } from 'node:stream';
import xterm from '@xterm/headless';
import type { Playback } from '../../src/console/replay/playback.ts';
import type { Actions, SystemAccess } from '../../src/console/run/ports.ts';
import { type OpenConsole, openConsole } from '../../src/console/run/start.ts';
import type { Screen } from '../../src/console/terminal/screen.ts';
import type { ModelOffer } from '../../src/console/ui/forms/models.ts';
import { withoutUndefined } from '../../src/text/without-undefined.ts';
import type { FakeRun } from './fake-run.ts';
import { viewOfRun } from './views.ts';

// Tests open many consoles side by side, and each listens for the end of the process.
process.setMaxListeners(64);

/** The bytes that a terminal sends for keys. */
export const KEYS = {
  escape: '\u001b',
  enter: '\r',
  tab: '\t',
  shiftTab: '\u001b[Z',
  up: '\u001b[A',
  down: '\u001b[B',
  right: '\u001b[C',
  left: '\u001b[D',
  pageUp: '\u001b[5~',
  ctrlC: '\u0003',
  ctrlD: '\u0004',
} as const;

/**
 * How many turns of the event loop without a write make the screen count as settled, and the length of a
 * turn. Together they last longer than the slowest frame. Turns are counted, since on a busy machine time can
 * pass in which none of this process's timers runs.
 */
const QUIET_TURNS = 16;
const TURN_MS = 15;

/**
 * Waits until Ink has surely handled a chunk of typed bytes. Ink itself waits after a lone ESC before it treats
 * the byte as the Esc key, and this function waits longer. It waits for four turns of the event loop of 15 ms
 * each, since on a busy machine a single wait of 60 ms can end before Ink has read the chunk.
 */
export async function waitForKey(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1)
    await new Promise((resolve) => setTimeout(resolve, TURN_MS));
}

/** A screen for the console that shows what was written, as a terminal emulator draws it. */
export class TestScreen extends Writable implements Screen {
  /** Makes Ink use the alternate screen. */
  readonly isTTY = true;
  /** The width in cells. */
  columns: number;
  /** The height in rows. */
  rows: number;
  /** Everything that was written, with all control sequences. */
  raw = '';
  /** The number of bytes that the terminal has not taken; always 0 here, so that no frame is skipped. */
  pending = 0;
  /** How many milliseconds the terminal takes for every write. */
  slowness = 0;
  readonly #terminal: xterm.Terminal;
  #writes = 0;

  constructor(columns: number, rows: number) {
    super({ decodeStrings: false });
    this.columns = columns;
    this.rows = rows;
    // Let a line feed also move the cursor to the start of the row, as a real terminal does even in Node's raw mode.
    this.#terminal = new xterm.Terminal({
      cols: columns,
      rows,
      allowProposedApi: true,
      convertEol: true,
    });
  }

  /** Writes a text like any other, since nothing is ever pending. */
  writeNow(text: string): void {
    this.write(text);
  }

  override _write(chunk: string | Buffer, _encoding: string, done: () => void): void {
    const text = chunk.toString();
    if (text !== '') this.#writes += 1;
    this.raw += text;
    this.#terminal.write(text, () => {
      if (this.slowness === 0) done();
      else setTimeout(done, this.slowness);
    });
  }

  /** Changes the size, and leaves some old text on the screen as the worst terminals do. */
  resize(columns: number, rows: number): void {
    this.columns = columns;
    this.rows = rows;
    this.#terminal.resize(columns, rows);
    // Each terminal treats the old picture differently when its size changes. Do the worst here: leave some old
    // text on the screen.
    this.#terminal.write('\u001b7\u001b[2J\u001b[3;1Hof the old picture\u001b8');
    this.emit('resize');
  }

  /** Waits until the console has written nothing in 16 turns of the event loop, about a quarter of a second. */
  async settled(): Promise<void> {
    let quiet = 0;
    let seen = this.#writes;
    while (quiet < QUIET_TURNS) {
      await new Promise((resolve) => setTimeout(resolve, TURN_MS));
      quiet = this.#writes === seen ? quiet + 1 : 0;
      seen = this.#writes;
    }
  }

  /** The text on the screen, without spaces at the ends of rows. */
  get text(): string {
    const { active } = this.#terminal.buffer;
    return Array.from(
      { length: this.rows },
      // Cut the lines here: after the terminal was made narrower, they still have cells beyond the
      // last column.
      (_, row) =>
        (
          active.getLine(active.viewportY + row)?.translateToString(false, 0, this.columns) ?? ''
        ).trimEnd(),
    ).join('\n');
  }

  /** The rows of the screen from top to bottom, without spaces at their ends. */
  get lines(): string[] {
    return this.text.split('\n');
  }

  /** The rows that continue the row above, since that row was wider than the terminal. */
  get broken(): string[] {
    const { active } = this.#terminal.buffer;
    return this.lines.filter((_, row) => active.getLine(active.viewportY + row)?.isWrapped);
  }

  /** Whether the terminal shows its alternate screen. */
  get alternate(): boolean {
    return this.#terminal.buffer.active.type === 'alternate';
  }
}

/** Standard input of a terminal, into which a test types. */
export class TestKeyboard extends PassThrough {
  /** Tells Ink that single keys can be read. */
  readonly isTTY = true;
  /** Whether the console has switched on raw mode. */
  raw = false;

  /** Notes in `raw` whether the console wants raw mode. */
  setRawMode(raw: boolean): this {
    this.raw = raw;
    return this;
  }

  /** Does nothing; Ink calls this function. */
  ref(): this {
    return this;
  }

  /** Does nothing; Ink calls this function. */
  unref(): this {
    return this;
  }

  /**
   * Waits until Ink listens for keys, but no longer than 2,000 turns of the event loop. Keys that are typed
   * earlier would reach Ink as one chunk.
   */
  async waitForReader(): Promise<void> {
    for (let turn = 0; this.listenerCount('readable') === 0 && turn < 2000; turn += 1)
      await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** An open console with the means to read its screen and to type. */
export interface OpenedConsole {
  /** The screen on which the console draws. */
  readonly screen: TestScreen;
  /** The keyboard from which the console reads keys. */
  readonly keyboard: TestKeyboard;
  /** The open console as the program uses it: to close it and to wait for its end. */
  readonly console: OpenConsole;
  /** The actions that the console asked for, in order, such as `stop` or `retrySeat critic`. */
  readonly done: string[];
  /** Types each argument as a chunk of its own, and waits until the screen is settled. */
  press(...chunks: string[]): Promise<void>;
}

/** The terminal, the rights and the surroundings of a console that a test opens. */
export interface ConsoleOptions {
  /** The width of the terminal; 120 if absent. */
  readonly columns?: number;
  /** The height of the terminal; 40 if absent. */
  readonly rows?: number;
  /** Whether the person may act on the run; true if absent. */
  readonly acting?: boolean;
  /** Whether another process works on the run; false if absent. */
  readonly elsewhere?: boolean;
  /** The environment variables; a terminal with all colours if absent. */
  readonly env?: Record<string, string>;
  /** Keys that a person has bound to commands, by command. */
  readonly keys?: Record<string, string>;
  /** Lists the models that a seat can be given; without this function the console offers none. */
  readonly models?: () => Promise<readonly ModelOffer[]>;
  /**
   * Writes an export and returns its path; if absent, a path below `/tmp` is returned and nothing written.
   */
  readonly exportReport?: () => Promise<string>;
  /** Called when a seat is retried; if absent, the retry is noted in `done`. */
  readonly retrySeat?: () => void;
  /** Functions in place of those that would copy a text, save a file or keep a draft. */
  readonly outside?: Partial<SystemAccess>;
  /** The replay that the console shows; absent for a run that is not replayed. */
  readonly playback?: Playback;
}

/**
 * Opens the console on a run. What the person does to the run is only noted in `done`, unless `opening` has a
 * function for it. The caller closes the console.
 */
export function openRunConsole(run: FakeRun, opening: ConsoleOptions = {}): OpenedConsole {
  const { columns = 120, rows = 40, acting = true, elsewhere = false, keys = {} } = opening;
  const screen = new TestScreen(columns, rows);
  const keyboard = new TestKeyboard();
  const done: string[] = [];
  const drafts = new Map<string, string>();
  const actions: Actions = {
    stop: () => void done.push('stop'),
    stopSeat: (seat) => void done.push(`stopSeat ${seat}`),
    retrySeat:
      opening.retrySeat ??
      ((seat, model) => void done.push(['retrySeat', seat, model ?? ''].join(' ').trim())),
    resynthesize: (wanted) => {
      const how = Object.keys(wanted).length === 0 ? '' : ` ${JSON.stringify(wanted)}`;
      done.push(`resynthesize${how}`);
    },
    ablate: (version) => void done.push(`ablate ${version}`),
    followUp: (question) => void done.push(`followUp ${question}`),
    resume: () => void done.push('resume'),
    answer: (step, value) => void done.push(`answer ${step} ${value}`),
    tell: (control) => void done.push(`tell ${JSON.stringify(control)}`),
    noteIteration: (text) => void done.push(`noteIteration ${text}`),
    decide: async (wish) => void done.push(`decide ${JSON.stringify(wish)}`),
    pause: () => done.push('pause') > 0,
    ...withoutUndefined({ models: opening.models }),
    exports: ['m', 'c'].map((key) => ({
      key,
      label: key === 'm' ? 'Report' : 'Claims',
      about: 'to send',
      write: opening.exportReport ?? (() => Promise.resolve(`/tmp/${key}.md`)),
    })),
  };
  const opened = openConsole({
    view: viewOfRun(run.facts),
    subject: {
      facts: [...run.facts],
      feed: run.bus,
      elsewhere,
      ...(acting ? { actions } : {}),
      ...withoutUndefined({ playback: opening.playback }),
    },
    outside: {
      copy: () => Promise.resolve(undefined),
      save: (name) => Promise.resolve(`/tmp/${name}.md`),
      draft: (box) => drafts.get(box) ?? '',
      keepDraft: (box, text) => void drafts.set(box, text),
      ...opening.outside,
    },
    screen,
    stdin: keyboard as unknown as NodeJS.ReadStream,
    env: opening.env ?? { TERM: 'xterm-256color', COLORTERM: 'truecolor' },
    keys,
    now: run.now,
  });
  return {
    screen,
    keyboard,
    console: opened,
    done,
    press: async (...chunks) => {
      await keyboard.waitForReader();
      for (const chunk of chunks) {
        keyboard.write(chunk);
        await waitForKey();
      }
      await screen.settled();
    },
  };
}
