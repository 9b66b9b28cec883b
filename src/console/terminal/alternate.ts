/**
 * The alternate screen before Ink has it. Ink and React take longer to load than all else that is
 * needed for a frame, so the first one is written here, by the functions that Ink will draw with; Ink
 * then stands on it without a blank between. What puts the terminal back is set before the first byte.
 *
 * Nobody reads the keyboard here: keys wait in the terminal until Ink reads them.
 */
import type { Screen } from './screen.ts';

/** The end of a frame, of bracketed paste and of the alternate screen, with the cursor to be seen. */
const RESTORE = '\u001b[?2026l\u001b[?2004l\u001b[?25h\u001b[?1049l';
/** As Ink writes them. */
const ENTER = '\u001b[?1049h';
const LEAVE = '\u001b[?1049l';
/** Text that is pasted this early must not come as keys either. */
const PREPARE = '\u001b[?25l\u001b[?2004h';
const HOME = '\u001b[H';
const ERASE_ROW = '\u001b[2K';
const ERASE_BELOW = '\u001b[J';
/** Terminals that know it show a frame only when all of it is there. */
const FRAME = { begin: '\u001b[?2026h', end: '\u001b[?2026l' } as const;

/** Terminals that show one already. */
const UP = new WeakMap<Screen, AlternateScreen>();

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

  /** The one that stands there, or a new one. */
  static on(screen: Screen, stdin: NodeJS.ReadStream): AlternateScreen {
    return UP.get(screen) ?? new AlternateScreen(screen, stdin);
  }

  /** Draws it now, and again at every other size. `taken`: called once when somebody else draws, or it is left. */
  show(rows: () => readonly string[], taken?: () => void): void {
    const before = this.#taken;
    this.#taken = taken;
    before?.();
    this.#rows = rows;
    this.#draw();
  }

  /** Shows the normal screen for as long as it takes to write there. */
  beneath(text: string): void {
    this.#screen.write(FRAME.begin + LEAVE + text + ENTER);
    this.#draw();
  }

  /**
   * What Ink is to write to: the frame stays, and Ink draws from its corner. From here on the screen is
   * Ink's; only the last words of a process that goes down are still ours, until `forget`.
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

  /** Puts the terminal back, where nothing came of it. */
  leave(): void {
    this.#release();
    this.forget();
    this.#stdin.setRawMode(false);
    this.#screen.write(RESTORE);
  }

  /** Whoever has taken the screen over has put it back. */
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

  /** A process that ends at once writes nothing more that waits, Ink's own farewell included. */
  readonly #lastWords = (): void => this.#screen.writeNow(RESTORE);
}
