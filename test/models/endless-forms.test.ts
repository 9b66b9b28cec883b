/**
 * Tests that structured answers are cut while they stream if they say nothing new, or more than their schema
 * can need.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { AnswerBounds } from '../../src/models/answer/bounds.ts';
import { saysNothingNew } from '../../src/models/answer/repetition.ts';
import { toJsonSchema } from '../../src/models/json-schema.ts';
import { addLimits, mostTokens } from '../../src/models/providers/limits.ts';
import { startOpenAI } from '../servers/index.ts';
import { makeVariedText } from '../servers/varied.ts';
import { callModel, getFailure, modelsFor } from './ask.ts';

const readLoop = (name: string): string =>
  readFileSync(join(import.meta.dirname, 'loops', name), 'utf8');
const [requirements, words] = [readLoop('same-requirement.form'), readLoop('same-words.form')];

/** Returns the number of characters at which an answer is cut; -1 if it is not cut. */
function cutAt(text: string, tokens = 8_000): number {
  const bounds = new AnswerBounds('openai', tokens, true);
  for (let end = 40; end <= text.length; end += 40)
    if (bounds.take('text', text.slice(end - 40, end)) !== undefined) return end;
  return -1;
}

describe('saysNothingNew, which recognises structured answers that only repeat themselves,', () => {
  it('is true of a recorded plan that repeats one requirement under ever new ids', () => {
    const at = cutAt(requirements);
    expect(at).toBeGreaterThan(2_500);
    expect(at).toBeLessThan(5_000);
  });

  it('is true of a recorded plan whose long texts use the same words again and again', () => {
    const at = cutAt(words);
    expect(at).toBeGreaterThan(1_500);
    expect(at).toBeLessThan(5_200);
  });

  it.each([
    ['a number that never ends', `{"confidence": 0.${'30'.repeat(250)}`],
    ['white space that never ends', `{"confidence": 1,\n${'  \n'.repeat(300)}`],
    [
      'a number that never ends, after a text',
      `{"position": "We wait.", "confidence": ${'1'.repeat(450)}`,
    ],
  ])('is true of %s', (_what, text) => {
    expect(cutAt(text)).toBeGreaterThan(0);
  });

  const makeEntry = (at: number, text: string): object => ({
    claim: `C-1-${at}`,
    result: 'HOLDS',
    text,
  });
  it.each([
    [
      '28 equal findings',
      Array.from({ length: 28 }, (_, item) => ({ item, finding: 'true_in_text' })),
    ],
    [
      '40 verdicts with one short reason',
      Array.from({ length: 40 }, (_, at) => makeEntry(at, 'No document speaks of this.')),
    ],
    [
      '120 pairs that share a sentence with one word of their own',
      makeVariedText(120)
        .split(' ')
        .map((word, at) =>
          makeEntry(
            at,
            `The documents say nothing of ${word}, and the plan depends on it in two places.`,
          ),
        ),
    ],
    [
      'a long text with digits and marks',
      [{ text: `Its fingerprint is ${'0123456789'.repeat(30)} and that is all.` }],
    ],
    ['a text of white space within a string', [{ text: ' '.repeat(900) }]],
  ])('is false of %s', (_what, entries) => {
    expect(cutAt(JSON.stringify({ entries }))).toBe(-1);
    expect(cutAt(JSON.stringify({ entries }, null, 2))).toBe(-1);
  });

  it('is false of every structured answer in the recorded journals', () => {
    const golden = join(import.meta.dirname, '../golden');
    const forms: string[] = [];
    const collectForms = (value: unknown): void => {
      if (typeof value === 'string' && value.startsWith('{') && value.length > 400)
        forms.push(value);
      else if (typeof value === 'object' && value !== null)
        Object.values(value).forEach(collectForms);
    };
    for (const name of readdirSync(golden).filter((name) => name.endsWith('.jsonl')))
      for (const line of readFileSync(join(golden, name), 'utf8').split('\n'))
        if (line.trim() !== '') collectForms(JSON.parse(line));
    expect(forms.length).toBeGreaterThan(300);
    for (const form of forms)
      for (let end = 400; end <= form.length; end += 400)
        expect(saysNothingNew(form.slice(Math.max(0, end - 12_000), end))).toBe(false);
  });

  it.each([
    ['escaped quotation marks', `{"a":"${'\\"'.repeat(6_000)}`],
    ['quotation marks alone', '"'.repeat(12_000)],
    ['quotation marks and white space', `${'" '.repeat(6_000)},`],
    ['digits before a quotation mark', `{"a":"${'1'.repeat(12_000)},"`],
  ])(
    'returns false for 12,000 characters of %s, before the time of the test is over',
    (_what, text) => {
      expect(saysNothingNew(text)).toBe(false);
    },
  );

  it('ends the call at once when it returns true, and the model is not asked again', async () => {
    const server = await startOpenAI({ answer: () => requirements.repeat(3) });
    onTestFinished(() => server.close());
    const { result } = await callModel(modelsFor({ openai: server }), 'openai/alpha', {
      schema: z.object({ no_team: z.string(), requirements: z.array(z.unknown()) }),
    });
    expect(getFailure(result)).toMatchObject({
      code: 'truncated',
      message: expect.stringContaining('the answer repeats itself'),
    });
    // The server would send `requirements` three times, but the program ends the call when it finds the
    // repetition. By then the program may have received some more text, which the result contains.
    expect(result.text.length).toBeLessThan(requirements.length * 2);
    expect(server.chats()).toHaveLength(1);
  });
});

describe('the token limit that follows from the schema of a structured answer', () => {
  const finding = z.object({
    item: z.number().int(),
    finding: z.enum(['true', 'false', 'absent']),
  });
  const sizeOf = (schema: z.ZodType, limits = {}): number =>
    mostTokens(
      { limits: { tokens: Number.POSITIVE_INFINITY } },
      addLimits(toJsonSchema(schema), limits),
    );

  it('grows with the allowed entries of a list and the allowed characters of a text', () => {
    const list = z.object({ answers: z.array(finding) });
    const [ten, twenty] = [10, 20].map((items) => sizeOf(list, { items }));
    expect((twenty ?? 0) - 1_000).toBeCloseTo(2 * ((ten ?? 0) - 1_000), -2);
    const text = z.object({ why: z.string() });
    expect(sizeOf(text, { text: 900 }) - sizeOf(text, { text: 400 })).toBe(500);
  });

  it('is infinite if a text, a list or another part of the schema has no bound', () => {
    for (const schema of [
      z.object({ why: z.string() }),
      z.object({ items: z.array(z.boolean()) }),
      z.object({ any: z.unknown() }),
      z.record(z.string(), z.boolean()),
      z.union([z.object({ a: z.boolean() }), z.object({ b: z.string() })]),
    ])
      expect(sizeOf(schema)).toBe(Number.POSITIVE_INFINITY);
  });

  it('has room for the longest valid answer, even if it is indented and in Chinese', () => {
    const schema = z.object({ answers: z.array(finding), why: z.string(), sure: z.boolean() });
    const limits = { items: 28, text: 1_600 };
    const largest = {
      answers: Array.from({ length: 28 }, () => ({
        item: 9_007_199_254_740_991,
        finding: 'absent',
      })),
      why: '思'.repeat(1_600),
      sure: false,
    };
    const most = mostTokens({}, addLimits(toJsonSchema(schema), limits));
    expect(most).toBeLessThan(5_000);
    const bounds = new AnswerBounds('openai', most, true);
    expect(bounds.take('text', JSON.stringify(largest, null, 4))).toBeUndefined();
  });

  it('cuts an answer that goes on with text after its JSON is complete, and the call fails', async () => {
    const schema = z.object({ vote: z.enum(['for', 'against']) });
    const server = await startOpenAI({ answer: () => `{"vote": "for"}\n${makeVariedText(8_000)}` });
    onTestFinished(() => server.close());
    const { result } = await callModel(modelsFor({ openai: server }), 'openai/alpha', {
      schema,
      limits: { tokens: 6_000 },
    });
    expect(getFailure(result).message).toMatch(/was cut after about 1,0\d\d tokens/);
    expect(result.text.length).toBeLessThan(6_000);
  });
});
