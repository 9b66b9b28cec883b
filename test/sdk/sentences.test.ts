/** What a reader needs first is told in sentences, whatever seats' own words begin and end with. */
import { expect, it } from 'vitest';
import { checkQuotes } from '../../src/sdk/context/ledger.ts';
import { toSentence } from '../../src/sdk/context/outcome.ts';

it.each([
  ['keep it', 'Keep it.'],
  ['Keep it.', 'Keep it.'],
  ['it says “keep it”', 'It says “keep it”'],
  ['It is so..', 'It is so.'],
  ['Wait …', 'Wait …'],
  ['And so on...', 'And so on...'],
  ['iPhone first', 'iPhone first.'],
  ['p50 of 12 weeks', 'p50 of 12 weeks.'],
  ['12 weeks', '12 weeks.'],
  ['', ''],
])('toSentence writes a text as a sentence: %j becomes %j', (given, told) => {
  expect(toSentence(given)).toBe(told);
});

it('checkQuotes names each quotation that its source lacks', () => {
  const sources = [{ id: 'A1', text: 'We do not think that it scales.' }];
  expect(
    checkQuotes([{ of: 'A1', quote: 'not think that it scales' }, {}], sources),
  ).toBeUndefined();
  expect(checkQuotes([{ of: 'A1', quote: 'it scales well enough' }], sources)).toBe(
    '“it scales well enough” is not in A1. Quote at least four words of one sentence, word for word.',
  );
  expect(checkQuotes([{ of: 'A1', quote: '' }], sources)).toContain('is not in A1');
  expect(
    checkQuotes([{ of: 'constructor', quote: 'think that it scales' }], sources),
  ).toBeDefined();
});
