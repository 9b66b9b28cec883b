/** How items are put and answers are read: the last line counts, and nothing that only looks like it. */
import { describe, expect, it } from 'vitest';
import {
  findMostFrequent,
  isRight,
  questionOf,
  readAnswer,
  repairQuestion,
} from '../../src/evaluation/answers.ts';
import type { Item } from '../../src/evaluation/sets/item.ts';
import { countSteps } from '../steps/steps.ts';

const number: Item = {
  id: 'n',
  input: 'How many?',
  target: '41',
  kind: 'number',
  meta: { secret: 'CANARY-META' },
};
const choice: Item = {
  ...number,
  kind: 'choice',
  choices: ['Ada', 'Boris', 'Greta'],
  target: 'Boris',
};
const flaw: Item = { ...number, kind: 'flaw', target: 'FATAL: S12' };
const text: Item = { ...number, kind: 'text', target: 'Lake Geneva' };

describe('an answer in an evaluation', () => {
  it.each([
    ['ANSWER: 41', '41'],
    ['Let me see.\nANSWER: 42 is what Ada says.\nThat is wrong.\n\nANSWER: 41\n', '41'],
    ['> ANSWER: 42\n\nThe others are wrong.\nANSWER: 41', '41'],
    ['**ANSWER: 41**', '41'],
    ['**ANSWER:** `41`', '41'],
    ['ANSWER: 41.', '41'],
    ['ANSWER: 41.0', '41'],
    ['ANSWER: 1,041', '1041'],
    ['ANSWER: -3\r\n', '-3'],
  ])('with the text %j is read as the answer %s', (said, wanted) => {
    expect(readAnswer(said, number).answer).toBe(wanted);
  });

  it.each([
    'It is 41.',
    'The answer is 41',
    'ANSWER: 41\nI hope that helps.',
    '> ANSWER: 41',
    'Ada said ANSWER: 41',
    'ANSWER: about 41',
    'ANSWER: 41 or 42',
    'ANSWER: <a number, digits only>',
    'ANSWER:',
    'ANSWER: 0x29',
    'ANSWER: 4e1',
    'ANSWER: NaN',
    'ANSWER: Infinity',
    'answer: 41',
    `ANSWER: ${'4'.repeat(400)}`,
    '',
    'NO ANSWER',
  ])('with the text %j is unreadable', (said) => {
    expect(readAnswer(said, number)).toEqual({ answer: null });
  });

  it('to a task with choices is unreadable unless it is one of the choices', () => {
    expect(readAnswer('ANSWER: boris', choice).answer).toBe('Boris');
    expect(readAnswer('ANSWER: Boris.', choice).answer).toBe('Boris');
    expect(readAnswer('ANSWER: Ada or Boris', choice).answer).toBeNull();
    expect(readAnswer('ANSWER: Chloe', choice).answer).toBeNull();
    expect(isRight('Boris', choice)).toBe(true);
  });

  it('that should name the one flawed sentence of a memo is wrong if it names several sentences', () => {
    expect(readAnswer('ANSWER: FATAL: S12', flaw).answer).toBe('FATAL: S12');
    expect(readAnswer('ANSWER: fatal: s012', flaw).answer).toBe('FATAL: S12');
    expect(readAnswer('ANSWER: FATAL: none', flaw).answer).toBe('FATAL: NONE');
    const many = readAnswer('ANSWER: FATAL: S11, S12 and S13', flaw).answer;
    expect(many).toBe('FATAL: S11, S12, S13');
    expect(isRight(many, flaw)).toBe(false);
    expect(isRight('FATAL: S12', flaw)).toBe(true);
    expect(readAnswer('ANSWER: S12', flaw).answer).toBeNull();
    expect(readAnswer('ANSWER: FATAL: the second', flaw).answer).toBeNull();
  });

  it('in words is compared without regard to case, repeated spaces and a final full stop', () => {
    expect(isRight(readAnswer('ANSWER:  lake   geneva.', text).answer, text)).toBe(true);
    expect(isRight(readAnswer('ANSWER: Lake Geneva, I think', text).answer, text)).toBe(false);
  });

  it.each(['__init__', '`x`', '*args', 'Lake  Geneva', 'two\tparts'])(
    'is right if it equals the right answer, even if Markdown would hide some of its characters: %j',
    (target) => {
      const item: Item = { ...text, target };
      expect(isRight(readAnswer(`ANSWER: ${target}`, item).answer, item)).toBe(true);
      expect(isRight(readAnswer('ANSWER: something else', item).answer, item)).toBe(false);
    },
  );

  it('contains no escape sequences', () => {
    const { answer } = readAnswer('ANSWER: lake\u001b[31m geneva\u202e', text);
    expect(answer).toBe('lake geneva');
  });

  it('has the confidence that the line before it states, but none if another line stands between or if it is over 100', () => {
    expect(readAnswer('CONFIDENCE: 80\nANSWER: 41', number)).toEqual({
      answer: '41',
      confidence: 0.8,
    });
    expect(readAnswer('CONFIDENCE: 80 %\n\nANSWER: 41', number).confidence).toBe(0.8);
    expect(readAnswer('CONFIDENCE: 180\nANSWER: 41', number).confidence).toBeUndefined();
    expect(readAnswer('CONFIDENCE: 80\nSo:\nANSWER: 41', number).confidence).toBeUndefined();
    expect(readAnswer('CONFIDENCE: 80\nANSWER: many', number)).toEqual({ answer: null });
  });

  it.each([
    ['stars before the answer', (n: number) => `ANSWER: ${' *'.repeat(n)}x`],
    ['stars before the word', (n: number) => `${'* '.repeat(n)}ANSWER`],
    ['a list of sections', (n: number) => `ANSWER: FATAL: ${'S1, '.repeat(n)}`],
    ['a number in groups', (n: number) => `ANSWER: ${'1,'.repeat(n)}`],
  ])('is parsed in time proportional to its length: %s', async (_what, make) => {
    const file = new URL('../../src/evaluation/answers.ts', import.meta.url);
    const calls = [make(40_000), make(400_000)].map((said) => [said, flaw]);
    const [small = 0, large = 0] = await countSteps(file, 'readAnswer', calls);
    expect(large).toBeLessThan(small * 12);
  });
});

describe('the prompt of an evaluation', () => {
  it.each([number, choice, flaw, text])(
    'for tasks of the kind $kind does not reveal the right answer',
    (item) => {
      const question = questionOf(item);
      expect(question).toContain(item.input);
      expect(question).not.toContain('CANARY');
      if (item.choices === undefined) expect(question).not.toContain(item.target);
      expect(question).not.toMatch(/evaluat|benchmark|exam|score/i);
    },
  );

  it('for correcting the format of an answer contains that answer, but not the task', () => {
    const question = repairQuestion('It is forty-one.', choice);
    expect(question).toContain('It is forty-one.');
    expect(question).toContain('Ada, Boris, Greta');
    expect(question).not.toContain(choice.input);
  });

  it('for correcting the format of an answer encloses the answer in marks that differ from answer to answer', () => {
    const [, mark = ''] = /marked (\w+)/.exec(repairQuestion('x', number)) ?? [];
    expect(mark).toMatch(/^[0-9a-f]{8}$/);
    expect(repairQuestion('y', number)).not.toContain(mark);
  });
});

describe('a vote among samples', () => {
  it('is the most frequent answer, or the first one in a tie', () => {
    expect(findMostFrequent(['1', '2', '2'])).toEqual({ answer: '2', share: 2 / 3 });
    expect(findMostFrequent(['1', '2', null])).toEqual({ answer: '1', share: 1 / 3 });
    expect(findMostFrequent([null, null])).toEqual({ answer: null, share: 0 });
  });

  it('counts an answer even if it is the name of an object property', () => {
    expect(findMostFrequent(['constructor', 'constructor', '1']).answer).toBe('constructor');
  });
});
