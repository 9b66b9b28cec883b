/**
 * Decodes OTLP JSON as strictly as the protobuf JSON mapping allows, with OpenTelemetry's own exceptions:
 * keys in camelCase and no others, ids in hex, 64-bit integers as text, enumerations as numbers.
 */
import * as z from 'zod';

const hex = (digits: number) =>
  z.string().regex(new RegExp(`^(?!0+$)[0-9a-f]{${digits}}$`), `${digits} hex digits, not all 0`);
const int64 = z.string().regex(/^-?(?:0|[1-9]\d{0,18})$/, 'a 64-bit integer as text');
const nanoseconds = z.string().regex(/^[1-9]\d{17,18}$/, 'nanoseconds since 1970 as text');

const anyValue: z.ZodType = z.lazy(() =>
  z.union([
    z.strictObject({ stringValue: z.string().refine((text) => text.isWellFormed()) }),
    z.strictObject({ boolValue: z.boolean() }),
    z.strictObject({ intValue: int64 }),
    z.strictObject({ doubleValue: z.number() }),
    z.strictObject({ arrayValue: z.strictObject({ values: z.array(anyValue) }) }),
  ]),
);
const attributes = z
  .array(z.strictObject({ key: z.string().min(1), value: anyValue }))
  .refine((all) => new Set(all.map(({ key }) => key)).size === all.length, 'a key twice');

const span = z
  .strictObject({
    traceId: hex(32),
    spanId: hex(16),
    parentSpanId: hex(16).optional(),
    name: z.string().min(1),
    kind: z.int().min(1).max(5),
    startTimeUnixNano: nanoseconds,
    endTimeUnixNano: nanoseconds,
    attributes,
    links: z.array(z.strictObject({ traceId: hex(32), spanId: hex(16) })).optional(),
    status: z
      .strictObject({ code: z.int().min(0).max(2), message: z.string().optional() })
      .optional(),
  })
  .refine((one) => BigInt(one.startTimeUnixNano) <= BigInt(one.endTimeUnixNano), 'ends too early');

const traces = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeSpans: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string(), version: z.string() }),
          spans: z.array(span),
        }),
      ),
    }),
  ),
});

export type ReadSpan = z.infer<typeof span>;

/** @throws z.ZodError that says what no collector would take. */
export function readTrace(text: string): {
  readonly resource: ReadonlyMap<string, unknown>;
  readonly spans: readonly ReadSpan[];
} {
  const [first] = traces.parse(JSON.parse(text)).resourceSpans;
  return {
    resource: attributesIn(first?.resource.attributes ?? []),
    spans: first?.scopeSpans.flatMap((one) => one.spans) ?? [],
  };
}

export function attributesIn(
  all: readonly { readonly key: string; readonly value: unknown }[],
): ReadonlyMap<string, unknown> {
  return new Map(all.map(({ key, value }) => [key, Object.values(value as object)[0]]));
}
