/**
 * Offers tools to models that do not support them, and at servers that refuse them: the prompt describes
 * the tools, and the model says by a schema whether it wants to use one. The final answer is prose, since a
 * small model's Markdown inside JSON is much worse.
 */
import * as z from 'zod';
import type { Message } from '../kernel/model.ts';
import type { ToolCall, ToolInfo } from '../kernel/tools/tools.ts';
import type { JsonSchema } from './provider.ts';

/** The schema of a model's choice: to use a tool, or to answer now. */
export const choiceSchema = z.union([
  z.object({ tool: z.string().min(1), arguments: z.unknown().optional() }),
  z.object({ ready: z.literal(true) }),
]);

/** Returns the JSON Schema of a model's choice: to call one of the tools with its arguments, or to answer now. */
export function choiceJsonSchema(tools: readonly ToolInfo[]): JsonSchema {
  const makeClosedObject = (properties: Record<string, unknown>) => ({
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  });
  return {
    anyOf: [
      ...tools.map(({ name, parameters }) =>
        makeClosedObject({ tool: { type: 'string', const: name }, arguments: parameters }),
      ),
      makeClosedObject({ ready: { type: 'boolean', const: true } }),
    ],
  };
}

/**
 * Returns the tool call that a model chose; undefined if the model is ready to answer, or if `choice` does not
 * fit `choiceSchema`.
 */
export function readChoice(choice: unknown): ToolCall | undefined {
  const { data } = choiceSchema.safeParse(choice);
  if (data === undefined || 'ready' in data) return undefined;
  return { id: 'call-1', name: data.tool, arguments: data.arguments ?? {} };
}

/**
 * Converts tools, and the calls and results of a conversation, into text, for models without native tool calls.
 * User and assistant alternate, as chat templates require.
 */
export function describeInWords(
  tools: readonly ToolInfo[],
  messages: readonly Message[],
): Message[] {
  const said: Message[] = [];
  for (const { role, parts, calls = [], results = [] } of [describeTools(tools), ...messages]) {
    const texts = [
      ...calls.map(({ name, arguments: given }) => ({
        text: JSON.stringify({ tool: name, arguments: given }),
      })),
      ...results.map(({ name, text }) => ({ text: `What ${name} gave:\n${text}` })),
      ...parts,
    ];
    const last = said.at(-1);
    if (last?.role === role) said.splice(-1, 1, { role, parts: [...last.parts, ...texts] });
    else said.push({ role, parts: texts });
  }
  return said;
}

/**
 * Returns the message that describes the tools. It goes before all others: what follows grows from turn to turn,
 * and servers read again only what comes after the first difference.
 */
function describeTools(tools: readonly ToolInfo[]): Message {
  const text = [
    'You can call these tools:',
    ...tools.map(
      (tool) => `- ${tool.name}: ${tool.description} Arguments: ${JSON.stringify(tool.parameters)}`,
    ),
  ].join('\n');
  return { role: 'user', parts: [{ text, stable: true }] };
}

/** The message that asks the model to choose a tool or to answer. */
export const CHOICE_TASK: Message = {
  role: 'user',
  parts: [
    {
      text: 'Do not answer yet. Say what you do next, with one JSON object and nothing else: {"tool": NAME, "arguments": {…}} to call one of the tools, or {"ready": true} where you have seen enough to answer.',
    },
  ],
};

/** The message that asks the model for its full answer, once it has chosen to call no tool. */
export const ANSWER_TASK: Message = {
  role: 'user',
  parts: [{ text: 'Now answer what you were asked, in full, with what you have seen.' }],
};
