/** What all providers have in common about tools: who is offered some, and what a call's arguments are. */
import type { ToolCall } from '../../kernel/tools.ts';
import { isRecord } from '../failure.ts';
import type { ProviderRequest } from '../provider.ts';

export function isOffered({
  tools,
  toolsClosed,
}: Pick<ProviderRequest, 'tools' | 'toolsClosed'>): boolean {
  return tools !== undefined && tools.length > 0 && toolsClosed !== true;
}

/** Arguments as they were sent: an object, or text that should be one; the text where it is none. */
export function readArguments(sent: unknown): unknown {
  if (typeof sent !== 'string') return sent ?? {};
  if (sent.trim() === '') return {};
  try {
    return JSON.parse(sent) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return sent;
    throw error;
  }
}

/** As a provider takes them back: always an object. */
export function argumentsOf({ arguments: given }: ToolCall): Record<string, unknown> {
  return isRecord(given) ? { ...given } : { unreadable: String(given) };
}
