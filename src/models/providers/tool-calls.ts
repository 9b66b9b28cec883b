/** What all providers have in common about tools: who is offered some, and what a call's arguments are. */
import type { ToolCall } from '../../kernel/tools/tools.ts';
import { isRecord } from '../../text/is-record.ts';
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

/** Calls of one turn; more is no wish to know something. */
const MOST_CALLS = 64;
const LONGEST_NAME = 100;
/** Characters of a call's arguments, which are kept with the run. */
export const LONGEST_ARGUMENTS = 20_000;
/** Deeper nesting is none of our tools', and SQLite reads no JSON of a thousand levels. */
const DEEPEST = 16;

/** What a model wants to call, as it can be kept: it may write anything, and at any length. */
export function soundCalls(calls: readonly ToolCall[]): ToolCall[] {
  return calls.slice(0, MOST_CALLS).map(({ id, name, arguments: given }) => {
    const text = typeof given === 'string' ? given : JSON.stringify(given);
    const isSound = text.length <= LONGEST_ARGUMENTS && !isDeeper(given, DEEPEST);
    return {
      id: id.slice(0, LONGEST_NAME),
      name: name.slice(0, LONGEST_NAME),
      arguments: isSound ? given : text.slice(0, LONGEST_ARGUMENTS),
    };
  });
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1));
}

/** As a provider takes them back: always an object. */
export function argumentsOf({ arguments: given }: ToolCall): Record<string, unknown> {
  return isRecord(given) ? { ...given } : { unreadable: String(given) };
}
