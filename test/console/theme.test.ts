/** Colors of roles: legible on black and on white, whatever a role's file names. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Background,
  computeLuminance,
  groundOf,
  type Rgb,
  Theme,
} from '../../src/console/terminal/theme.ts';

const LEAST = 4.5;

const CODE_KINDS = ['comment', 'string', 'keyword', 'number', 'name'] as const;

/** Returns the contrast of two colors as WCAG 2 defines it. */
function measureContrast(left: Rgb, right: Rgb): number {
  const [dark = 0, light = 0] = [computeLuminance(left), computeLuminance(right)].sort(
    (a, b) => a - b,
  );
  return (light + 0.05) / (dark + 0.05);
}

function isLegible(rgb: Rgb): void {
  expect(measureContrast(rgb, [0, 0, 0])).toBeGreaterThanOrEqual(LEAST);
  expect(measureContrast(rgb, [255, 255, 255])).toBeGreaterThanOrEqual(LEAST);
}

const hex = fc
  .integer({ min: 0, max: 0xffffff })
  .map((number) => `#${number.toString(16).padStart(6, '0')}`);

function trueColour(painted: string): Rgb {
  const [, red, green, blue] = /38;2;(\d+);(\d+);(\d+)m/.exec(painted) ?? [];
  return [Number(red), Number(green), Number(blue)];
}

/** Returns a color of xterm's 6×6×6 cube or of its greys. */
function ofXterm(number: number): Rgb {
  if (number >= 232)
    return [8 + 10 * (number - 232), 8 + 10 * (number - 232), 8 + 10 * (number - 232)];
  const getLevel = (at: number): number => [0, 95, 135, 175, 215, 255][at % 6] ?? 0;
  const cube = number - 16;
  return [getLevel(Math.floor(cube / 36)), getLevel(Math.floor(cube / 6)), getLevel(cube)];
}

test('contrast is computed as WCAG defines it', () => {
  expect(measureContrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21, 5);
  expect(measureContrast([119, 119, 119], [255, 255, 255])).toBeCloseTo(4.48, 2);
});

test('the color of every role has a contrast of at least 4.5 : 1 on black and on white', () => {
  for (let index = 0; index < 8; index += 1)
    isLegible(trueColour(new Theme(24).role(undefined, index, 'Critic')));
  fc.assert(
    fc.property(hex, (colour) => isLegible(trueColour(new Theme(24).role(colour, 0, 'Critic')))),
  );
});

/**
 * Backgrounds for which colors are chosen, the actual background of the terminal, and the least contrast
 * there. If the background is unknown, some grounds get less contrast.
 */
const GROUNDS: readonly (readonly [Background, string, number])[] = [
  ['dark', '#000000', LEAST],
  ['dark', '#1e1e1e', LEAST],
  ['light', '#ffffff', LEAST],
  ['light', '#fdf6e3', LEAST],
  ['unknown', '#000000', LEAST],
  ['unknown', '#ffffff', LEAST],
  ['unknown', '#1e1e1e', 3.5],
  ['unknown', '#fdf6e3', 4.1],
];

test.each(GROUNDS)(
  'colors for a background that is %s are legible on %s: their contrast is at least %d',
  (ground, on, least) => {
    const behind = [1, 3, 5].map((at) =>
      Number.parseInt(on.slice(at, at + 2), 16),
    ) as unknown as Rgb;
    const theme = new Theme(24, { ground });
    const coarse = new Theme(8, { ground });
    const expectContrast = (colour: string | undefined, index: number): void => {
      const rgb = trueColour(theme.role(colour, index, 'Critic'));
      expect(measureContrast(rgb, behind), `${colour ?? index}`).toBeGreaterThanOrEqual(least);
      const number = Number(/38;5;(\d+)m/.exec(coarse.role(colour, index, 'Critic'))?.[1]);
      expect(measureContrast(ofXterm(number), behind), `${number}`).toBeGreaterThanOrEqual(least);
    };
    for (let index = 0; index < 8; index += 1) expectContrast(undefined, index);
    fc.assert(fc.property(hex, (colour) => expectContrast(colour, 0)));
    for (const kind of CODE_KINDS) {
      const rgb = trueColour(theme.code(kind, 'let'));
      expect(measureContrast(rgb, behind), kind).toBeGreaterThanOrEqual(least);
      const number = Number(/38;5;(\d+)m/.exec(coarse.code(kind, 'let'))?.[1]);
      expect(measureContrast(ofXterm(number), behind), kind).toBeGreaterThanOrEqual(least);
    }
  },
);

test('strings, keywords and comments of code differ in color, unless the terminal has no colors', () => {
  for (const theme of [new Theme(24), new Theme(8)])
    expect(new Set(CODE_KINDS.map((kind) => theme.code(kind, 'x'))).size).toBe(5);
  expect(CODE_KINDS.map((kind) => new Theme(4).code(kind, 'x'))).toEqual([
    '\u001b[2mx\u001b[22m',
    ...['32', '35', '31', '36'].map((number) => `\u001b[${number}mx\u001b[39m`),
  ]);
  expect(CODE_KINDS.map((kind) => new Theme(0).code(kind, 'x'))).toEqual(['x', 'x', 'x', 'x', 'x']);
});

test('the variable COLORFGBG tells the program whether the background is dark or light', () => {
  const grounds = ['15;0', '0;15', '12;8', '0;default;7', '15', '', 'x;y', '0;99', '1;'].map(
    (value) => groundOf({ COLORFGBG: value }),
  );
  expect(grounds.slice(0, 5)).toEqual(['dark', 'light', 'dark', 'light', 'light']);
  expect(new Set(grounds.slice(5))).toEqual(new Set(['unknown']));
  expect(groundOf({})).toBe('unknown');
  const dark = Theme.of({ COLORTERM: 'truecolor', COLORFGBG: '15;0' });
  expect(dark.role('#f44336', 0, 'x')).toBe(
    new Theme(24, { ground: 'dark' }).role('#f44336', 0, 'x'),
  );
});

test('a role’s color has enough contrast after it is replaced by one of the 256 colors of a terminal', () => {
  const readXtermNumber = (colour: string): number =>
    Number(/38;5;(\d+)m/.exec(new Theme(8).role(colour, 0, 'Critic'))?.[1]);
  fc.assert(fc.property(hex, (colour) => isLegible(ofXterm(readXtermNumber(colour)))));
  expect(readXtermNumber('#f44336')).not.toBe(readXtermNumber('#2196f3'));
  expect(readXtermNumber('#4caf50')).not.toBe(readXtermNumber('#f44336'));
});

test('with 16 colors, a role’s color is the one of the terminal’s red, green, blue, magenta and cyan with the nearest hue; without colors, the role’s name has no color', () => {
  for (const [colour, code] of [
    ['#f44336', 31],
    ['#4caf50', 32],
    ['#3040f0', 34],
    ['#c030c0', 35],
    ['#00c8d4', 36],
  ] as const)
    expect(new Theme(4).role(colour, 0, 'Critic')).toBe(`\u001b[${code}mCritic\u001b[39m`);
  expect(new Theme(0).role('#f44336', 0, 'Critic')).toBe('Critic');
});

test('the focus is marked by a heavy rule, even without colors and line drawing', () => {
  const drawn = new Theme(0);
  expect(drawn.rule(3, true)).toBe('━━━');
  expect(drawn.rule(3, false)).toContain('───');
  for (const env of [{ TERM: 'linux' }, { TERM: 'xterm', LANG: 'de_DE.ISO-8859-1' }]) {
    const ascii = Theme.of({ ...env, NO_COLOR: '1' });
    expect(ascii.rule(3, true)).toBe('===');
    expect(ascii.rule(3, false)).toContain('---');
  }
  expect(Theme.of({ TERM: 'xterm', LANG: 'C.UTF-8' }).rule(1, true)).toBe('━');
});
