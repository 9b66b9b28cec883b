/** Estimates the tokens of texts and prompts. */
import type { Message } from './model.ts';
import type { ToolInfo } from './tools/tools.ts';

/**
 * Estimates the tokens of a text at 4 characters per token for ASCII and 1.4 for the rest (Cyrillic takes
 * about 2, Chinese about 1). By the tokenizers of current models the estimate is within a quarter of the
 * truth for prose and code.
 */
export function estimateTokens(text: string): number {
  let others = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) others += 1;
  return Math.ceil((text.length - others) / 4 + others / 1.4);
}

/** Tokens that the frame of each message costs. */
const PER_MESSAGE = 8;

/** Estimates the tokens of a whole request. */
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
