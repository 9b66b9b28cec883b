/**
 * The list of gates, dialogs and pickers, drawn by ink-select-input. Its keys come with all the others
 * (`moved` in `list.ts`), so that a person's own keys, a chunk of several and the letters that narrow it
 * reach it alike, and a digit that is meant for a tab is no answer.
 */
import { Box } from 'ink';
import SelectInput from 'ink-select-input';
import { type ReactNode, useMemo } from 'react';
import { Rows } from '../terminal/rows.tsx';
import type { Theme } from '../terminal/theme.ts';
import {
  type List,
  labelCells,
  lineText,
  markRow,
  moreRow,
  seenLines,
  shownItems,
} from './list.ts';

interface SelectProps {
  readonly list: List;
  readonly theme: Theme;
  readonly width: number;
  /** Rows that it takes; blank ones where it is shorter. */
  readonly height: number;
}

interface RowProps {
  readonly label: string;
  readonly isSelected?: boolean;
}

export function Select({ list, theme, width, height }: SelectProps): ReactNode {
  const items = shownItems(list);
  const { lines, at, below } = seenLines(list, height);
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
        // It takes its place from us only at first: at another place it is another one.
        key={`${at} ${list.at} ${list.filter?.text ?? ''}`}
        items={lines.map((one, index) => ({
          key: String(index),
          value: index,
          label: lineText(one, items, look),
        }))}
        initialIndex={Math.max(0, at)}
        isFocused={false}
        indicatorComponent={NoIndicator}
        itemComponent={Row}
      />
      <Rows rows={moreRow(below, width, theme)} />
    </Box>
  );
}

/** The mark is in the row. */
function NoIndicator(): ReactNode {
  return null;
}
