/** Tests that contradictory answers of a seat to one question count as no answer. */
import { describe, expect, it } from 'vitest';
import { withoutContradicting } from '../../src/protocols/plan/rules/contradicting.ts';

const makeAnswer = (conflict: string, says: string, accepts: string[] = [], prefers = '') => ({
  conflict,
  says,
  accepts,
  prefers,
  why: 'Write waits for you say what was found.',
});

describe('withoutContradicting, which drops contradictory answers of a seat,', () => {
  it('removes the answers of a seat that answered one question in two contradictory ways', () => {
    // A word chain on a real server gave the answers in `captured`. The first two contradict each other about
    // question Q-1.
    const captured = [
      makeAnswer('Q-1', 'accepts', [], 'If you are sent the work.'),
      makeAnswer('Q-1', 'compatible'),
      makeAnswer('Q-2', 'compatible'),
    ];
    expect(withoutContradicting(captured)).toEqual([captured[2]]);
  });

  it('removes the answers of a seat that accepted one option in one answer and another option in the next', () => {
    const said = [makeAnswer('Q-1', 'accepts', ['a-1']), makeAnswer('Q-1', 'accepts', ['b-1'])];
    expect(withoutContradicting(said)).toEqual([]);
  });

  it('keeps the last of two answers to one question if both accept the same options, in whatever order', () => {
    const said = [
      makeAnswer('Q-1', 'accepts', ['a-1', 'b-1']),
      { ...makeAnswer('Q-1', 'accepts', ['b-1', 'a-1']), why: 'Again.' },
    ];
    expect(withoutContradicting(said)).toEqual([said[1]]);
  });
});
