/** Colors of roles: legible on black and on white, whatever a role's file names. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { luminance, type Rgb, Theme } from '../../src/console/terminal/theme.ts';

const LEAST = 4.5;

/** The contrast that WCAG 2 asks for. */
function contrast(left: Rgb, right: Rgb): number {
  const [dark = 0, light = 0] = [luminance(left), luminance(right)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function isLegible(rgb: Rgb): void {
  expect(contrast(rgb, [0, 0, 0])).toBeGreaterThanOrEqual(LEAST);
  expect(contrast(rgb, [255, 255, 255])).toBeGreaterThanOrEqual(LEAST);
}

const hex = fc
  .integer({ min: 0, max: 0xffffff })
  .map((number) => `#${number.toString(16).padStart(6, '0')}`);

function trueColour(painted: string): Rgb {
  const [, red, green, blue] = /38;2;(\d+);(\d+);(\d+)m/.exec(painted) ?? [];
  return [Number(red), Number(green), Number(blue)];
}

/** The 6×6×6 colours and the greys of xterm. */
function ofXterm(number: number): Rgb {
  if (number >= 232)
    return [8 + 10 * (number - 232), 8 + 10 * (number - 232), 8 + 10 * (number - 232)];
  const level = (at: number): number => [0, 95, 135, 175, 215, 255][at % 6] ?? 0;
  const cube = number - 16;
  return [level(Math.floor(cube / 36)), level(Math.floor(cube / 6)), level(cube)];
}

test('contrast is that of the definition', () => {
  expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21, 5);
  expect(contrast([119, 119, 119], [255, 255, 255])).toBeCloseTo(4.48, 2);
});

test('any color of a role holds 4.5 : 1 on black and on white', () => {
  for (let index = 0; index < 8; index += 1)
    isLegible(trueColour(new Theme(24).role(undefined, index, 'Critic')));
  fc.assert(fc.property(hex, (one) => isLegible(trueColour(new Theme(24).role(one, 0, 'Critic')))));
});

test('so does every one of the 256 that may stand for it', () => {
  const used = (colour: string): number =>
    Number(/38;5;(\d+)m/.exec(new Theme(8).role(colour, 0, 'Critic'))?.[1]);
  fc.assert(fc.property(hex, (one) => isLegible(ofXterm(used(one)))));
  expect(used('#f44336')).not.toBe(used('#2196f3'));
  expect(used('#4caf50')).not.toBe(used('#f44336'));
});

test('with 16 colors the terminal’s own are taken, and without any the words stay', () => {
  expect(new Theme(4).role('#f44336', 0, 'Critic')).toBe('\u001b[31mCritic\u001b[39m');
  expect(new Theme(0).role('#f44336', 0, 'Critic')).toBe('Critic');
});

test('the focus is a heavy rule, also without color and without line drawing', () => {
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
