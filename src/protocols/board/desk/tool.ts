/** Boards as a tool for coding agents. */
import type { ToolPart } from '../../../app/tool-part.ts';

/** Describes the board for coding agents that start runs over MCP. */
export const tool: ToolPart = {
  about: 'answers side by side, then a synthesis, about 5 calls',
  fields: {
    preset: 'a preset board',
    seats: 'in place of a preset, ROLE or ROLE=PROVIDER/MODEL',
  },
  asks: true,
  line: ({ question, preset, seats }) => ({
    words: [question],
    flags: { preset, seat: seats },
  }),
  command: async () => (await import('./convene.ts')).board,
};
