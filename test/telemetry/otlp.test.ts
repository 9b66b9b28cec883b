/** What the tests read traces with has to refuse what a collector would. */
import { expect, it } from 'vitest';
import { RefusedTrace, readTrace } from './otlp-reader.ts';

const SPAN = {
  traceId: '5b8efff798038103d269b633813fc60c',
  spanId: 'eee19b7ec3c1b174',
  parentSpanId: 'eee19b7ec3c1b173',
  traceState: 'a=b',
  flags: 257,
  name: 'chat m',
  kind: 3,
  startTimeUnixNano: '1767225600000000000',
  endTimeUnixNano: '1767225601000000000',
  attributes: [
    { key: 'text', value: { stringValue: 'x' } },
    { key: 'yes', value: { boolValue: true } },
    { key: 'whole', value: { intValue: '-9223372036854775808' } },
    { key: 'part', value: { doubleValue: 0.5 } },
    { key: 'list', value: { arrayValue: { values: [{ stringValue: 'x' }] } } },
    { key: 'map', value: { kvlistValue: { values: [{ key: 'k', value: { intValue: '1' } }] } } },
    { key: 'bytes', value: { bytesValue: 'AAE=' } },
  ],
  droppedAttributesCount: 1,
  events: [{ timeUnixNano: '1767225600000000001', name: 'e', attributes: [] }],
  links: [{ traceId: '5b8efff798038103d269b633813fc60d', spanId: 'eee19b7ec3c1b175', flags: 0 }],
  status: { code: 2, message: 'no' },
};

const traceOf = (span: object, more: object = {}): string =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 's' } }] },
        scopeSpans: [{ scope: { name: 'deliberate', version: '0' }, spans: [span] }],
        ...more,
      },
    ],
  });
const makeAttributes = (value: unknown): object => ({ attributes: [{ key: 'k', value }] });

it('readTrace accepts a span with every optional field', () => {
  const { spans, resource } = readTrace(traceOf(SPAN));
  expect(spans).toEqual([SPAN]);
  expect(resource.get('service.name')).toBe('s');
});

it.each<[string, object]>([
  ['an id in base64', { traceId: 'W47/95gDgQPSabYzgT/GDA==' }],
  ['an id in capitals', { spanId: 'EEE19B7EC3C1B174' }],
  ['an id that is too short', { spanId: 'eee19b7ec3c1b1' }],
  ['an id of zeroes', { parentSpanId: '0'.repeat(16) }],
  ['no id', { spanId: undefined }],
  ['a name in snake_case', { parent_span_id: 'eee19b7ec3c1b173' }],
  ['a field that OTLP does not have', { colour: 'red' }],
  ['a kind in words', { kind: 'SPAN_KIND_CLIENT' }],
  ['a kind that does not exist', { kind: 6 }],
  ['a time as a number', { startTimeUnixNano: 1767225600000000000 }],
  ['a time in milliseconds', { startTimeUnixNano: '1767225600000' }],
  ['an end before its beginning', { endTimeUnixNano: '1767225599000000000' }],
  ['a time of more than 64 bits', { endTimeUnixNano: '18446744073709551616' }],
  ['a time with a leading zero', { endTimeUnixNano: '01767225601000000000' }],
  ['an integer as a number', makeAttributes({ intValue: 1 })],
  ['an integer of more than 64 bits', makeAttributes({ intValue: '9223372036854775808' })],
  ['a fraction as text', makeAttributes({ doubleValue: '0.5' })],
  ['two values in one attribute', makeAttributes({ intValue: '1', stringValue: '1' })],
  ['an attribute value without a type', makeAttributes({})],
  ['an attribute value that is not an object', makeAttributes('x')],
  ['a list that is not in an object', makeAttributes({ arrayValue: [{ stringValue: 'x' }] })],
  ['an unpaired surrogate', makeAttributes({ stringValue: '\ud800' })],
  ['bytes in hex', makeAttributes({ bytesValue: 'eee19b7' })],
  ['one key twice', { attributes: [SPAN.attributes[0], SPAN.attributes[0]] }],
  ['attributes as an object', { attributes: { text: 'x' } }],
  ['a status in words', { status: { code: 'STATUS_CODE_ERROR' } }],
  ['a link without a span', { links: [{ traceId: SPAN.traceId }] }],
  ['an event without a time', { events: [{ name: 'e' }] }],
  ['flags of more than 32 bits', { flags: 2 ** 32 }],
  ['null in place of a list', { links: null }],
])('readTrace rejects a span with %s', (_what, more) => {
  expect(() => readTrace(traceOf({ ...SPAN, ...more }))).toThrow(RefusedTrace);
});

it('readTrace rejects a trace whose outer fields, which contain the spans, are invalid', () => {
  expect(() => readTrace('{"resource_spans":[]}')).toThrow(RefusedTrace);
  expect(() => readTrace('[]')).toThrow(RefusedTrace);
  expect(() => readTrace(traceOf(SPAN, { instrumentationLibrarySpans: [] }))).toThrow(RefusedTrace);
});
