/** A question of the protocol to the person: the run waits for it. */
import { Box, Text } from 'ink';
import SelectInput from 'ink-select-input';
import type { ReactNode } from 'react';
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
  const chosen = items.findIndex(({ value }) => value === gate.default);
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
        initialIndex={Math.max(0, chosen)}
        onSelect={({ value }) => answer(value)}
      />
    </Dialog>
  );
}
