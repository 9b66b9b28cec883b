/** Helpers for tools that all providers share. */
import type { ToolCall } from '../../kernel/tools/tools.ts';
import { isRecord, parseJson } from '../../text/json.ts';
import type { ProviderRequest } from '../provider.ts';

/** Returns whether a request offers tools that the model may use now. */
export function isOffered({
  tools,
  toolsClosed,
}: Pick<ProviderRequest, 'tools' | 'toolsClosed'>): boolean {
  return tools !== undefined && tools.length > 0 && toolsClosed !== true;
}

/**
 * Parses the arguments of a tool call, which are an object or JSON text. Missing arguments and empty
 * text become an empty object. Text that is not JSON is returned unchanged.
 */
export function readArguments(sent: unknown): unknown {
  if (typeof sent !== 'string') return sent ?? {};
  if (sent.trim() === '') return {};
  const value = parseJson(sent);
  return value === undefined ? sent : value;
}

/** The most calls in one turn; more are not meant seriously. */
const MOST_CALLS = 64;
const LONGEST_NAME = 100;
/** The most characters of a tool call's arguments, since the arguments are stored with the run. */
export const LONGEST_ARGUMENTS = 20_000;
/** The deepest nesting of arguments. No tool needs more, and SQLite parses JSON of at most 1000 levels. */
const DEEPEST = 16;

/**
 * Limits the number, length and nesting of a model's tool calls, so that they can be stored. Arguments that
 * are too long or too deep become a text that is cut.
 */
export function limitCalls(calls: readonly ToolCall[]): ToolCall[] {
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
  return levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1));
}

/**
 * Returns the arguments of a tool call as an object, as providers require when the call is sent
 * back. Arguments that are no object become the field `unreadable`.
 */
export function argumentsOf({ arguments: given }: ToolCall): Record<string, unknown> {
  return isRecord(given) ? { ...given } : { unreadable: String(given) };
}
