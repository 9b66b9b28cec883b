/** Boards as a tool for coding agents. */
import type { ToolPart } from '../../../app/tool-part.ts';

/** What a coding agent is told about the board when it chooses, over MCP, which run to start. */
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
