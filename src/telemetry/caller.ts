/**
 * Reads and writes the caller's span in the format of W3C Trace Context: in the variable `TRACEPARENT`, and
 * in the `_meta` of a call over MCP. Malformed values are ignored.
 */
import type { Caller } from '../kernel/facts.ts';

/** Version, trace, span and flags; later versions may have more fields. */
const PARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/**
 * Parses the trace and span of the program's caller, in the format of the variable TRACEPARENT.
 * Returns undefined if the value is no text or is malformed.
 */
export function readCaller(text: unknown): Caller | undefined {
  if (typeof text !== 'string') return undefined;
  const [, version, trace, span, more] = PARENT.exec(text) ?? [];
  if (trace === undefined || span === undefined) return undefined;
  return version === '00' && more !== undefined ? undefined : { trace, span };
}

/** Formats a trace and span for a child process, in the format of the variable TRACEPARENT. */
export function writeCaller({ trace, span }: Caller): string {
  return `00-${trace}-${span}-00`;
}
