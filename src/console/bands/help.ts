/**
 * The `?` page: the question, which the title cuts, and every key of the table by group. Keys that do
 * nothing now say when they would.
 */
import { padEnd, textWidth, truncate } from '../../text/width.ts';
import { wrapPlain } from '../../text/wrap.ts';
import { applies, commandsOf, keyLabel } from '../bindings.ts';
import { GROUPS, type Group, type Keymap } from '../keymap.ts';
import type { Scene } from '../scene.ts';
import { CONDITIONS, type Situation } from '../situation.ts';
import type { Theme } from '../theme.ts';

const GAP = 3;
const QUESTION_LINES = 6;
/** From this width on, the groups stand in two columns. */
const TWO_COLUMNS = 110;

/** All lines of the page; it is scrolled where they are more than the screen has. */
export function helpLines({ desk, viewer, theme, columns }: Scene): string[] {
  const asked = desk.questionOf(viewer.reading.question)?.text ?? desk.view.question;
  const question = wrapPlain(asked, columns - 2).slice(0, QUESTION_LINES);
  return [
    ...question.map((line) => ` ${line}`),
    '',
    ...keyLines(viewer.around.keymap, viewer.situation, theme, columns),
  ];
}

function keyLines(keymap: Keymap, situation: Situation, theme: Theme, columns: number): string[] {
  const two = columns >= TWO_COLUMNS;
  const width = two ? Math.floor((columns - 2 - GAP) / 2) : columns - 2;
  const blocks = GROUPS.map((group) => block(group, keymap, situation, theme, width));
  if (!two) return blocks.flat().map((line) => ` ${line}`);
  const [run = [], panes = [], records = [], reading = [], console = []] = blocks;
  const left = [...run, ...panes, ...records];
  const right = [...reading, ...console];
  const blank = ' '.repeat(width);
  return Array.from(
    { length: Math.max(left.length, right.length) },
    (_, row) => ` ${left[row] ?? blank}${' '.repeat(GAP)}${right[row] ?? ''}`,
  );
}

/** A heading and its keys, every line `width` cells wide, and a blank line after them. */
function block(
  group: Group,
  keymap: Keymap,
  situation: Situation,
  theme: Theme,
  width: number,
): string[] {
  const bindings = commandsOf(keymap).filter(([, binding]) => binding.group === group);
  const label = (keys: readonly string[]): string => keys.map(keyLabel).join(' ');
  const first = Math.max(12, ...bindings.map(([, { keys }]) => textWidth(label(keys)))) + 2;
  const lines = bindings.map(([command, { keys, description, where }]) => {
    const { when } = CONDITIONS[where];
    const now = applies(keymap, command, situation);
    const text = when === '' || now ? description : `${description} (${when})`;
    const rest = padEnd(truncate(text, width - first), width - first);
    const names = padEnd(label(keys), first);
    return now ? theme.bold(names) + rest : theme.dim(names + rest);
  });
  return [
    theme.underline(group) + ' '.repeat(width - textWidth(group)),
    ...lines,
    ' '.repeat(width),
  ];
}
