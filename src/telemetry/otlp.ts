/**
 * Converts spans to OTLP/HTTP JSON: ids in hexadecimal, 64-bit numbers as text, enumerations as numbers.
 */

import { withoutUndefined } from '../text/without-undefined.ts';
import { type Span, toTraceId, type Value } from './spans.ts';

/** Attributes of the program that sends spans: `service.name` and others that a person has set. */
export type Resource = Readonly<Record<string, string>>;

const KINDS = { internal: 1, client: 3 } as const;
const ERROR = 2;

/**
 * Builds the body of a request to a collector, in OTLP's JSON form.
 *
 * @param version the program's version
 */
export function toOtlp(spans: readonly Span[], resource: Resource, version: string): object {
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [{ scope: { name: 'deliberate', version }, spans: spans.map(spanOf) }],
      },
    ],
  };
}

function spanOf(span: Span): object {
  const { parentSpanId, links = [], error } = span;
  return {
    traceId: toTraceId(span.run),
    spanId: span.spanId,
    ...withoutUndefined({ parentSpanId }),
    name: span.name.toWellFormed(),
    kind: KINDS[span.kind],
    startTimeUnixNano: toNanoseconds(span.start),
    // If the clock was set back, the span seems to end before it begins. Let it end at its beginning then.
    endTimeUnixNano: toNanoseconds(span.end < span.start ? span.start : span.end),
    attributes: attributesOf(span.attributes),
    ...(links.length === 0 ? {} : { links }),
    ...(error === undefined
      ? {}
      : {
          status: {
            code: ERROR,
            ...(error.message === undefined ? {} : { message: error.message.toWellFormed() }),
          },
        }),
  };
}

function attributesOf(attributes: Readonly<Record<string, Value | undefined>>): object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: encodeValue(value) }],
  );
}

function encodeValue(value: Value): object {
  if (typeof value === 'string') return { stringValue: value.toWellFormed() };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return { doubleValue: value };
  if ('int' in value) return { intValue: String(value.int) };
  return { arrayValue: { values: value.map(encodeValue) } };
}

/** Converts a time to nanoseconds since 1970; records have only milliseconds. */
function toNanoseconds(moment: string): string {
  const ms = Date.parse(moment);
  return Number.isFinite(ms) && ms > 0 ? `${ms}000000` : '0';
}
