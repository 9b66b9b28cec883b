/** The prompts in the client's menu: each asks the coding agent to convene a panel. */
import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';

const WAIT =
  'Then call wait until the run is done or asks something. Give me the recommendation with how many of the seats were heard, the strongest dissent (inspect, part dissent) and what it cost. Say where you disagree.';

/** Registers the MCP server's prompts: entries of a client's menu that ask the agent to convene a panel. */
export function registerPrompts(server: McpServer): void {
  server.registerPrompt(
    'convene',
    {
      title: 'Convene a panel',
      description: 'Have a panel of models deliberate a decision.',
      argsSchema: z.object({ question: z.string().describe('The decision to deliberate') }),
    },
    ({ question }) =>
      toMessages(
        `Convene a panel with the tool convene of deliberate on this decision:\n\n${question}\n\nPut into its question what the panel has to know: it sees nothing of our conversation. Attach the files that matter. ${WAIT}`,
      ),
  );
  server.registerPrompt(
    'second-opinion',
    {
      title: 'Second opinion',
      description: 'Have a panel of models judge what you are about to do.',
    },
    () =>
      toMessages(
        `Before you go on: write down what you are about to do, the alternatives that you rejected and why, and convene a panel with the tool convene of deliberate on whether that is right. Do not say which alternative you favor. ${WAIT}`,
      ),
  );
  server.registerPrompt(
    'review-diff',
    {
      title: 'Review a diff',
      description: 'Have a panel of models review the changes in this repository.',
      argsSchema: z.object({
        base: z.string().optional().describe('Branch or commit to compare with (default: HEAD)'),
      }),
    },
    ({ base = 'HEAD' }) =>
      toMessages(
        `Run git diff ${base} and convene a panel with the tool convene of deliberate, kind board, preset peer-review: what is wrong with this change, and should it be merged? Put the diff and the purpose of the change into the question, without secrets. Attach the files whose context it needs. ${WAIT} Check each finding against the code before you report it.`,
      ),
  );
}

function toMessages(text: string) {
  return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] };
}
