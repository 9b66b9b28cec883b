/**
 * The only place that knows colors. Rows are strings with SGR codes, which Ink passes through unchanged, so a
 * composed row can be drawn again at no cost.
 * Without colors, attributes (bold, dim, inverse) remain; no meaning depends on a color or attribute alone.
 */

import type { CodeKind } from './syntax/kinds.ts';

/** Environment variables, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The color depth in bits: none, the 16 colors of ANSI, the 256 of xterm, or true color. */
type Depth = 0 | 4 | 8 | 24;

/**
 * Determines how many bits of color the terminal shows: from FORCE_COLOR, with the levels of the library
 * chalk, or else from NO_COLOR, TERM and COLORTERM. 0 means no colors.
 */
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

/**
 * Returns whether heavy and light lines can be distinguished: not on a virtual console, and not without UTF-8.
 */
function drawsLines({ TERM = '', LC_ALL, LC_CTYPE, LANG }: Environment): boolean {
  if (TERM === 'linux' || TERM === 'dumb') return false;
  const locale =
    [LC_ALL, LC_CTYPE, LANG].find((value) => value !== undefined && value !== '') ?? '';
  // A locale that names no charset says nothing about the terminal, so assume UTF-8.
  return !locale.includes('.') || /\.utf-?8/i.test(locale);
}

/** Color depths by chalk's levels. */
const LEVELS = [0, 4, 8, 24] as const;

/** Returns the level that FORCE_COLOR sets; undefined if it sets none. */
function forcedLevel(value: string | undefined): 0 | 1 | 2 | 3 | undefined {
  if (value === 'false') return 0;
  if (value === 'true' || value === '') return 1;
  if (value === undefined || !/^\d+$/.test(value)) return undefined;
  return Math.min(Number(value), 3) as 0 | 1 | 2 | 3;
}

/** A color of the terminal's palette. */
export type Tone = 'red' | 'green' | 'yellow' | 'cyan';
const TONES: Readonly<Record<Tone, number>> = { red: 31, green: 32, yellow: 33, cyan: 36 };

/** Colors of seats that name none, distinguished by hue. */
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

/**
 * Whether the terminal's background is dark or light. `unknown` for most terminals, which do not
 * tell.
 */
export type Background = 'dark' | 'light' | 'unknown';

/**
 * The range of relative luminances that gives a contrast of 4.5 : 1, and the luminance that colors are adjusted
 * to.
 */
interface Band {
  readonly least: number;
  readonly most: number;
  readonly aim: number;
}

/**
 * No color has a contrast of 4.5 : 1 on #000000, #1e1e1e, #ffffff and #fdf6e3 at the same time: light colors
 * have it on the dark two, dark ones on the light two. For an unknown background, colors are chosen for black
 * and white.
 */
const BANDS: Readonly<Record<Background, Band>> = {
  dark: { least: 0.2335, most: 0.32, aim: 0.25 },
  light: { least: 0.1, most: 0.1663, aim: 0.155 },
  unknown: { least: 0.175, most: 0.1833, aim: 0.179 },
};

/**
 * Determines whether the terminal's background is dark or light, from the variable COLORFGBG
 * (`15;0`), which some terminals set.
 */
export function groundOf({ COLORFGBG = '' }: Environment): Background {
  const number = /(?:^|;)(\d{1,2})$/.exec(COLORFGBG)?.[1];
  if (number === undefined || Number(number) > 15) return 'unknown';
  return Number(number) < 7 || number === '8' ? 'dark' : 'light';
}

/**
 * The usable ones of the 16 ANSI colors, whose shades the terminal defines; yellow and white are not visible on
 * white.
 */
const HUES_OF_16: readonly (readonly [number, Rgb])[] = [
  [31, [205, 0, 0]],
  [32, [0, 205, 0]],
  [34, [0, 0, 238]],
  [35, [205, 0, 205]],
  [36, [0, 205, 205]],
];

/** The colors of code: an RGB value, and one of the 16 ANSI colors. Comments have no ANSI color and are dim. */
const CODE_COLORS: Readonly<Record<CodeKind, { readonly rgb: Rgb; readonly of16?: number }>> = {
  comment: { rgb: [118, 118, 118] },
  string: { rgb: [0, 135, 85], of16: 32 },
  keyword: { rgb: [138, 70, 160], of16: 35 },
  number: { rgb: [150, 88, 30], of16: 31 },
  // The blue of 16 colors is hard to see on black, so identifiers in program code are cyan.
  name: { rgb: [47, 93, 175], of16: 36 },
};

const ESC = '\u001b[';

/** Adds attributes to texts, and colors as far as the terminal shows them. */
export class Theme {
  /** How many bits of color the terminal shows; 0: no colors. */
  readonly depth: Depth;
  readonly #ascii: boolean;
  readonly #ground: Background;

  /**
   * Creates a theme.
   *
   * @param options `ascii`: whether the terminal cannot draw lines; `ground`: the terminal's background
   */
  constructor(
    depth: Depth,
    { ascii = false, ground = 'unknown' }: { ascii?: boolean; ground?: Background } = {},
  ) {
    this.depth = depth;
    this.#ascii = ascii;
    this.#ground = ground;
  }

  /** Creates the theme for the terminal that the environment variables describe. */
  static of(env: Environment): Theme {
    return new Theme(colourDepth(env), { ascii: !drawsLines(env), ground: groundOf(env) });
  }

  bold(text: string): string {
    return wrapInEscapes('1', text, '22');
  }

  dim(text: string): string {
    return wrapInEscapes('2', text, '22');
  }

  italic(text: string): string {
    return wrapInEscapes('3', text, '23');
  }

  underline(text: string): string {
    return wrapInEscapes('4', text, '24');
  }

  strike(text: string): string {
    return wrapInEscapes('9', text, '29');
  }

  inverse(text: string): string {
    return wrapInEscapes('7', text, '27');
  }

  /** Colors a text. */
  tone(tone: Tone, text: string): string {
    return this.depth === 0 ? text : wrapInEscapes(String(TONES[tone]), text, '39');
  }

  /** Colors a piece of code by its kind; unchanged without colors. */
  code(kind: CodeKind, text: string): string {
    if (this.depth === 0) return text;
    const { rgb, of16 } = CODE_COLORS[kind];
    if (this.depth > 4)
      return wrapInEscapes(formatForeground(rgb, this.depth, this.#ground), text, '39');
    return of16 === undefined ? this.dim(text) : wrapInEscapes(String(of16), text, '39');
  }

  /**
   * Colors a seat's name or words in the seat's color.
   *
   * @param colour the seat's color, such as `#2f5d9b`
   * @param index the seat's number, which chooses the color if `colour` is absent or not of this form
   */
  role(colour: string | undefined, index: number, text: string): string {
    if (this.depth === 0) return text;
    const named = rgbOf(colour) ?? rgbOf(SEAT_COLOURS[index % SEAT_COLOURS.length]);
    if (named === undefined) return text;
    return wrapInEscapes(formatForeground(named, this.depth, this.#ground), text, '39');
  }

  /** Draws the rule under a heading: heavy with the focus, otherwise light and dim. */
  rule(cells: number, focus: boolean): string {
    const line = RULES[this.#ascii ? 'ascii' : 'drawn'][focus ? 'heavy' : 'light'];
    const drawn = line.repeat(Math.max(0, cells));
    return focus ? drawn : this.dim(drawn);
  }

  /** The name of Ink's border style for boxes. */
  get frame(): 'single' | 'classic' {
    return this.#ascii ? 'classic' : 'single';
  }
}

const RULES = {
  drawn: { heavy: '━', light: '─' },
  ascii: { heavy: '=', light: '-' },
} as const;

function wrapInEscapes(open: string, text: string, close: string): string {
  return text === '' ? '' : `${ESC}${open}m${text}${ESC}${close}m`;
}

/** A color as red, green and blue, each 0 to 255. */
export type Rgb = readonly [number, number, number];

function rgbOf(colour: string | undefined): Rgb | undefined {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(colour ?? '');
  if (match === null) return undefined;
  const [red = 0, green = 0, blue = 0] = match.slice(1).map((part) => Number.parseInt(part, 16));
  return [red, green, blue];
}

function formatForeground(rgb: Rgb, depth: Depth, ground: Background): string {
  if (depth === 24) return `38;2;${makeLegible(rgb, BANDS[ground]).join(';')}`;
  if (depth === 8) return `38;5;${nearestColor(rgb, legibleOf256(ground))}`;
  return String(nearestColor(rgb, HUES_OF_16));
}

/** Returns the color with the same hue and the luminance that the range asks for. */
function makeLegible(rgb: Rgb, { aim }: Band): Rgb {
  const light = rgb.map(toLinear);
  const has = computeLuminance(rgb);
  const darker = has > aim;
  const share = darker ? aim / has : (aim - has) / (1 - has);
  const [red = 0, green = 0, blue = 0] = light.map((part) =>
    toByte(darker ? part * share : part + (1 - part) * share),
  );
  return [red, green, blue];
}

const legible256 = new Map<Background, readonly (readonly [number, Rgb])[]>();

/** Returns the colors and greys of xterm's 256 that lie in the range. */
function legibleOf256(ground: Background): readonly (readonly [number, Rgb])[] {
  const { least, most } = BANDS[ground];
  const known =
    legible256.get(ground) ??
    Array.from({ length: 240 }, (_, index) => [index + 16, rgbOfXterm(index + 16)] as const).filter(
      ([, rgb]) => computeLuminance(rgb) >= least && computeLuminance(rgb) <= most,
    );
  legible256.set(ground, known);
  return known;
}

function rgbOfXterm(number: number): Rgb {
  const grey = 8 + 10 * (number - 232);
  if (grey > 0) return [grey, grey, grey];
  const getLevel = (at: number): number => (at % 6 === 0 ? 0 : 55 + 40 * (at % 6));
  return [
    getLevel(Math.floor((number - 16) / 36)),
    getLevel(Math.floor((number - 16) / 6)),
    getLevel(number - 16),
  ];
}

/** Returns the relative luminance of a color as WCAG 2 defines it, from 0 (black) to 1 (white). */
export function computeLuminance(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map(toLinear);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function toLinear(part: number): number {
  const share = part / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

function toByte(light: number): number {
  const share = light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055;
  return Math.round(share * 255);
}

/**
 * Returns the number of the color with the nearest hue. Greys have no hue and are mapped to a grey if there is
 * one.
 */
function nearestColor(rgb: Rgb, among: readonly (readonly [number, Rgb])[]): number {
  const wanted = getTint(rgb);
  const measureDistance = ([, candidate]: readonly [number, Rgb]): number => {
    const has = getTint(candidate);
    return has.reduce((sum, part, index) => sum + (part - (wanted[index] ?? 0)) ** 2, 0);
  };
  const [first] = among.toSorted((left, right) => measureDistance(left) - measureDistance(right));
  return first?.[0] ?? 39;
}

/** Returns how far each component differs from the grey of the same brightness; all are 0 for a grey. */
function getTint(rgb: Rgb): number[] {
  const most = Math.max(1, ...rgb);
  const least = Math.min(...rgb);
  return rgb.map((part) => (part - least) / most);
}
