import { describe, expect, it } from 'vitest';
import { MAX_ITERATION_LENGTH, makeIterationFact } from '../../src/kernel/facts.ts';
import { parseFact } from '../every-fact.ts';

describe('A note that a person adds to the iteration log of a run', () => {
  it('becomes one line without control sequences', () => {
    expect(makeIterationFact('  Ask\nsooner\u001b[2J\u202e. ')).toEqual({
      v: 1,
      type: 'iteration.noted',
      text: 'Ask sooner.',
    });
  });

  it('is refused if it has no words or more than 2,000 characters', () => {
    expect(() => makeIterationFact(' \u0007… ')).toThrow('the line has no words');
    expect(() => makeIterationFact('x'.repeat(MAX_ITERATION_LENGTH + 1))).toThrow(
      '2001 characters',
    );
    expect(makeIterationFact('x'.repeat(MAX_ITERATION_LENGTH)).text).toHaveLength(2_000);
  });

  it('is rejected by the parser of facts, which reads imported runs, if longer than 2,000 characters', () => {
    const fact = { ...makeIterationFact('x'), run: 'r', seq: 1, at: '2026-01-15T09:00:00.000Z' };
    expect(parseFact(fact)).toEqual(fact);
    expect(() => parseFact({ ...fact, text: 'x'.repeat(2_001) })).toThrow();
  });
});
