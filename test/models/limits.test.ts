/** Tests the limits of structured answers: what is requested, when an answer is cut, and the message then. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, test } from 'vitest';
import * as z from 'zod';
import { callIdentity } from '../../src/kernel/call.ts';
import type { Limits } from '../../src/kernel/model.ts';
import { AnswerBounds } from '../../src/models/answer/bounds.ts';
import { toJsonSchema } from '../../src/models/json-schema.ts';
import {
  addLimits,
  lengthNotes,
  lengthProblems,
  mostTokens,
  tokensToAsk,
} from '../../src/models/providers/limits.ts';
import { startAnthropic, startOllama, startOpenAI, type TestServer } from '../servers/index.ts';
import { makeVariedText } from '../servers/varied.ts';
import { type AskOptions, callModel, getFailure, modelsFor, typesOf } from './ask.ts';

const PROVIDERS = ['ollama', 'anthropic', 'openai'] as const;
const START = { ollama: startOllama, anthropic: startAnthropic, openai: startOpenAI };

const schema = z.object({ notes: z.string(), steps: z.array(z.string()) });
const limits: Limits = { tokens: 1_000, text: 400, items: 3 };
const GOOD = JSON.stringify({ notes: 'It holds.', steps: ['one', 'two'] });
/** A text of 8,000 tokens inside a string that does not end. */
const ENDLESS = `{"notes": "${makeVariedText(5_900)}`;

/** How many characters each piece of a streamed answer has. */
const PIECE = 100;
const piecesOf = (text: string): string[] =>
  Array.from({ length: Math.ceil(text.length / PIECE) }, (_, index) =>
    text.slice(index * PIECE, (index + 1) * PIECE),
  );

const servers: TestServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

async function askWith(
  name: (typeof PROVIDERS)[number],
  answers: readonly string[],
  asking: AskOptions = {},
  behaviours?: Parameters<TestServer['setBehaviour']>[1],
) {
  let turn = 0;
  const server = await START[name]({
    models: ['alpha'],
    answer: () => answers[Math.min(turn++, answers.length - 1)] ?? '',
    ...(behaviours === undefined ? {} : { behaviours: { alpha: behaviours } }),
  });
  servers.push(server);
  const heard = await callModel(modelsFor({ [name]: server }), `${name}/alpha`, {
    schema,
    limits,
    ...asking,
  });
  return { ...heard, server };
}

describe.each(PROVIDERS)('the provider %s', (name) => {
  it('cuts an endless structured answer at the request’s limit of 1,000 tokens, and does not retry', async () => {
    const { result, server, events } = await askWith(name, [ENDLESS]);
    const cut = getFailure(result);
    expect(cut.code).toBe('truncated');
    expect(cut.message).toBe(
      `${name}: the answer did not finish and was cut after about 1,000 tokens`,
    );
    expect(cut.notes).toContain('cut before its end: what there is of it is not used');
    expect(cut.text.length).toBeGreaterThan(4_000);
    expect(cut.text.length).toBeLessThan(ENDLESS.length);
    expect(server.chats()).toHaveLength(1);
    expect(typesOf(events)).toEqual(['sent']);
  });

  it('sends the request’s limits in the fields of its own API', async () => {
    const { server, result } = await askWith(name, [GOOD]);
    expect(result).toMatchObject({ status: 'done', notes: [] });
    const body = server.chats()[0]?.body as {
      max_tokens?: number;
      options?: { num_predict?: number; num_ctx?: number };
    };
    // The token limit in a request is the sum of 1,000 for the answer and 24,000 for thinking. The provider
    // `ollama` lowers this sum to the context that it requests, 8,192 tokens.
    const most = name === 'ollama' ? 8_192 : 1_000 + 24_000;
    expect(body.max_tokens ?? body.options?.num_predict).toBe(most);
    // The context stays at 8,192 tokens. It is not enlarged to hold an answer of 25,000 tokens.
    if (name === 'ollama') expect(body.options?.num_ctx).toBe(8_192);
    expect(JSON.stringify(body)).toMatch(
      name === 'anthropic' ? /\{maxLength: 400\}/ : /"maxLength":400/,
    );
  });

  it('cuts an endless structured answer at 16,000 tokens if the request has no limits', async () => {
    const { server, result } = await askWith(name, [`${ENDLESS}${makeVariedText(12_000, 6_000)}`], {
      limits: undefined,
    });
    expect(getFailure(result).message).toMatch(/cut after about 16,000 tokens$/);
    expect(JSON.stringify(server.chats()[0]?.body)).not.toMatch(/num_predict|maxLength|25000/);
  });

  it('asks the model once more if a text in its structured answer is too long', async () => {
    const long = JSON.stringify({ notes: 'word '.repeat(80), steps: [] });
    const { result, server } = await askWith(name, [long, GOOD]);
    expect(result).toMatchObject({
      status: 'done',
      notes: ['asked again: notes: longer than 400 characters'],
    });
    expect(server.chats()).toHaveLength(2);
    const { result: never } = await askWith(name, [long]);
    expect(getFailure(never)).toMatchObject({ code: 'invalid-output' });
  });
});

test('thinking does not count towards the length of an answer', async () => {
  const { result } = await askWith('ollama', [`<think>${makeVariedText(2_000)}</think>${GOOD}`]);
  expect(result.status).toBe('done');
});

describe('an answer in prose', () => {
  const prose = { schema: undefined, limits: undefined };

  it('may have about 20,000 tokens', async () => {
    const { result } = await askWith('ollama', [makeVariedText(20_000)], prose);
    expect(result.status).toBe('done');
  });

  it.each(PROVIDERS)('is cut off after about 32,000 tokens if it is endless: %s', async (name) => {
    const { result, server } = await askWith(name, [makeVariedText(40_000)], prose);
    expect(getFailure(result)).toMatchObject({
      code: 'truncated',
      message: `${name}: the answer did not finish and was cut after about 32,000 tokens`,
    });
    expect(result.text.length).toBeLessThan(140_000);
    expect(server.chats()).toHaveLength(1);
  });

  it("may be as long as the request's maxTokens allows", async () => {
    const { result } = await askWith('openai', [makeVariedText(40_000)], {
      ...prose,
      maxTokens: 40_000,
    });
    expect(result.status).toBe('done');
  });

  it('is cut off at its limit even if the model never repeats itself', () => {
    // The token limit alone must cut off this text, so take the beginning of the recorded answer, before its
    // endless repetition.
    const text = readFileSync(join(import.meta.dirname, 'loops/no-circle.md'), 'utf8').slice(
      0,
      40_000,
    );
    const bounds = new AnswerBounds('ollama', mostTokens({}, undefined), false);
    let said = 0;
    for (const piece of piecesOf(text.repeat(5))) {
      said += piece.length;
      if (bounds.take('text', piece) !== undefined) break;
    }
    expect(said).toBeGreaterThan(text.length);
    expect(said).toBeLessThan(140_000);
  });
});

test('endless thinking is cut off after about 128,000 tokens', () => {
  const bounds = new AnswerBounds('ollama', 1_000, true);
  const ends = piecesOf(makeVariedText(120_000)).map((piece) => bounds.take('thinking', piece));
  const cut = ends.findIndex((end) => end !== undefined);
  expect(ends[cut]?.message).toMatch(/cut after about 128,000 tokens$/);
  expect(cut * PIECE).toBeGreaterThan(400_000);
});

test('a request is repeated without the token limit that the server rejected, and a note says that the program enforces the limit', async () => {
  const message =
    "'max_tokens' is too large: 25000. This model's maximum context length is 8192 tokens.";
  const { result, server } = await askWith('openai', [GOOD], {}, [{ status: 400, message }, 'ok']);
  expect(result).toMatchObject({
    status: 'done',
    notes: ['the model does not support this limit: enforced locally'],
  });
  expect(server.chats().map(({ body }) => body?.max_tokens)).toEqual([25_000, undefined]);
});

test('the token limit sent to the server is the maxTokens of the request, if that is set', () => {
  expect(tokensToAsk({ maxTokens: 700, answerTokens: 1_000 })).toBe(700);
  expect(tokensToAsk({ answerTokens: 1_000 })).toBe(25_000);
  expect(tokensToAsk({ answerTokens: 1_000, think: false })).toBe(1_000);
  expect(tokensToAsk({})).toBeUndefined();
});

test('the hash of a call does not depend on the limits for the length of its answer', () => {
  const seat = { id: 'a', role: 'a', title: 'A', model: 'x/y', brief: '' };
  const request = { task: 'a/b', seat, messages: [], schema };
  expect(callIdentity({ ...request, limits })).toEqual(callIdentity(request));
});

describe('a schema with limits', () => {
  const shape = z.object({
    /** Fields that have the names of keywords of JSON Schema, and must not be taken for the keywords. */
    type: z.string(),
    default: z.string(),
    items: z.array(z.object({ short: z.string().max(20), role: z.enum(['a', 'b']) })).max(2),
    many: z.array(z.string()).min(6),
  });

  it('gets a bound for every text and list that has none', () => {
    const { properties } = addLimits(toJsonSchema(shape), limits) as {
      properties: Record<string, Record<string, unknown>>;
    };
    expect(properties.type).toEqual({ type: 'string', maxLength: 400 });
    expect(properties.default).toEqual({ type: 'string', maxLength: 400 });
    expect(properties.items).toMatchObject({
      maxItems: 2,
      items: { properties: { short: { maxLength: 20 }, role: { enum: ['a', 'b'] } } },
    });
    expect(JSON.stringify(properties.items)).not.toContain('400');
    // The limit for lists is three entries, but the list `many` must have at least six, so its maximum
    // becomes six.
    expect(properties.many).toMatchObject({ minItems: 6, maxItems: 6 });
  });

  it('stays unchanged if there are no limits, or if they are too large for llama.cpp’s grammar', () => {
    const json = toJsonSchema(shape);
    expect(addLimits(json, undefined)).toEqual(json);
    expect(addLimits(json, { text: 2_000, items: 5_000 })).toEqual(json);
  });
});

describe('an answer with limits', () => {
  it('counts as too long if a text has exactly the maximal length, because the server may have cut the text', () => {
    expect(lengthProblems({ a: [{ b: 'x'.repeat(400) }] }, limits)).toEqual([
      'a.0.b: longer than 400 characters',
    ]);
    expect(lengthProblems({ a: [1, 2, 3, 4] }, limits)).toEqual(['a: more than 3 entries']);
    expect(lengthProblems({ a: ['x'.repeat(399)] }, limits)).toEqual([]);
  });

  it('gets a note if it has more or fewer words or entries than requested', () => {
    const wanted: Limits = {
      words: { least: 0, most: 4 },
      counts: { steps: { least: 2, most: 3 }, constructor: { least: 1, most: 1 } },
    };
    expect(lengthNotes({ steps: ['one two three four five'] }, wanted)).toEqual([
      '5 words where at most 4 were asked for',
      'steps: 1 where 2 to 3 were asked for',
    ]);
    expect(lengthNotes({ steps: ['one', 'two'], toString: [] }, wanted)).toEqual([]);
  });
});
