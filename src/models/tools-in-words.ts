/**
 * Tools for models that were not made to call any, and for servers that refuse them: the model is told of
 * them in words and says by a schema whether it wants to call one. Its answer is then prose, as ever: a
 * small model's Markdown inside of JSON is half as good.
 */
import * as z from 'zod';
import type { Message } from '../kernel/model.ts';
import type { ToolCall, ToolInfo } from '../kernel/tools/tools.ts';
import type { JsonSchema } from './provider.ts';

/** What the model may write where it has to choose. */
export const choiceSchema = z.union([
  z.object({ tool: z.string().min(1), arguments: z.unknown().optional() }),
  z.object({ ready: z.literal(true) }),
]);

/** The same as precisely as it can be told: each tool with its own arguments. */
export function choiceJson(tools: readonly ToolInfo[]): JsonSchema {
  const closed = (properties: Record<string, unknown>) => ({
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  });
  return {
    anyOf: [
      ...tools.map(({ name, parameters }) =>
        closed({ tool: { type: 'string', const: name }, arguments: parameters }),
      ),
      closed({ ready: { type: 'boolean', const: true } }),
    ],
  };
}

/** The call in a choice; undefined where the model is ready to answer. */
export function callIn(choice: unknown): ToolCall | undefined {
  const { data } = choiceSchema.safeParse(choice);
  if (data === undefined || 'ready' in data) return undefined;
  return { id: 'call-1', name: data.tool, arguments: data.arguments ?? {} };
}

/** Calls and results as text, for whoever knows no such messages; roles take turns, as templates want it. */
export function inWords(messages: readonly Message[]): Message[] {
  const said: Message[] = [];
  for (const { role, parts, calls = [], results = [] } of messages) {
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

/** What the model is told before it chooses. */
export function choiceTask(tools: readonly ToolInfo[]): Message {
  const text = [
    'You can call these tools:',
    ...tools.map(
      (one) => `- ${one.name}: ${one.description} Arguments: ${JSON.stringify(one.parameters)}`,
    ),
    'Do not answer yet. Say what you do next, with one JSON object and nothing else: {"tool": NAME, "arguments": {…}} to call one of them, or {"ready": true} where you have seen enough to answer.',
  ].join('\n');
  return { role: 'user', parts: [{ text }] };
}

export const ANSWER_TASK: Message = {
  role: 'user',
  parts: [{ text: 'Now answer what you were asked, in full, with what you have seen.' }],
};
