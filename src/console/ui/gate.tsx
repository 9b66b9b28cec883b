/** A question of the protocol to the person: the run waits for it. */
import { Box, Text, useInput } from 'ink';
import SelectInput from 'ink-select-input';
import { type ReactNode, useRef } from 'react';
import type { GateView } from '../../kernel/view.ts';
import { truncate } from '../../text/width.ts';
import { wrapPlain } from '../../text/wrap.ts';
import { Dialog, dialogRoom } from './dialog.tsx';

export interface GateProps {
  readonly gate: GateView;
  readonly columns: number;
  readonly rows: number;
  readonly answer: (value: string) => void;
}

export function Gate({ gate, columns, rows, answer }: GateProps): ReactNode {
  const room = dialogRoom(columns, rows);
  const width = Math.min(72, room.width);
  const items = gate.options.map(({ value, label }, index) => ({
    key: String(index),
    value,
    label: truncate(`${label}${value === gate.default ? ' (default)' : ''}`, width - 2),
  }));
  const prompt = wrapPlain(gate.prompt, width).slice(
    0,
    Math.max(1, room.height - items.length - 2),
  );
  const first = Math.max(
    0,
    items.findIndex(({ value }) => value === gate.default),
  );
  const chosen = useRef(items[first]?.value);
  // Not left to the list: it takes a digit for an answer, and digits are what a person goes from tab to
  // tab with when the question comes up.
  useInput((_input, { return: enter }) => {
    if (enter && chosen.current !== undefined) answer(chosen.current);
  });
  return (
    <Dialog
      title="The run waits for you"
      columns={columns}
      rows={rows}
      width={width}
      height={prompt.length + items.length + 2}
    >
      <Box flexDirection="column" marginY={1} flexShrink={0}>
        <Text>{prompt.join('\n')}</Text>
      </Box>
      <SelectInput
        items={items}
        initialIndex={first}
        onHighlight={({ value }) => {
          chosen.current = value;
        }}
      />
    </Dialog>
  );
}
