/**
 * Draws on the terminal's alternate screen before Ink is loaded. Loading Ink and React takes longer than
 * everything else a first frame needs, so that frame is written here, with the functions that Ink draws with
 * later; Ink then takes over without a blank screen in between. The handler that restores the terminal is
 * installed before the first byte is written.
 * The keyboard is not read here: keys wait in the terminal until Ink reads them.
 */
import type { Screen } from './screen.ts';

/** Ends the frame, bracketed paste and the alternate screen, and shows the cursor. */
const RESTORE = '\u001b[?2026l\u001b[?2004l\u001b[?25h\u001b[?1049l';
/** The same sequences that Ink writes. */
const ENTER = '\u001b[?1049h';
const LEAVE = '\u001b[?1049l';
/** Hides the cursor and turns on bracketed paste, so that pasted text does not arrive as keys. */
const PREPARE = '\u001b[?25l\u001b[?2004h';
const HOME = '\u001b[H';
const ERASE_ROW = '\u001b[2K';
const ERASE_BELOW = '\u001b[J';
/** Synchronized output: terminals that support it show a frame only when it is complete. */
const FRAME = { begin: '\u001b[?2026h', end: '\u001b[?2026l' } as const;

/** The open alternate screens, by terminal. */
const UP = new WeakMap<Screen, AlternateScreen>();

/**
 * The alternate screen of a terminal, which keeps the normal screen and its scrollback untouched.
 */
export class AlternateScreen {
  readonly #screen: Screen;
  readonly #stdin: NodeJS.ReadStream;
  #rows: () => readonly string[] = () => [];
  #taken: (() => void) | undefined;
  #entered = false;

  private constructor(screen: Screen, stdin: NodeJS.ReadStream) {
    this.#screen = screen;
    this.#stdin = stdin;
    process.on('exit', this.#lastWords);
    screen.on('resize', this.#draw);
    stdin.setRawMode(true);
    UP.set(screen, this);
  }

  /** Returns the alternate screen of a terminal, and opens it if needed. */
  static on(screen: Screen, stdin: NodeJS.ReadStream): AlternateScreen {
    return UP.get(screen) ?? new AlternateScreen(screen, stdin);
  }

  /**
   * Draws rows now and again whenever the size changes.
   * @param taken called once when another part of the program begins to draw, or the screen is left
   */
  show(rows: () => readonly string[], taken?: () => void): void {
    const before = this.#taken;
    this.#taken = taken;
    before?.();
    this.#rows = rows;
    this.#draw();
  }

  /** Writes a text to the normal screen, where it is visible after the program ends. */
  beneath(text: string): void {
    this.#screen.write(FRAME.begin + LEAVE + text + ENTER);
    this.#draw();
  }

  /**
   * Returns the stream on which the library Ink draws. The present frame stays until Ink draws over
   * it. Ink then restores the terminal; this class does so only if the process ends suddenly.
   */
  handOver(): Screen {
    this.#draw();
    this.#release();
    const screen = this.#screen;
    let first = true;
    const write = (text: string, ...more: []): boolean => {
      const entering = first && text === ENTER;
      if (entering) first = false;
      return screen.write(entering ? HOME : text, ...more);
    };
    return new Proxy(screen, {
      get: (_, name) => {
        if (name === 'write') return write;
        const value: unknown = Reflect.get(screen, name, screen);
        return typeof value === 'function' ? value.bind(screen) : value;
      },
    });
  }

  /** Restores the terminal. Must not be called after `handOver`: then Ink restores it. */
  leave(): void {
    this.#release();
    this.forget();
    this.#stdin.setRawMode(false);
    this.#screen.write(RESTORE);
  }

  /** Must be called when Ink has restored the terminal, so that this class no longer does. */
  forget(): void {
    process.off('exit', this.#lastWords);
    UP.delete(this.#screen);
  }

  #release(): void {
    this.#screen.off('resize', this.#draw);
    const taken = this.#taken;
    this.#taken = undefined;
    taken?.();
  }

  readonly #draw = (): void => {
    const { rows: height } = this.#screen;
    const rows = this.#rows().slice(0, height);
    const enter = this.#entered ? '' : ENTER + PREPARE;
    this.#entered = true;
    const below = rows.length < height ? `\n${ERASE_BELOW}` : '';
    const drawn = rows.map((row) => ERASE_ROW + row).join('\n');
    this.#screen.write(FRAME.begin + enter + HOME + drawn + below + FRAME.end);
  };

  /** A process that exits at once loses pending output, Ink's own restoring sequences included. */
  readonly #lastWords = (): void => this.#screen.writeNow(RESTORE);
}
