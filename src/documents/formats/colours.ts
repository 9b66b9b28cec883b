/** Parses CSS colors, as far as needed to tell whether a text is visible on its background. */

/** A color: red, green and blue from 0 to 255, and opacity from 0 to 1. */
export interface Colour {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
}

/** Opaque white. */
export const WHITE: Colour = { red: 255, green: 255, blue: 255, alpha: 1 };
/** Opaque black. */
export const BLACK: Colour = { red: 0, green: 0, blue: 0, alpha: 1 };
const TRANSPARENT: Colour = { ...BLACK, alpha: 0 };

/**
 * Contrast ratio below which a text counts as invisible. On white, #eee has 1.16, and #ddd, which some
 * people can read, has 1.36.
 */
const LEAST_CONTRAST = 1.25;

/** Names of colors in which texts are hidden, or of backgrounds on which texts are hidden. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ...Object.entries({
    aliceblue: '#f0f8ff',
    azure: '#f0ffff',
    beige: '#f5f5dc',
    black: '#000000',
    blue: '#0000ff',
    cornsilk: '#fff8dc',
    darkblue: '#00008b',
    darkgray: '#a9a9a9',
    darkgreen: '#006400',
    dimgray: '#696969',
    floralwhite: '#fffaf0',
    gainsboro: '#dcdcdc',
    ghostwhite: '#f8f8ff',
    gray: '#808080',
    green: '#008000',
    grey: '#808080',
    honeydew: '#f0fff0',
    ivory: '#fffff0',
    lavender: '#e6e6fa',
    lavenderblush: '#fff0f5',
    lightgray: '#d3d3d3',
    lightgrey: '#d3d3d3',
    lightyellow: '#ffffe0',
    linen: '#faf0e6',
    maroon: '#800000',
    midnightblue: '#191970',
    mintcream: '#f5fffa',
    navy: '#000080',
    oldlace: '#fdf5e6',
    red: '#ff0000',
    seashell: '#fff5ee',
    silver: '#c0c0c0',
    snow: '#fffafa',
    white: '#ffffff',
    whitesmoke: '#f5f5f5',
    yellow: '#ffff00',
  }),
]);

/**
 * Parses `#fff`, `#ffffff80` (also without `#`), `rgb(…)`, `hsl(…)`, `transparent` and common color names.
 * Returns undefined for any other value.
 */
export function readColour(value: string): Colour | undefined {
  const text = value.trim().toLowerCase();
  if (text === 'transparent') return TRANSPARENT;
  const hex = /^#?([0-9a-f]{3,8})$/.exec(NAMES.get(text) ?? text)?.[1];
  if (hex !== undefined) return readHex(hex);
  const [, name = '', inside = ''] = /^(rgba?|hsla?)\(([^()]*)\)$/.exec(text) ?? [];
  const parts = inside.split(/[\s,/]+/).filter((part) => part !== '');
  if (parts.length < 3) return undefined;
  const alpha = parts[3] === undefined ? 1 : parseShare(parts[3], 1);
  if (name.startsWith('rgb')) {
    const [red = 0, green = 0, blue = 0] = parts.map((part) => parseShare(part, 255));
    return keepFinite({ red, green, blue, alpha });
  }
  const hue = Number.parseFloat(parts[0] ?? '');
  return keepFinite({
    ...fromHsl(hue, parseShare(parts[1] ?? '', 100) / 100, parseShare(parts[2] ?? '', 100) / 100),
    alpha,
  });
}

/** Returns whether a text of one color has enough contrast to be visible on an opaque background. */
export function isSeenOn(text: Colour, ground: Colour): boolean {
  const shown = blendColours(text, ground);
  const [light = 0, dark = 0] = [measureLuminance(shown), measureLuminance(ground)].sort(
    (a, b) => b - a,
  );
  return (light + 0.05) / (dark + 0.05) >= LEAST_CONTRAST;
}

/** Returns the color that results if `colour` is drawn on an opaque background. */
export function blendColours(colour: Colour, ground: Colour): Colour {
  const mixPart = (part: 'red' | 'green' | 'blue'): number =>
    colour[part] * colour.alpha + ground[part] * (1 - colour.alpha);
  return { red: mixPart('red'), green: mixPart('green'), blue: mixPart('blue'), alpha: 1 };
}

function readHex(hex: string): Colour | undefined {
  const long = hex.length <= 4 ? [...hex].map((digit) => digit + digit).join('') : hex;
  if (long.length !== 6 && long.length !== 8) return undefined;
  const [red = 0, green = 0, blue = 0, alpha = 255] = (long.match(/../g) ?? []).map((pair) =>
    Number.parseInt(pair, 16),
  );
  return { red, green, blue, alpha: alpha / 255 };
}

/** Parses a number, or a percentage of `whole`. */
function parseShare(part: string, whole: number): number {
  const value = Number.parseFloat(part);
  return part.endsWith('%') ? (value / 100) * whole : value;
}

function keepFinite(colour: Colour): Colour | undefined {
  return Object.values(colour).every((part) => Number.isFinite(part)) ? colour : undefined;
}

function fromHsl(hue: number, saturation: number, lightness: number): Omit<Colour, 'alpha'> {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const getPart = (offset: number): number => {
    const at = (((offset + hue / 30) % 12) + 12) % 12;
    return 255 * (lightness - reach * Math.max(-1, Math.min(at - 3, 9 - at, 1)));
  };
  return { red: getPart(0), green: getPart(8), blue: getPart(4) };
}

/** Returns the relative luminance as defined by WCAG 2, from 0 to 1. */
function measureLuminance({ red, green, blue }: Colour): number {
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
