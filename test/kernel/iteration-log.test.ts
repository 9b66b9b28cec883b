import { describe, expect, it } from 'vitest';
import { MAX_ITERATION_LENGTH, makeIterationFact } from '../../src/kernel/facts.ts';
import { parseFact } from '../every-fact.ts';

describe('makeIterationFact', () => {
  it('makes a person’s note for the iteration log one line without control sequences', () => {
    expect(makeIterationFact('  Ask\nsooner\u001b[2J\u202e. ')).toEqual({
      v: 1,
      type: 'iteration.noted',
      text: 'Ask sooner.',
    });
  });

  it('refuses a note without words, and a note that is too long', () => {
    expect(() => makeIterationFact(' \u0007… ')).toThrow('the line has no words');
    expect(() => makeIterationFact('x'.repeat(MAX_ITERATION_LENGTH + 1))).toThrow(
      '2001 characters',
    );
    expect(makeIterationFact('x'.repeat(MAX_ITERATION_LENGTH)).text).toHaveLength(2_000);
  });

  it('refuses a note that is too long in an imported run, too', () => {
    const fact = { ...makeIterationFact('x'), run: 'r', seq: 1, at: '2026-01-15T09:00:00.000Z' };
    expect(parseFact(fact)).toEqual(fact);
    expect(() => parseFact({ ...fact, text: 'x'.repeat(2_001) })).toThrow();
  });
});
