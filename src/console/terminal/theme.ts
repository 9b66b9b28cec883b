/**
 * The one place that knows colours. Rows are strings that carry their own SGR codes: Ink passes them
 * through, and a row composed once costs nothing when it is drawn again.
 *
 * Where colour is off, attributes (bold, dim, inverse) stay: they are no colours, and no meaning hangs
 * on them alone either.
 */

/** Variables by name, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Bits of colour: none, the 16 of ANSI, the 256 of xterm, or all. */
export type Depth = 0 | 4 | 8 | 24;

/** How many colours the terminal can show, by its environment, as chalk (inside Ink) judges it. */
export function colourDepth(env: Environment): Depth {
  const forced = forcedLevel(env.FORCE_COLOR);
  if (forced !== undefined) return LEVELS[forced];
  if (env.NO_COLOR) return 0;
  const term = env.TERM ?? '';
  if (term === 'dumb') return 0;
  if (env.COLORTERM === 'truecolor' || env.COLORTERM === '24bit') return 24;
  if (/-(256(color)?|direct)$/i.test(term)) return 8;
  return 4;
}

/** By chalk's levels. */
const LEVELS = [0, 4, 8, 24] as const;

/** The level that FORCE_COLOR names; undefined where it names none, and nothing is forced. */
function forcedLevel(value: string | undefined): 0 | 1 | 2 | 3 | undefined {
  if (value === 'false') return 0;
  if (value === 'true' || value === '') return 1;
  if (value === undefined || !/^\d+$/.test(value)) return undefined;
  return Math.min(Number(value), 3) as 0 | 1 | 2 | 3;
}

export type Tone = 'red' | 'green' | 'yellow' | 'cyan';
const TONES: Readonly<Record<Tone, number>> = { red: 31, green: 32, yellow: 33, cyan: 36 };

/** Header colours for seats that name none: told apart by hue, dark enough for white text. */
const SEAT_COLOURS = [
  '#2f5d9b',
  '#9b3d3d',
  '#3f7d4e',
  '#7a4f9b',
  '#8a6420',
  '#20767d',
  '#94457a',
  '#55606e',
] as const;

const ESC = '\u001b[';

export class Theme {
  readonly depth: Depth;

  constructor(depth: Depth) {
    this.depth = depth;
  }

  bold(text: string): string {
    return wrap('1', text, '22');
  }

  dim(text: string): string {
    return wrap('2', text, '22');
  }

  italic(text: string): string {
    return wrap('3', text, '23');
  }

  underline(text: string): string {
    return wrap('4', text, '24');
  }

  strike(text: string): string {
    return wrap('9', text, '29');
  }

  inverse(text: string): string {
    return wrap('7', text, '27');
  }

  tone(tone: Tone, text: string): string {
    return this.depth === 0 ? text : wrap(String(TONES[tone]), text, '39');
  }

  /** A seat's header bar; without colours an inverse one. */
  bar(colour: string | undefined, index: number, text: string): string {
    if (this.depth === 0) return this.inverse(text);
    const rgb = rgbOf(colour) ?? rgbOf(SEAT_COLOURS[index % SEAT_COLOURS.length]) ?? [64, 64, 64];
    const light = 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2] > 140;
    return wrap(background(rgb, this.depth), wrap(light ? '30' : '97', text, '39'), '49');
  }
}

function wrap(open: string, text: string, close: string): string {
  return text === '' ? '' : `${ESC}${open}m${text}${ESC}${close}m`;
}

type Rgb = readonly [number, number, number];

function rgbOf(colour: string | undefined): Rgb | undefined {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(colour ?? '');
  if (match === null) return undefined;
  const [red = 0, green = 0, blue = 0] = match.slice(1).map((part) => Number.parseInt(part, 16));
  return [red, green, blue];
}

function background([red, green, blue]: Rgb, depth: Depth): string {
  if (depth === 24) return `48;2;${red};${green};${blue}`;
  if (depth === 8) {
    const step = (part: number): number => Math.round((part / 255) * 5);
    return `48;5;${16 + 36 * step(red) + 6 * step(green) + step(blue)}`;
  }
  // Of the 16, the one whose primaries stand out in this colour.
  const half = Math.max(red, green, blue) * 0.7;
  const bits = (red >= half ? 1 : 0) + (green >= half ? 2 : 0) + (blue >= half ? 4 : 0);
  return String(40 + bits);
}
