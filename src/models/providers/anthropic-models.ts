/** Reads what Anthropic's model endpoint says of a model, so that nothing is guessed from its name. */
import { isRecord } from '../../text/json.ts';
import { readCount } from '../counted.ts';
import { readWindow } from './listed-windows.ts';

/** What a server reports about a model. A field is absent if it is unknown. */
export interface ModelDescription {
  /** The context window in tokens. */
  readonly window?: number | undefined;
  /** The most that `max_tokens` may be. */
  readonly maxTokens?: number | undefined;
  /** Whether the model supports schemas. */
  readonly schema?: boolean | undefined;
  /** The levels of thinking effort that the model supports; empty: none. */
  readonly efforts?: readonly string[] | undefined;
  /** Whether thinking can be switched off. */
  readonly unthinking?: boolean | undefined;
}

/**
 * Parses a server's description of a model. Every field is untrusted, since other servers than
 * Anthropic's use this API.
 */
export function parseDescription(reply: unknown): ModelDescription {
  if (!isRecord(reply)) return {};
  const { max_tokens: maxTokens, capabilities } = reply;
  const can = isRecord(capabilities) ? capabilities : {};
  const types = isRecord(can.thinking) && isRecord(can.thinking.types) ? can.thinking.types : {};
  const effort = isRecord(can.effort) ? can.effort : undefined;
  return {
    window: readWindow(reply),
    maxTokens: readCount(maxTokens) || undefined,
    schema: isSupported(can.structured_outputs),
    unthinking: isSupported(types.disabled),
    efforts: effort && effortsIn(effort),
  };
}

/**
 * Returns the levels of effort. Each level is a capability of its own, beside the one for effort in
 * general.
 */
function effortsIn(effort: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  const known = isSupported(effort);
  if (known !== true) return known === false ? [] : undefined;
  return Object.entries(effort).flatMap(([level, can]) =>
    isSupported(can) === true ? [level] : [],
  );
}

/** Returns whether a capability is supported; undefined if unknown. */
function isSupported(capability: unknown): boolean | undefined {
  const said = isRecord(capability) ? capability.supported : undefined;
  return typeof said === 'boolean' ? said : undefined;
}
