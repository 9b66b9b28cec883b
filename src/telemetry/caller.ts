/**
 * Whose span a run was asked for from, as W3C Trace Context writes it: in the variable `TRACEPARENT`, and
 * in the `_meta` of a call under MCP. What is not well formed names nobody.
 */
import type { Caller } from '../kernel/facts.ts';

/** Version, trace, span, flags, and of later versions what they say besides. */
const PARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

export function readCaller(text: unknown): Caller | undefined {
  if (typeof text !== 'string') return undefined;
  const [, version, trace, span, more] = PARENT.exec(text) ?? [];
  if (trace === undefined || span === undefined) return undefined;
  return version === '00' && more !== undefined ? undefined : { trace, span };
}

/** For a process that goes on with the work. */
export function writeCaller({ trace, span }: Caller): string {
  return `00-${trace}-${span}-00`;
}
