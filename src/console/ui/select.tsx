/**
 * Draws the list of gates, dialogs and pickers with ink-select-input. Its keys are handled like all others
 * (`moveCursor` in `list.ts`), so that a person's own keys, chunks of several keys and narrowing letters work
 * in it, and a digit meant for a tab chooses nothing.
 */
import { Box } from 'ink';
import SelectInput from 'ink-select-input';
import { type ReactNode, useMemo } from 'react';
import { Rows } from '../terminal/rows.tsx';
import type { Theme } from '../terminal/theme.ts';
import {
  drawMoreRow,
  filterItems,
  getVisibleLines,
  type List,
  labelCells,
  lineText,
  markRow,
} from './list.ts';

interface SelectProps {
  readonly list: List;
  readonly theme: Theme;
  readonly width: number;
  /** The height in rows; a shorter list is filled up with blank rows. */
  readonly height: number;
}

interface RowProps {
  readonly label: string;
  readonly isSelected?: boolean;
}

/** Draws a list with the library Ink. */
export function Select({ list, theme, width, height }: SelectProps): ReactNode {
  const items = filterItems(list);
  const { lines, at, below } = getVisibleLines(list, height);
  const look = { theme, width, cells: labelCells(list, width) };
  const onNone = list.at < 0;
  const Row = useMemo(
    () =>
      function Row({ label, isSelected = false }: RowProps): ReactNode {
        return <Rows rows={[markRow(label, isSelected && !onNone, theme)]} />;
      },
    [theme, onNone],
  );
  return (
    <Box flexDirection="column" height={height} flexShrink={0}>
      <SelectInput
        // The component reads its initial position only once, so use another React key for another
        // position.
        key={`${at} ${list.at} ${list.filter?.text ?? ''}`}
        items={lines.map((line, index) => ({
          key: String(index),
          value: index,
          label: lineText(line, items, look),
        }))}
        initialIndex={Math.max(0, at)}
        isFocused={false}
        indicatorComponent={NoIndicator}
        itemComponent={Row}
      />
      <Rows rows={drawMoreRow(below, width, theme)} />
    </Box>
  );
}

/** Draws nothing, because the rows contain the mark. */
function NoIndicator(): ReactNode {
  return null;
}
