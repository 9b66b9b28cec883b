/**
 * The sets: every generated item has exactly one answer, by a solver that shares nothing with the
 * generator but the text that models read; memos differ in one sentence; a person's file is read or
 * refused by its line.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { questionOf } from '../../src/evaluation/answers.ts';
import { generateSet } from '../../src/evaluation/sets/generated.ts';
import type { Item } from '../../src/evaluation/sets/item.ts';
import {
  type Memo,
  memoSchema,
  memoSet,
  sentencesOf,
  VARIANTS,
} from '../../src/evaluation/sets/memos.ts';
import { readSet } from '../../src/evaluation/sets/read-set.ts';
import { LONG } from '../long.ts';
import { answersTo } from './solvers.ts';

const ITEMS = LONG ? 10_000 : 150;

describe.each(['knights', 'schedules', 'prices'])('the task set %s', (kind) => {
  it(`has one right answer to each of ${ITEMS} tasks, which the text alone determines`, () => {
    const inputs = new Set<string>();
    for (const level of [1, 2, 3, 4, 5]) {
      for (const item of itemsOf(kind, ITEMS / 5, level)) {
        expect(answersTo(kind, item.input), item.id).toEqual([item.target]);
        inputs.add(item.input);
      }
    }
    expect(inputs.size).toBeGreaterThan(ITEMS * 0.98);
  }, 3_600_000);

  it('has no answer or place among choices that is right in 45 % of the tasks, so that guessing does not pay', () => {
    const items = itemsOf(kind, 300, 3);
    const counts = new Map<string, number>();
    for (const { target, choices } of items) {
      const place = choices === undefined ? target : String(choices.indexOf(target));
      counts.set(place, (counts.get(place) ?? 0) + 1);
    }
    expect(Math.max(...counts.values())).toBeLessThan(items.length * 0.45);
  });
});

function itemsOf(kind: string, count: number, level: number): readonly Item[] {
  return generateSet(kind, count, { seed: 7, level })?.items ?? [];
}

describe('a generated task set', () => {
  it('has the same tasks for the same seed on every machine', () => {
    const few = generateSet('puzzles', 30, { seed: 5 })?.items;
    const many = generateSet('puzzles', 90, { seed: 5 })?.items;
    expect(many?.slice(0, 30)).toEqual(few);
    expect(generateSet('puzzles', 30, { seed: 6 })?.items).not.toEqual(few);
    // `FIRST_TARGETS` was written down on another machine: the same seed leads to the same tasks everywhere.
    expect(many?.slice(0, 3).map(({ target }) => target)).toEqual(FIRST_TARGETS);
  });

  it('has longer tasks at a higher level', () => {
    const measureLength = (level: number) =>
      (generateSet('puzzles', 60, { level })?.items ?? []).reduce(
        (sum, { input }) => sum + input.length,
        0,
      );
    expect(measureLength(1)).toBeLessThan(measureLength(3));
    expect(measureLength(3)).toBeLessThan(measureLength(5));
  });

  it('is undefined if its name is unknown', () => {
    expect(generateSet('riddles', 3)).toBeUndefined();
  });
});

const FIRST_TARGETS = ['4', 'Elif', 'A'];

const memos: Memo[] = readFileSync(
  new URL('../../presets/evaluation/memos.jsonl', import.meta.url),
  'utf8',
)
  .split('\n')
  .filter((row) => row !== '')
  .map((row) => memoSchema.parse(JSON.parse(row)));

describe('the task set of design memos with planted flaws', () => {
  it('has forty memos, each in three variants: with a flaw, with a decoy, and clean', () => {
    expect(memos).toHaveLength(40);
    expect(new Set(memos.map(({ id }) => id)).size).toBe(40);
    expect(new Set(memos.map(({ field }) => field)).size).toBeGreaterThan(30);
    const { items } = memoSet(memos);
    expect(items).toHaveLength(120);
    for (const variant of VARIANTS)
      expect(items.filter(({ meta }) => meta.variant === variant)).toHaveLength(40);
    expect(new Set(items.map(({ meta }) => meta.unit)).size).toBe(40);
  });

  it.each(memos)(
    'changes one sentence of the clean memo $id for the flaw and another one for the decoy',
    (memo) => {
      const clean = sentencesOf(memo, 'clean');
      const countWords = (text: string) => text.split(' ').length;
      for (const variant of ['flaw', 'decoy'] as const) {
        const own = sentencesOf(memo, variant);
        const differing = own.flatMap((sentence, index) =>
          sentence === clean[index] ? [] : [index + 1],
        );
        expect(differing).toEqual([memo[variant].at]);
        const at = memo[variant].at - 1;
        expect(
          Math.abs(countWords(own[at] ?? '') - countWords(clean[at] ?? '')),
        ).toBeLessThanOrEqual(2);
      }
      expect(memo.flaw.at).not.toBe(memo.decoy.at);
      // A flaw contradicts an earlier sentence, so it is never in the first one.
      expect(memo.flaw.at).toBeGreaterThan(1);
      for (const text of [...clean, memo.flaw.text, memo.decoy.text]) {
        expect(countWords(text), text).toBeGreaterThanOrEqual(11);
        expect(countWords(text), text).toBeLessThanOrEqual(17);
        expect(text).toMatch(/^[A-Z].*\.$/);
      }
    },
  );

  it('has no question with the words decoy, planted or variant, or with the reason why a sentence is a flaw or a decoy', () => {
    for (const item of memoSet(memos).items) {
      const memo = memos.find(({ id }) => id === item.meta.unit);
      const question = questionOf(item);
      expect(question).not.toMatch(/decoy|planted|variant/i);
      expect(question).not.toContain(memo?.flaw.why);
      expect(question).not.toContain(memo?.decoy.why);
    }
  });
});

describe("a person's own set of tasks", () => {
  const good = '{"id": 1, "input": "How many?", "target": 41, "kind": "number"}';

  it('is read with ids and answers as text, and with the kind "text" by default', () => {
    expect(readSet('own.jsonl', `${good}\n\n{"id":"b","input":"Who?","target":"Ada"}\n`)).toEqual({
      name: 'own.jsonl',
      items: [
        { id: '1', input: 'How many?', target: '41', kind: 'number', meta: {} },
        { id: 'b', input: 'Who?', target: 'Ada', kind: 'text', meta: {} },
      ],
    });
  });

  it.each([
    ['{"id": 2,', /own\.jsonl:2: no JSON/],
    ['{"id": 2, "input": "x"}', /own\.jsonl:2: target: /],
    ['{"id": 2, "input": " ", "target": "x"}', /own\.jsonl:2: input: /],
    ['{"id": 1, "input": "x", "target": "y"}', /own\.jsonl:2: the id 1 is that of line 1 too/],
    ['{"id": 2, "input": "x", "target": "many", "kind": "number"}', /own\.jsonl:2: target: "many"/],
    ['{"id": 2, "input": "x", "target": "A", "kind": "choice"}', /own\.jsonl:2: choices: /],
    [
      '{"id": 2, "input": "x", "target": "C", "kind": "choice", "choices": ["A", "B"]}',
      /own\.jsonl:2: target: "C"/,
    ],
    [
      '{"id": 2, "input": "x", "target": "x", "kind": "choice", "choices": ["_x", "x"]}',
      /own\.jsonl:2: choices: "_x" cannot be told/,
    ],
    [
      '{"id": 2, "input": "x", "target": "pH", "kind": "choice", "choices": ["pH", "PH"]}',
      /own\.jsonl:2: choices: "PH" cannot be told/,
    ],
    ['{"id": 2, "input": "x", "target": "**"}', /own\.jsonl:2: target: "\*\*"/],
    ['{"id": 2, "input": "x", "target": "y", "hint": "z"}', /own\.jsonl:2: /],
    ['{"id": 2, "input": "x", "target": "S12", "kind": "flaw"}', /own\.jsonl:2: target: "S12"/],
  ])('is rejected with the number of the wrong line: %s', (row, wanted) => {
    expect(() => readSet('own.jsonl', `${good}\n${row}\n`)).toThrow(wanted);
  });

  it('is rejected if it is empty, and an error names at most five wrong lines', () => {
    expect(() => readSet('own.jsonl', '\n\n')).toThrow('there is no item');
    const many = Array.from({ length: 50 }, () => 'nothing').join('\n');
    expect(() => readSet('own.jsonl', many)).toThrow(/own\.jsonl:5: /);
    expect(() => readSet('own.jsonl', many)).not.toThrow(/own\.jsonl:6: /);
  });
});
