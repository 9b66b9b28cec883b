/** The keys of an evaluation's screen: its last row, and its help. */
import { padEnd } from '../../text/width.ts';
import { wrapPlain } from '../../text/wrap.ts';
import { commandsIn, keyIn, keyLabel } from '../keys/key-lookup.ts';
import type { CommandOf, Keymap } from '../keys/keymap.ts';
import { fitItems, keyRow } from '../run/sections/foot.ts';
import type { Theme } from '../terminal/theme.ts';
import { formatHints } from '../ui/component.ts';
import type { EvaluationModel } from './model.ts';
import type { EvaluationState } from './state.ts';

interface KeysLook {
  readonly model: EvaluationModel;
  readonly theme: Theme;
  readonly keymap: Keymap;
  readonly columns: number;
}

type Command = CommandOf<'evaluation'>;

/** Draws the last row of an evaluation's screen, which lists the keys. */
export function footerRow(state: EvaluationState, look: KeysLook): string {
  const { theme, columns } = look;
  const last = state.mode.kind === 'browse' ? 2 : 3;
  return keyRow(theme, fitItems(footerItems(state, look), columns - 1, last));
}

function footerItems(state: EvaluationState, look: KeysLook): string[] {
  const { keymap } = look;
  const { mode } = state;
  switch (mode.kind) {
    case 'browse':
      return commandsIn(keymap, 'evaluation').flatMap(([command, { keys, footer, where }]) =>
        footer === undefined ||
        !(where === undefined || where.includes(state.place)) ||
        !doesSomething(command, state, look)
          ? []
          : [`${keyLabel(keys[0] ?? '')} ${wordOf(command, footer, state)}`],
      );
    case 'search':
      return formatHints(
        keymap,
        state.place === 'report'
          ? { accept: 'search', cancel: 'cancel' }
          : { accept: 'to the list', cancel: 'end the search' },
      );
    case 'asked':
      return ['y stop', 'n go on'];
    case 'dialog':
      return formatHints(keymap, mode.dialog.hints);
    case 'help':
      return [
        `${keyIn(keymap, 'evaluation', 'down')} ${keyIn(keymap, 'evaluation', 'up')} scroll`,
        ...formatHints(keymap, { cancel: 'back' }),
      ];
  }
}

/** Returns whether a command does something now. The footer shows no others. */
function doesSomething(
  command: Command,
  { reader }: EvaluationState,
  { model }: KeysLook,
): boolean {
  switch (command) {
    case 'stop':
      return model.head.isOwn && model.standing.kind === 'live';
    case 'open':
    case 'failed':
      return model.known > 0;
    case 'report':
    case 'export':
    case 'copy':
      return model.isOver;
    case 'next-match':
      return reader.match !== undefined;
    default:
      return true;
  }
}

function wordOf(command: Command, footer: string, { place, onlyFailed }: EvaluationState): string {
  if (command === 'report' && place === 'report') return 'answers';
  return command === 'failed' && onlyFailed ? 'all' : footer;
}

function helpLines({ theme, keymap, columns }: KeysLook): string[] {
  const cells = columns < 60 ? 12 : 22;
  return commandsIn(keymap, 'evaluation').flatMap(([, { keys, description }]) =>
    wrapPlain(description, Math.max(10, columns - cells - 4)).map(
      (row, index) =>
        `  ${theme.bold(padEnd(index === 0 ? keys.map(keyLabel).join(' ') : '', cells))}${row}`,
    ),
  );
}

/**
 * Returns the last position to which the help can be scrolled, as the number of the first visible
 * row.
 * @param height the rows of the screen
 */
export function helpEnd(look: KeysLook, height: number): number {
  return Math.max(0, helpLines(look).length - height);
}

/** Draws the help of an evaluation's screen from the row `top` on, in `height` rows. */
export function helpRows(top: number, look: KeysLook, height: number): string[] {
  const lines = helpLines(look);
  const first = Math.min(top, Math.max(0, lines.length - height));
  const shown = lines.slice(first, first + height);
  const below = lines.length - first - height;
  if (below > 0 && height > 1) shown[height - 1] = look.theme.dim(`  ${below + 1} more below`);
  return shown;
}
