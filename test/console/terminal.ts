/**
 * A terminal for tests: what the console writes goes through a real terminal emulator, so that a test
 * sees the screen a person would see, and every raw byte besides.
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
 * Turns of the event loop without a write before the screen counts as settled, and their length: more
 * than the slowest frame. Turns and not the time alone, because a busy machine lets time pass in which
 * no timer of ours could run.
 */
const QUIET_TURNS = 16;
const TURN_MS = 15;

/**
 * Longer than Ink waits before it takes a lone ESC for the Esc key. In turns: on a busy machine a key may
 * be read only when one long wait is over.
 */
export async function waitForKey(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1)
    await new Promise((resolve) => setTimeout(resolve, TURN_MS));
}

export class TestScreen extends Writable implements Screen {
  readonly isTTY = true;
  columns: number;
  rows: number;
  /** Everything that was written, as it was written. */
  raw = '';
  pending = 0;
  /** How long the terminal takes over every write. */
  slowness = 0;
  readonly #terminal: xterm.Terminal;
  #writes = 0;

  constructor(columns: number, rows: number) {
    super({ decodeStrings: false });
    this.columns = columns;
    this.rows = rows;
    // Let a line feed also return the carriage, as Node's raw mode leaves it in the terminal's
    // driver.
    this.#terminal = new xterm.Terminal({
      cols: columns,
      rows,
      allowProposedApi: true,
      convertEol: true,
    });
  }

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

  resize(columns: number, rows: number): void {
    this.columns = columns;
    this.rows = rows;
    this.#terminal.resize(columns, rows);
    // Each terminal treats the old picture differently when its size changes. Do the worst here: leave some old
    // text on the screen.
    this.#terminal.write('\u001b7\u001b[2J\u001b[3;1Hof the old picture\u001b8');
    this.emit('resize');
  }

  async settled(): Promise<void> {
    let quiet = 0;
    let seen = this.#writes;
    while (quiet < QUIET_TURNS) {
      await new Promise((resolve) => setTimeout(resolve, TURN_MS));
      quiet = this.#writes === seen ? quiet + 1 : 0;
      seen = this.#writes;
    }
  }

  /** What is on the screen, blanks at the ends of lines left out. */
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

  get lines(): string[] {
    return this.text.split('\n');
  }

  /** Rows that the terminal had to break, since they were wider than it is. */
  get broken(): string[] {
    const { active } = this.#terminal.buffer;
    return this.lines.filter((_, row) => active.getLine(active.viewportY + row)?.isWrapped);
  }

  get alternate(): boolean {
    return this.#terminal.buffer.active.type === 'alternate';
  }
}

/** Standard input of a terminal, into which a test types. */
export class TestKeyboard extends PassThrough {
  readonly isTTY = true;
  raw = false;

  setRawMode(raw: boolean): this {
    this.raw = raw;
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  /** Keys that come earlier wait for Ink together, and would be one chunk. */
  async waitForReader(): Promise<void> {
    for (let turn = 0; this.listenerCount('readable') === 0 && turn < 2000; turn += 1)
      await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

export interface OpenedConsole {
  readonly screen: TestScreen;
  readonly keyboard: TestKeyboard;
  readonly console: OpenConsole;
  /** What the person did to the run, in order: `stop`, `retrySeat critic`. */
  readonly done: string[];
  /** Types, and waits for the screen. Every argument is a chunk of its own. */
  press(...chunks: string[]): Promise<void>;
}

export interface ConsoleOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly acting?: boolean;
  readonly elsewhere?: boolean;
  readonly env?: Record<string, string>;
  readonly keys?: Record<string, string>;
  readonly models?: () => Promise<readonly ModelOffer[]>;
  readonly exportReport?: () => Promise<string>;
  /** In place of noting it down. */
  readonly retrySeat?: () => void;
  readonly outside?: Partial<SystemAccess>;
  readonly playback?: Playback;
}

/** The console on a run, with an owner's actions that are only noted down. */
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
