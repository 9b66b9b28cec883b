/**
 * Draws the `?` page: the whole question, and every key by group. Keys that do nothing now say when they would.
 */

import { joinLines } from '../../../text/line.ts';
import { padEnd, textWidth } from '../../../text/width.ts';
import { wrapPlain } from '../../../text/wrap.ts';
import { CONDITIONS, canEverHold, hasEffect } from '../../keys/conditions.ts';
import { commandsOf, keyLabel } from '../../keys/key-lookup.ts';
import type { KeyState } from '../../keys/key-state.ts';
import { GROUPS, type Group, type Keymap } from '../../keys/keymap.ts';
import { describeCommand } from '../../keys/now.ts';
import type { Theme } from '../../terminal/theme.ts';
import type { Scene } from '../scene.ts';

const GAP = 3;
const QUESTION_LINES = 6;
/** From this width on, the groups are in two columns. */
const TWO_COLUMNS = 110;
/** The groups in the left column; all others are in the right one. */
const LEFT: ReadonlySet<Group> = new Set(['Run', 'Columns', 'Records']);

/** Returns all lines of the help of a run's screen. */
export function helpLines({ runModel, viewer, theme, columns }: Scene): string[] {
  const asked = joinLines(runModel.asked(viewer.reading.question));
  const question = wrapPlain(asked, columns - 2).slice(0, QUESTION_LINES);
  return [
    ...question.map((line) => ` ${line}`),
    '',
    ...keyLines(viewer.around.keymap, viewer.keyState, theme, columns),
  ];
}

function keyLines(keymap: Keymap, state: KeyState, theme: Theme, columns: number): string[] {
  const two = columns >= TWO_COLUMNS;
  const width = two ? Math.floor((columns - 2 - GAP) / 2) : columns - 2;
  const formatGroups = (groups: readonly Group[]): string[] =>
    groups.flatMap((group) => formatGroup(group, keymap, state, theme, width));
  if (!two) return formatGroups(GROUPS).map((line) => ` ${line}`);
  const left = formatGroups(GROUPS.filter((group) => LEFT.has(group)));
  const right = formatGroups(GROUPS.filter((group) => !LEFT.has(group)));
  const blank = ' '.repeat(width);
  return Array.from(
    { length: Math.max(left.length, right.length) },
    (_, row) => ` ${left[row] ?? blank}${' '.repeat(GAP)}${right[row] ?? ''}`,
  );
}

/**
 * Returns a heading with its keys, each line `width` cells wide, and a blank line; nothing if there are no
 * keys.
 */
function formatGroup(
  group: Group,
  keymap: Keymap,
  state: KeyState,
  theme: Theme,
  width: number,
): string[] {
  const bindings = commandsOf(keymap).filter(
    ([, { where, ...binding }]) => binding.group === group && canEverHold(where, state),
  );
  if (bindings.length === 0) return [];
  const formatKeys = (keys: readonly string[]): string => keys.map(keyLabel).join(' ');
  const first = Math.max(12, ...bindings.map(([, { keys }]) => textWidth(formatKeys(keys)))) + 2;
  const lines = bindings.flatMap(([command, binding]) => {
    const { keys, description, where } = binding;
    const { when } = CONDITIONS[where];
    const now = hasEffect(keymap, command, state);
    const text = now
      ? describeCommand(command, binding, state)
      : `${description}${when && ` (${when})`}`;
    return wrapPlain(text, width - first).map((row, index) => {
      const rest = padEnd(row, width - first);
      const names = padEnd(index === 0 ? formatKeys(keys) : '', first);
      return now ? theme.bold(names) + rest : theme.dim(names + rest);
    });
  });
  return [
    theme.underline(group) + ' '.repeat(width - textWidth(group)),
    ...lines,
    ' '.repeat(width),
  ];
}
