/** Formats the hint about rows below a window, in the same form on every page. */
import { keyOf } from '../keys/key-lookup.ts';
import type { Keymap } from '../keys/keymap.ts';
import type { Theme } from '../terminal/theme.ts';

/** Formats the hint that `count` more rows are below: `34 more below (PgDn)`. */
export function formatMoreBelow(count: number, keymap: Keymap): string {
  return `${count} more below (${keyOf(keymap, 'page-down')})`;
}

/** Draws the hint that a text goes on, as one row; no row if `count` is 0. */
export function drawMoreBelow(count: number, keymap: Keymap, theme: Theme): string[] {
  return count > 0 ? [` ${theme.inverse(` ${formatMoreBelow(count, keymap)} `)}`] : [];
}
