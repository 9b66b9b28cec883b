/**
 * Reads OTLP JSON after the published definitions (opentelemetry-proto, trace/v1 and common/v1), more
 * strictly than a collector: keys in lowerCamelCase and no others, ids in hex and not in base64, 64-bit
 * integers as text, enumerations as numbers, and exactly one of the values that exclude each other.
 */

type Check = (value: unknown, at: string) => void;

/** Thrown for JSON that is no valid trace, with the place and the reason. */
export class RefusedTrace extends Error {}

function refuse(at: string, why: string): never {
  throw new RefusedTrace(`${at}: ${why}`);
}

const checkText: Check = (value, at) => {
  if (typeof value !== 'string' || !value.isWellFormed()) refuse(at, 'no text');
};
const checkBoolean: Check = (value, at) => {
  if (typeof value !== 'boolean') refuse(at, 'neither true nor false');
};
/** Checks a number, or the name of one of the three numbers that JSON cannot write. */
const checkDouble: Check = (value, at) => {
  if (typeof value !== 'number' && !['NaN', 'Infinity', '-Infinity'].includes(String(value)))
    refuse(at, 'no number');
};
/** Returns a check of an integer that is written as text, since numbers in JSON lose digits beyond 2^53. */
const integerText =
  (least: bigint, most: bigint): Check =>
  (value, at) => {
    if (typeof value !== 'string' || !/^(?:0|-?[1-9]\d*)$/.test(value))
      refuse(at, 'no integer as text');
    if (BigInt(value) < least || BigInt(value) > most) refuse(at, 'more than 64 bits');
  };
const makeIntegerCheck =
  (most: number): Check =>
  (value, at) => {
    if (!Number.isInteger(value) || Number(value) < 0 || Number(value) > most)
      refuse(at, `no integer of 0 to ${most}`);
  };
const makeHexCheck =
  (digits: number): Check =>
  (value, at) => {
    if (typeof value !== 'string' || !new RegExp(`^[0-9a-f]{${digits}}$`).test(value))
      refuse(at, `not ${digits} hex digits`);
    if (/^0+$/.test(String(value))) refuse(at, 'an id of zeroes');
  };
const base64: Check = (value, at) => {
  if (typeof value !== 'string' || Buffer.from(value, 'base64').toString('base64') !== value)
    refuse(at, 'no base64');
};
const makeListCheck =
  (of: Check): Check =>
  (value, at) => {
    if (!Array.isArray(value)) refuse(at, 'no list');
    for (const [index, item] of (value as unknown[]).entries()) of(item, `${at}[${index}]`);
  };

interface Message {
  readonly fields: Readonly<Record<string, Check>>;
  readonly required?: readonly string[];
  /** Whether the message has exactly one of its fields. */
  readonly oneOf?: boolean;
  /** Checks what concerns more than one field. */
  readonly whole?: (value: Record<string, unknown>, at: string) => void;
}

function makeMessageCheck({ fields, required = [], oneOf = false, whole }: Message): Check {
  const known = new Map(Object.entries(fields));
  return (value, at) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value))
      refuse(at, 'no object');
    const given = value as Record<string, unknown>;
    for (const [key, field] of Object.entries(given)) {
      const check = known.get(key) ?? refuse(at, `${key} is no field`);
      check(field, `${at}.${key}`);
    }
    for (const key of required) if (!Object.hasOwn(given, key)) refuse(at, `${key} is missing`);
    if (oneOf && Object.keys(given).length !== 1) refuse(at, 'not one value');
    whole?.(given, at);
  };
}

const uint32 = makeIntegerCheck(2 ** 32 - 1);
const fixed64 = integerText(0n, 2n ** 64n - 1n);

const anyValue: Check = (value, at) => ANY_VALUE(value, at);
const keyValue = makeMessageCheck({
  fields: { key: checkText, value: anyValue },
  required: ['key', 'value'],
});
const checkAttributes: Check = (value, at) => {
  makeListCheck(keyValue)(value, at);
  const keys = (value as { key: string }[]).map(({ key }) => key);
  if (keys.includes('')) refuse(at, 'a key without a name');
  if (new Set(keys).size < keys.length) refuse(at, 'a key twice');
};
const ANY_VALUE = makeMessageCheck({
  fields: {
    stringValue: checkText,
    boolValue: checkBoolean,
    intValue: integerText(-(2n ** 63n), 2n ** 63n - 1n),
    doubleValue: checkDouble,
    arrayValue: makeMessageCheck({ fields: { values: makeListCheck(anyValue) } }),
    kvlistValue: makeMessageCheck({ fields: { values: checkAttributes } }),
    bytesValue: base64,
  },
  oneOf: true,
});

const counted = { attributes: checkAttributes, droppedAttributesCount: uint32 };
const event = makeMessageCheck({
  fields: { timeUnixNano: fixed64, name: checkText, ...counted },
  required: ['timeUnixNano', 'name'],
});
const link = makeMessageCheck({
  fields: {
    traceId: makeHexCheck(32),
    spanId: makeHexCheck(16),
    traceState: checkText,
    ...counted,
    flags: uint32,
  },
  required: ['traceId', 'spanId'],
});
const span = makeMessageCheck({
  fields: {
    traceId: makeHexCheck(32),
    spanId: makeHexCheck(16),
    traceState: checkText,
    parentSpanId: makeHexCheck(16),
    flags: uint32,
    name: checkText,
    kind: makeIntegerCheck(5),
    ...counted,
    startTimeUnixNano: fixed64,
    endTimeUnixNano: fixed64,
    events: makeListCheck(event),
    droppedEventsCount: uint32,
    links: makeListCheck(link),
    droppedLinksCount: uint32,
    status: makeMessageCheck({ fields: { message: checkText, code: makeIntegerCheck(2) } }),
  },
  required: ['traceId', 'spanId', 'name', 'kind', 'startTimeUnixNano', 'endTimeUnixNano'],
  whole: ({ name, kind, startTimeUnixNano: start, endTimeUnixNano: end }, at) => {
    if (name === '' || kind === 0) refuse(at, 'without a name or a kind');
    // From 2002 to 2100, the nanoseconds since 1970 have 19 digits. A time in seconds or microseconds has
    // fewer and is refused.
    if (!/^[1-4]\d{18}$/.test(`${start}`)) refuse(at, 'no nanoseconds since 1970');
    if (BigInt(`${end}`) < BigInt(`${start}`)) refuse(at, 'it ends before it begins');
  },
});
const scope = makeMessageCheck({ fields: { name: checkText, version: checkText, ...counted } });
const resource = makeMessageCheck({ fields: counted });
const traces = makeMessageCheck({
  fields: {
    resourceSpans: makeListCheck(
      makeMessageCheck({
        fields: {
          resource,
          scopeSpans: makeListCheck(
            makeMessageCheck({
              fields: { scope, spans: makeListCheck(span), schemaUrl: checkText },
              required: ['spans'],
            }),
          ),
          schemaUrl: checkText,
        },
        required: ['scopeSpans'],
      }),
    ),
  },
  required: ['resourceSpans'],
});

type Attributes = readonly { readonly key: string; readonly value: unknown }[];

/** A span of a trace, as OTLP names its fields. */
export interface ReadSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Absent for the root of the trace. */
  readonly parentSpanId?: string;
  readonly name: string;
  /** 1 for work within the program, 3 for a call to a server. */
  readonly kind: number;
  /** Nanoseconds since 1970. */
  readonly startTimeUnixNano: string;
  /** Nanoseconds since 1970. */
  readonly endTimeUnixNano: string;
  readonly attributes: Attributes;
  /** Spans of other traces that this span refers to. */
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  /** The code is 2 for failed work, 1 for good work, and 0 if that is not stated. */
  readonly status?: { readonly code: number; readonly message?: string };
}

interface Traces {
  readonly resourceSpans: readonly {
    readonly resource?: { readonly attributes: Attributes };
    readonly scopeSpans: readonly { readonly spans: readonly ReadSpan[] }[];
  }[];
}

/**
 * Returns the attributes of a trace's first resource and the spans of this resource.
 *
 * @throws RefusedTrace if the JSON is no valid trace
 */
export function readTrace(json: string): {
  readonly resource: ReadonlyMap<string, unknown>;
  readonly spans: readonly ReadSpan[];
} {
  const value: unknown = JSON.parse(json);
  traces(value, 'traces');
  const [first] = (value as Traces).resourceSpans;
  return {
    resource: attributesIn(first?.resource?.attributes ?? []),
    spans: first?.scopeSpans.flatMap((scope) => scope.spans) ?? [],
  };
}

/** Returns the values of the attributes of an OpenTelemetry span or resource, by their keys. */
export function attributesIn(all: Attributes): ReadonlyMap<string, unknown> {
  return new Map(all.map(({ key, value }) => [key, Object.values(value as object)[0]]));
}
