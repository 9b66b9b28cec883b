/**
 * Decodes OTLP JSON as the published definitions have it (opentelemetry-proto, trace/v1 and common/v1), and
 * more strictly than a collector: keys in lowerCamelCase and no others, ids in hex and not base64, 64-bit
 * integers as text, enumerations as numbers, one value of those that exclude each other.
 */

type Check = (value: unknown, at: string) => void;

export class Refused extends Error {}

function refuse(at: string, why: string): never {
  throw new Refused(`${at}: ${why}`);
}

const text: Check = (value, at) => {
  if (typeof value !== 'string' || !value.isWellFormed()) refuse(at, 'no text');
};
const truth: Check = (value, at) => {
  if (typeof value !== 'boolean') refuse(at, 'neither true nor false');
};
/** JSON has no number for these three, the mapping has names. */
const double: Check = (value, at) => {
  if (typeof value !== 'number' && !['NaN', 'Infinity', '-Infinity'].includes(String(value)))
    refuse(at, 'no number');
};
/** `least` and `most` are of the type; as text, because a number of JSON loses digits past 2^53. */
const integerText =
  (least: bigint, most: bigint): Check =>
  (value, at) => {
    if (typeof value !== 'string' || !/^(?:0|-?[1-9]\d*)$/.test(value))
      refuse(at, 'no integer as text');
    if (BigInt(value) < least || BigInt(value) > most) refuse(at, 'more than 64 bits');
  };
const integer =
  (most: number): Check =>
  (value, at) => {
    if (!Number.isInteger(value) || Number(value) < 0 || Number(value) > most)
      refuse(at, `no integer of 0 to ${most}`);
  };
const hex =
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
const list =
  (of: Check): Check =>
  (value, at) => {
    if (!Array.isArray(value)) refuse(at, 'no list');
    for (const [index, one] of (value as unknown[]).entries()) of(one, `${at}[${index}]`);
  };

interface Message {
  readonly fields: Readonly<Record<string, Check>>;
  readonly required?: readonly string[];
  /** At most one of its fields is there. */
  readonly oneOf?: boolean;
  /** What no field says of itself. */
  readonly whole?: (value: Record<string, unknown>, at: string) => void;
}

function message({ fields, required = [], oneOf = false, whole }: Message): Check {
  const known = new Map(Object.entries(fields));
  return (value, at) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value))
      refuse(at, 'no object');
    const given = value as Record<string, unknown>;
    for (const [key, one] of Object.entries(given)) {
      const check = known.get(key) ?? refuse(at, `${key} is no field`);
      check(one, `${at}.${key}`);
    }
    for (const key of required) if (!Object.hasOwn(given, key)) refuse(at, `${key} is missing`);
    if (oneOf && Object.keys(given).length !== 1) refuse(at, 'not one value');
    whole?.(given, at);
  };
}

const uint32 = integer(2 ** 32 - 1);
const fixed64 = integerText(0n, 2n ** 64n - 1n);

const anyValue: Check = (value, at) => ANY_VALUE(value, at);
const keyValue = message({ fields: { key: text, value: anyValue }, required: ['key', 'value'] });
const attributes: Check = (value, at) => {
  list(keyValue)(value, at);
  const keys = (value as { key: string }[]).map(({ key }) => key);
  if (keys.includes('')) refuse(at, 'a key without a name');
  if (new Set(keys).size < keys.length) refuse(at, 'a key twice');
};
const ANY_VALUE = message({
  fields: {
    stringValue: text,
    boolValue: truth,
    intValue: integerText(-(2n ** 63n), 2n ** 63n - 1n),
    doubleValue: double,
    arrayValue: message({ fields: { values: list(anyValue) } }),
    kvlistValue: message({ fields: { values: attributes } }),
    bytesValue: base64,
  },
  oneOf: true,
});

const counted = { attributes, droppedAttributesCount: uint32 };
const event = message({
  fields: { timeUnixNano: fixed64, name: text, ...counted },
  required: ['timeUnixNano', 'name'],
});
const link = message({
  fields: { traceId: hex(32), spanId: hex(16), traceState: text, ...counted, flags: uint32 },
  required: ['traceId', 'spanId'],
});
const span = message({
  fields: {
    traceId: hex(32),
    spanId: hex(16),
    traceState: text,
    parentSpanId: hex(16),
    flags: uint32,
    name: text,
    kind: integer(5),
    ...counted,
    startTimeUnixNano: fixed64,
    endTimeUnixNano: fixed64,
    events: list(event),
    droppedEventsCount: uint32,
    links: list(link),
    droppedLinksCount: uint32,
    status: message({ fields: { message: text, code: integer(2) } }),
  },
  required: ['traceId', 'spanId', 'name', 'kind', 'startTimeUnixNano', 'endTimeUnixNano'],
  whole: ({ name, kind, startTimeUnixNano: start, endTimeUnixNano: end }, at) => {
    if (name === '' || kind === 0) refuse(at, 'without a name or a kind');
    // Accept times of this century only: seconds or microseconds in place of nanoseconds would be
    // in another one.
    if (!/^[1-4]\d{18}$/.test(`${start}`)) refuse(at, 'no nanoseconds since 1970');
    if (BigInt(`${end}`) < BigInt(`${start}`)) refuse(at, 'it ends before it begins');
  },
});
const scope = message({ fields: { name: text, version: text, ...counted } });
const resource = message({ fields: counted });
const traces = message({
  fields: {
    resourceSpans: list(
      message({
        fields: {
          resource,
          scopeSpans: list(
            message({ fields: { scope, spans: list(span), schemaUrl: text }, required: ['spans'] }),
          ),
          schemaUrl: text,
        },
        required: ['scopeSpans'],
      }),
    ),
  },
  required: ['resourceSpans'],
});

type Attributes = readonly { readonly key: string; readonly value: unknown }[];

export interface ReadSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Attributes;
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status?: { readonly code: number; readonly message?: string };
}

interface Traces {
  readonly resourceSpans: readonly {
    readonly resource?: { readonly attributes: Attributes };
    readonly scopeSpans: readonly { readonly spans: readonly ReadSpan[] }[];
  }[];
}

/** @throws Refused that says what no collector would take. */
export function readTrace(json: string): {
  readonly resource: ReadonlyMap<string, unknown>;
  readonly spans: readonly ReadSpan[];
} {
  const value: unknown = JSON.parse(json);
  traces(value, 'traces');
  const [first] = (value as Traces).resourceSpans;
  return {
    resource: attributesIn(first?.resource?.attributes ?? []),
    spans: first?.scopeSpans.flatMap((one) => one.spans) ?? [],
  };
}

export function attributesIn(all: Attributes): ReadonlyMap<string, unknown> {
  return new Map(all.map(({ key, value }) => [key, Object.values(value as object)[0]]));
}
