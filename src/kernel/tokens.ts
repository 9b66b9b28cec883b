/** Estimates the tokens of texts and prompts. */
import type { Message } from './model.ts';
import type { ToolInfo } from './tools/tools.ts';

/**
 * Estimates the tokens of a text: one per 4 characters of ASCII and one per 1.4 other characters
 * (Cyrillic has about 2 per token, Chinese about 1). For prose and code the estimate is within a
 * quarter of what tokenizers of current models count.
 */
export function estimateTokens(text: string): number {
  let others = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) others += 1;
  return Math.ceil((text.length - others) / 4 + others / 1.4);
}

/** Tokens that the frame of each message costs. */
const PER_MESSAGE = 8;

/**
 * Estimates the tokens of a whole request: the system prompt, the messages and the descriptions of
 * the tools.
 */
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

/** Returns all texts of a message, tool calls and results included, in the order in which they are read. */
export function textsOf({ parts, calls = [], results = [] }: Message): string[] {
  return [
    ...parts.map(({ text }) => text),
    ...calls.map((call) => `${call.name} ${JSON.stringify(call.arguments) ?? ''}`),
    ...results.map(({ text }) => text),
  ];
}
