/** How many tokens a text has, estimated where nobody has counted them yet. */
import type { Message } from './model.ts';
import type { ToolInfo } from './tools/tools.ts';

/**
 * An estimate: 4 characters a token for ASCII, 1.4 for the rest (Cyrillic takes about 2, Chinese
 * about 1). Within a quarter of the truth for prose and code, by the tokenizers of current models.
 */
export function estimateTokens(text: string): number {
  let others = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) others += 1;
  return Math.ceil((text.length - others) / 4 + others / 1.4);
}

/** Every message costs a few tokens for its frame. */
const PER_MESSAGE = 8;

export function estimatePrompt(
  system: string,
  messages: readonly Message[],
  tools: readonly ToolInfo[] = [],
): number {
  let tokens = estimateTokens(system) + PER_MESSAGE;
  if (tools.length > 0) tokens += estimateTokens(JSON.stringify(tools));
  for (const message of messages) {
    tokens += PER_MESSAGE;
    for (const text of textsOf(message)) tokens += estimateTokens(text);
  }
  return tokens;
}

/** All that a message says, tool calls and their results included, in the order in which it is read. */
export function textsOf({ parts, calls = [], results = [] }: Message): string[] {
  return [
    ...parts.map(({ text }) => text),
    ...calls.map((call) => `${call.name} ${JSON.stringify(call.arguments) ?? ''}`),
    ...results.map(({ text }) => text),
  ];
}
