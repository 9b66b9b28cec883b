/**
 * Fuzz targets of the room `models`: what servers send, and what models write when an object was asked for.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import * as z from 'zod';
import { ProviderFailure } from '../../src/models/failure.ts';
import { type Frame, FramingError, NdjsonFramer, SseFramer } from '../../src/models/framing.ts';
import { type Forms, formsOfAll, SecretFilter } from '../../src/models/secrets.ts';
import { StreamGuard } from '../../src/models/stream-guard.ts';
import { readStructured } from '../../src/models/structured.ts';
import { anyCharacter } from '../any-character.ts';
import { cutShares, cutText, type FuzzTarget, makeTarget, makeText } from './fuzz.ts';

const shape = z.object({
  verdict: z.enum(['yes', 'no']),
  reasons: z.array(z.string()),
  share: z.number().optional(),
});

const honest = fc.record(
  {
    verdict: fc.constantFrom('yes', 'no'),
    reasons: fc.array(fc.string({ unit: anyCharacter, maxLength: 12 }), { maxLength: 3 }),
    share: fc.double({ noNaN: true, noDefaultInfinity: true }).map((share) => share + 0),
  },
  { requiredKeys: ['verdict', 'reasons'] },
);

const JSONISH = [
  ...['{', '}', '[', ']', '"', "'", ':', ',', '\\', '\\u12', '\n', '```', '```json\n', '<think>'],
  ...['</think>', '"verdict"', '"verdict": "yes"', '"reasons": [', '"a"', 'null', 'NaN', '1e999'],
  ...[
    '//',
    '/*',
    '*/',
    '...',
    'true',
    '{"verdict":"yes","reasons":[]}',
    ' ',
    'So: ',
    '\ud800',
    '“',
  ],
];

const WIRE = [
  ...['\n', '\r\n', '\r', '\n\n', 'data:', 'data: ', ': ping\n', 'event: x\n', 'id: 1\n', '[DONE]'],
  ...[
    '{"t":"more"}',
    '{"t":"end"}',
    '{"t":"complete"}',
    'data: {"t":"more"}\n\n',
    '{',
    '"é"',
    '漢',
    ' ',
  ],
  ...[
    '{"t":"more"}\n',
    '{"t":"end"}\n',
    'data: {"t":"complete"}\n\n',
    'data: [DONE]\n\n',
    '\ufeff',
  ],
];

/** Bytes that are mostly valid UTF-8, and sometimes not. */
const bytes = fc
  .array(
    fc.oneof(
      { weight: 9, arbitrary: makeText(WIRE, 4).map((text) => Buffer.from(text)) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 4 }).map((some) => Buffer.from(some)) },
    ),
    { maxLength: 8 },
  )
  .map((parts) => Buffer.concat(parts));

/** Returns all records of the chunks, and the error with which they ended. */
function readFrames(framing: 'ndjson' | 'sse', chunks: readonly Uint8Array[]): unknown[] {
  const framer = framing === 'ndjson' ? new NdjsonFramer() : new SseFramer();
  const out: (Frame | string | undefined)[] = [];
  try {
    for (const chunk of chunks) for (const frame of framer.push(chunk)) out.push(frame);
    out.push(framer.rest());
  } catch (error) {
    if (!(error instanceof FramingError)) throw error;
    out.push(error.problem);
  }
  return out;
}

/** A server that answers each request with the chunks that were prepared for it. */
class ChunkServer {
  #next: readonly Uint8Array[] = [];
  #url: Promise<string> | undefined;

  async serve(chunks: readonly Uint8Array[]): Promise<string> {
    this.#next = chunks;
    this.#url ??= new Promise((resolve) => {
      const server = createServer(async (request, reply) => {
        request.resume();
        reply.writeHead(200, { 'content-type': 'application/octet-stream' });
        for (const chunk of this.#next) {
          reply.write(chunk);
          await new Promise(setImmediate);
        }
        reply.end();
      });
      server.listen(0, '127.0.0.1', () => {
        server.unref();
        resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      });
    });
    return this.#url;
  }
}

const server = new ChunkServer();

async function guardStream(
  framing: 'ndjson' | 'sse',
  chunks: readonly Uint8Array[],
): Promise<unknown> {
  const guard = new StreamGuard({
    about: { name: 'fuzz', endpoint: 'http://127.0.0.1' } as never,
    model: 'm',
    signal: new AbortController().signal,
    idleMs: 60_000,
    wire: {
      framing,
      judge: ({ t }) => (t === 'end' || t === 'complete' ? t : 'more'),
    },
  });
  try {
    const response = await guard.fetch(await server.serve(chunks));
    return await response.text();
  } catch (error) {
    assert.ok(error instanceof ProviderFailure, String(error));
    assert.notEqual(guard.failure, undefined);
    return guard.failure?.code;
  } finally {
    guard.close();
  }
}

/**
 * Secrets of two letters only, so that they contain each other and occur in the text around them. The mask `[key]`
 * has other letters.
 */
const secret = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 8, maxLength: 12 });
const NEARLY = ['a', 'b', 'ab', 'aab', 'abb', 'aaaa', 'bbbb', ' ', 'abababab', 'aaaaaaaa'];

function filterPieces(pieces: readonly string[], forms: Forms): string {
  const filter = new SecretFilter(forms);
  return pieces.map((piece) => filter.push(piece)).join('') + filter.end();
}

const framing = fc.constantFrom('ndjson' as const, 'sse' as const);

/** The fuzz targets of the room `models`. */
export const MODEL_TARGETS: readonly FuzzTarget[] = [
  makeTarget(
    'structured output: any text gives a value of the right shape or a list of problems',
    makeText(JSONISH),
    (text) => {
      const read = readStructured(text, shape);
      if (!read.ok) assert.ok(read.problems.length > 0);
      else {
        const said = JSON.stringify(read.value);
        assert.ok(shape.safeParse(read.value).success, said);
        assert.deepEqual(readStructured(said, shape), { ...read, notes: [] });
      }
    },
    {
      piece: makeText(JSONISH, 8),
      read: (text) => readStructured(text, shape),
      // The repair of a text may take quadratic time, so measure the time of texts that are too long to be repaired.
      length: 70_000,
    },
  ),
  makeTarget(
    'structured output: an object is found in prose, in a code block and after thoughts',
    fc.tuple(
      honest,
      fc.constantFrom('', 'So:\n', '<think>hm {x</think>', '```json\n'),
      fc.boolean(),
    ),
    ([value, before, after]) => {
      const text = `${before}${JSON.stringify(value, null, after ? 2 : 0)}${before.startsWith('`') ? '\n```' : after ? '\nThat is all.' : ''}`;
      const read = readStructured(text, shape);
      assert.ok(read.ok, JSON.stringify(read));
      assert.deepEqual(read.value, JSON.parse(JSON.stringify(value)));
    },
  ),
  makeTarget(
    'secrets: no secret gets through, wherever the text is cut into pieces',
    fc.tuple(fc.array(secret, { minLength: 1, maxLength: 3 }), makeText(NEARLY), cutShares),
    ([secrets, text, shares]) => {
      const forms = formsOfAll(secrets);
      const pieces = cutText<string>(text, shares);
      const clean = filterPieces(pieces, forms);
      assert.equal(clean, filterPieces([text], forms));
      for (const secret of secrets) assert.ok(!clean.includes(secret), clean);
      if (!secrets.some((secret) => text.includes(secret))) assert.equal(clean, text);
    },
  ),
  makeTarget(
    'framing: the records are the same wherever chunks are cut',
    fc.tuple(framing, bytes, cutShares),
    ([kind, whole, shares]) =>
      assert.deepEqual(
        readFrames(kind, cutText<Uint8Array>(whole, shares)),
        readFrames(kind, [whole]),
      ),
    {
      piece: makeText(WIRE, 8),
      read: (text) => {
        readFrames('sse', [Buffer.from(text)]);
        const bytes = Buffer.from(text);
        readFrames(
          'ndjson',
          Array.from({ length: Math.ceil(bytes.length / 7) }, (_, index) =>
            bytes.subarray(index * 7, index * 7 + 7),
          ),
        );
      },
    },
  ),
  makeTarget(
    'stream guard: the result of an HTTP stream is the same wherever chunks are cut',
    fc.tuple(framing, bytes, cutShares),
    async ([kind, whole, shares]) => {
      const [cutUp, atOnce] = [
        await guardStream(kind, cutText<Uint8Array>(whole, shares)),
        await guardStream(kind, [whole]),
      ];
      assert.deepEqual(cutUp, atOnce);
    },
  ),
];
