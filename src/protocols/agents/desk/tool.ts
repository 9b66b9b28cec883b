/** Lets coding agents start an agent that the person has set up. */
import type { ToolPart } from '../../../app/tool-part.ts';
import { UsageError } from '../../../kernel/errors.ts';

/**
 * What the protocol `agent` offers to coding agents over MCP: a run that asks one agent that the person has set up,
 * and the command that starts it.
 */
export const tool: ToolPart = {
  about: 'one that the person has set up',
  fields: { preset: 'the name of the agent, required' },
  line: ({ question, preset }) => {
    if (preset === undefined)
      throw new UsageError('kind agent needs the name of an agent in preset');
    return { words: [preset, question], flags: {} };
  },
  command: async () => (await import('./convene.ts')).agent,
};
