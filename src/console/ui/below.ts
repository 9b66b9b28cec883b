/** The mark of what lies below a window, in one form on every page. */
import { keyOf } from '../keys/key-lookup.ts';
import type { Keymap } from '../keys/keymap.ts';
import type { Theme } from '../terminal/theme.ts';

/** `34 more below (PgDn)` */
export function belowWords(count: number, keymap: Keymap): string {
  return `${count} more below (${keyOf(keymap, 'page-down')})`;
}

/** A row of its own; none where there is nothing below. */
export function moreBelow(count: number, keymap: Keymap, theme: Theme): string[] {
  return count > 0 ? [` ${theme.inverse(` ${belowWords(count, keymap)} `)}`] : [];
}
