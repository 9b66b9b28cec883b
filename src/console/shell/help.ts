/** The help of a screen: its keys with what they do, scrolled if they do not fit. */
import { padEnd, truncateLine } from '../../text/width.ts';
import { wrapPlain } from '../../text/wrap.ts';
import { commandFor, commandsIn, keyLabel, keyOf } from '../keys/key-lookup.ts';
import { KEYMAP, type Keymap, type Scope } from '../keys/keymap.ts';
import type { Theme } from '../terminal/theme.ts';
import { drawMoreBelow } from '../ui/below.ts';
import { formatHints } from '../ui/component.ts';
import { isMove, type Move, rowAfterMove } from '../ui/scroll.ts';

/**
 * The help that is open over a screen: its scroll position. Keys that do not scroll close the help.
 */
export class HelpPage {
  #top = 0;
  #end = 0;
  #height = 1;

  /**
   * Handles a key by its built-in name. Returns false if the key does not scroll, so that the help closes.
   *
   * @param command the command that the key has on the screen below
   */
  key(key: string, keymap: Keymap, command: string | undefined): boolean {
    const move =
      moveOf(command) ?? moveOf(commandFor(keymap, key)) ?? moveOf(commandFor(KEYMAP, key));
    if (move === undefined) return false;
    this.#top = rowAfterMove(this.#top, move, this.#end, this.#height);
    return true;
  }

  /** Returns what the keys do, for the last row. */
  hints(keymap: Keymap): string[] {
    const scroll = `${keyOf(keymap, 'down')} ${keyOf(keymap, 'up')} scroll`;
    return [...(this.#end > 0 ? [scroll] : []), ...formatHints(keymap, { cancel: 'back' })];
  }

  /** Draws the visible part of the help as exactly `height` rows. */
  rows(lines: readonly string[], height: number, keymap: Keymap, theme: Theme): string[] {
    this.#height = height;
    this.#end = Math.max(0, lines.length - height);
    this.#top = Math.min(this.#top, this.#end);
    const shown = lines.slice(this.#top, this.#top + height);
    while (shown.length < height) shown.push('');
    const below = lines.length - this.#top - height;
    const [mark] = drawMoreBelow(below > 0 ? below + 1 : 0, keymap, theme);
    if (mark !== undefined) shown[height - 1] = mark;
    return shown;
  }
}

function moveOf(command: string | undefined): Move | undefined {
  return command !== undefined && isMove(command) ? command : undefined;
}

/**
 * Returns the lines of the help on the keys of a screen.
 *
 * @param width the width of the help in cells
 * @param columns the width of the screen in cells
 */
export function keyLines(
  keymap: Keymap,
  scope: Exclude<Scope, 'run'>,
  {
    theme,
    width,
    columns,
  }: { readonly theme: Theme; readonly width: number; readonly columns: number },
): string[] {
  const cells = columns < 60 ? 12 : 22;
  return commandsIn(keymap, scope).flatMap(([, { keys, description }]) =>
    keyLine(formatKeys(keys), description, { theme, width, cells }),
  );
}

/**
 * Returns rows that say what the keys of a command do, wrapped to `width` cells. The keys are in the
 * first `cells` cells.
 */
export function keyLine(
  keys: string,
  description: string,
  {
    theme,
    width,
    cells,
  }: { readonly theme: Theme; readonly width: number; readonly cells: number },
): string[] {
  return wrapPlain(description, Math.max(10, width - cells)).map(
    (row, index) =>
      theme.bold(padEnd(index === 0 ? truncateLine(keys, cells - 1) : '', cells)) + row,
  );
}

/** Formats the keys of a command; digits as a range: `1-9`. */
function formatKeys(keys: readonly string[]): string {
  const isRange = keys.length > 3 && keys.every((key) => /^\d$/.test(key));
  const [first = ''] = keys;
  return isRange ? `${first}-${keys.at(-1)}` : keys.map(keyLabel).join(' ');
}
