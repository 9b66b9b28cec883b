/**
 * Tests the steps from the words of an answer to a value: which words are accepted, the messages, and that
 * no words make them fail.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fitsStrictMode, toJsonSchema } from '../../src/models/json-schema.ts';
import { readStructured } from '../../src/models/structured.ts';
import { countSteps } from '../steps/steps.ts';
import { verdictSchema } from './structured-steps.ts';

const VALUE = { verdict: 'PASS', score: 4 };
const JSON_TEXT = '{"verdict": "PASS", "score": 4}';
const AROUND = 'took the JSON out of the surrounding text';

describe('readStructured', () => {
  test.each([
    ['alone', JSON_TEXT, []],
    ['with blanks around it', `\n\n ${JSON_TEXT} \n`, []],
    ['in a fence', `\`\`\`json\n${JSON_TEXT}\n\`\`\``, []],
    ['in a fence without an end', `\`\`\`\n${JSON_TEXT}`, []],
    ['after a think block', `<think>{"verdict": 1}</think>\n${JSON_TEXT}`, []],
    ['after thinking without a beginning', `so I pass it\n</think>\n\n${JSON_TEXT}`, []],
    ['in prose', `Here you are: ${JSON_TEXT} Good luck!`, [AROUND]],
    ['after an example in braces', `As {you} asked: ${JSON_TEXT}`, [AROUND]],
    ['after another object', `{"verdict": "MAYBE"} or rather ${JSON_TEXT}`, [AROUND]],
    ['after a brace that never closes', `{ hm. ${JSON_TEXT}`, [AROUND]],
    [
      'with braces in its strings',
      `x {"verdict": "PASS", "score": 4, "why": "a } and \\" {"}`,
      [AROUND],
    ],
    ['with a comma too many', '{"verdict": "PASS", "score": 4,}', ['repaired JSON']],
    ['in single quotes', "{'verdict': 'PASS', 'score': 4}", ['repaired JSON']],
    ['without quotes', '{verdict: PASS, score: 4}', ['repaired JSON']],
    ['with a comment', '{"verdict": "PASS", /* sure */ "score": 4}', ['repaired JSON']],
    ['without its last brace', '{"verdict": "PASS", "score": 4', ['repaired JSON']],
    ['broken, in prose', 'So: {"verdict": "PASS" "score": 4} Done.', ['repaired JSON']],
  ])('accepts an answer whose JSON is %s', (_how, text, notes) => {
    expect(readStructured(text, verdictSchema)).toEqual({ ok: true, value: VALUE, notes });
  });

  test('returns the value after the transformations of the Zod schema', () => {
    const lenient = z.object({ at: z.string().transform((text) => text.length) });
    expect(readStructured('{"at": "four"}', lenient)).toMatchObject({ value: { at: 4 } });
  });
});

describe('the message about a wrong structured answer', () => {
  const listProblems = (text: string) => {
    const read = readStructured(text, verdictSchema);
    return read.ok ? [] : read.problems;
  };

  test('says that there is no JSON object in the answer', () => {
    for (const text of ['', 'No.', '42', '"PASS"', '[', 'null']) {
      expect(listProblems(text).length).toBeGreaterThan(0);
    }
    expect(listProblems('I cannot say.')).toEqual(['there is no JSON object in the answer']);
  });

  test('names every wrong place', () => {
    expect(listProblems('{"verdict": "MAYBE", "score": 9}')).toEqual([
      'verdict: Invalid option: expected one of "PASS"|"FAIL"',
      'score: Too big: expected number to be <=5',
    ]);
  });

  test('is returned for valid JSON that does not fit the schema: such JSON is never changed', () => {
    expect(listProblems('{"verdict": "PASS"}')).toEqual([
      'score: Invalid input: expected number, received undefined',
    ]);
  });

  test('says that the answer was cut if the server ended it early', () => {
    const flat = z.object({ months: z.number() });
    expect(readStructured('{"months": 1', flat)).toMatchObject({ ok: true, value: { months: 1 } });
    expect(readStructured('{"months": 1', flat, false)).toEqual({
      ok: false,
      problems: ['the answer was cut'],
    });
    expect(readStructured('{"months": 12}\n\n', flat, false)).toMatchObject({ ok: true });
  });

  test('lists only the first few mistakes', () => {
    const list = z.object({ all: z.array(z.number()) });
    const read = readStructured(JSON.stringify({ all: Array(50).fill('x') }), list);
    expect(read.ok ? [] : read.problems).toHaveLength(9);
    expect(read.ok ? '' : read.problems.at(-1)).toBe('and 42 more');
  });

  test('includes the text of an error that a check of the schema throws', () => {
    const broken = z.object({}).refine(() => {
      throw new Error('out of order');
    });
    expect(readStructured('{}', broken)).toEqual({ ok: false, problems: ['out of order'] });
  });
});

describe('readStructured with hostile input', () => {
  test('never throws', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      "'",
      '\\',
      ',',
      ':',
      '```',
      '<think>',
      '</think>',
      '\n',
      ' ',
      'a',
      '1',
      '/*',
      '//',
      '\u0000',
      '\ud800',
      'null',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (parts) => {
        const read = readStructured(parts.join(''), verdictSchema);
        expect(read.ok || read.problems.length > 0).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['open braces', 1_000_000, (n: number) => '{'.repeat(n)],
    ['open brackets in an object', 500_000, (n: number) => `{"a":${'['.repeat(n)}`],
    ['closed nesting', 100_000, (n: number) => `{"a":${'['.repeat(n)}${']'.repeat(n)}}`],
    ['quotes', 300_000, (n: number) => `{"a":"${'"'.repeat(n)}`],
    ['strings in a row', 75_000, (n: number) => `{"a":${'"b" '.repeat(n)}`],
    ['broken objects', 250_000, (n: number) => '{a} '.repeat(n)],
    ['backslashes', 1_000_000, (n: number) => `{"a":"${'\\'.repeat(n)}`],
    ['fences', 250_000, (n: number) => '```\n'.repeat(n)],
    ['think blocks', 70_000, (n: number) => '<think></think>'.repeat(n)],
    ['blanks', 1_000_000, (n: number) => ' '.repeat(n)],
    ['a worst case below the limit of the repair', 63_000, (n: number) => `{"a":"${'"'.repeat(n)}`],
  ])('takes time in proportion to the length of the text: %s', async (_what, size, make) => {
    const file = new URL('./structured-steps.ts', import.meta.url);
    const texts = [make(size / 4), make(size)];
    expect(readStructured(texts[1] ?? '', verdictSchema).ok).toBe(false);
    const calls = texts.map((text) => [text]);
    const [small = 0, large = 0] = await countSteps(file, 'readVerdict', calls);
    expect(large).toBeLessThan(small * 5);
  });
});

describe('the JSON Schema that providers get', () => {
  test('describes the required object, without the keyword `$schema`', () => {
    const json = toJsonSchema(
      z.object({
        day: z.iso.date(),
        count: z.string().transform(Number),
        free: z.date().optional(),
      }),
    );
    expect(json).toEqual({
      type: 'object',
      properties: {
        day: { type: 'string', format: 'date', pattern: expect.any(String) },
        count: { type: 'string' },
        free: {},
      },
      required: ['day', 'count'],
    });
  });

  test.each([
    [
      'fits if all objects are closed and all fields required',
      true,
      z.strictObject({ a: z.string(), b: z.array(z.strictObject({ c: z.number() })) }),
    ],
    ['does not fit with an open object', false, z.object({ a: z.string() })],
    ['does not fit with an optional field', false, z.strictObject({ a: z.string().optional() })],
    [
      'does not fit with an inner optional field',
      false,
      z.strictObject({ a: z.strictObject({ b: z.string().optional() }) }),
    ],
    ['does not fit with free keys', false, z.strictObject({ a: z.record(z.string(), z.string()) })],
  ])("is checked for OpenAI's strict mode: it %s", (_what, fits, schema) => {
    expect(fitsStrictMode(toJsonSchema(schema))).toBe(fits);
  });
});
