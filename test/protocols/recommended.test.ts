/** What a synthesis recommends, and what is said of one that only repeats what it was asked. */
import { describe, expect, it } from 'vitest';
import { SYNTHESIS_TASK } from '../../src/protocols/board/prompts.ts';
import {
  getFirstRecommendation,
  warnOfRepeatedTask,
} from '../../src/protocols/board/recommended.ts';

/** As a model of 135 million parameters wrote it. */
const PARROTED = `## Consensus
Only what every advisor who answered holds. If there is nothing, say so.

## Points of Agreement
Conclusions and reasons that several of them share, but not all; name who.

## Points of Divergence
Where they contradict each other and on what it turns; name who says what.

## Recommendation
The course that you choose among those proposed, or put together from their parts. Its first sentence says what to do.`;

const OWN = `## Consensus
There is nothing that every advisor holds.

## Points of Agreement
Advisor A and Advisor B share the reason that releases wait for each other.

## Points of Divergence
Advisor C contradicts them: a second service doubles the work on call.

## Recommendation
Split off billing first, and nothing else this year. Advisor A's reason carries it.`;

describe('getFirstRecommendation, which reads a synthesis,', () => {
  it('returns the first sentence below the heading “Recommendation”', () => {
    expect(getFirstRecommendation(OWN)).toBe(
      'Split off billing first, and nothing else this year.',
    );
  });

  it('returns undefined if the recommendation only repeats the instructions', () => {
    expect(getFirstRecommendation(PARROTED)).toBeUndefined();
  });
});

describe('warnOfRepeatedTask', () => {
  it('returns a warning for a synthesis that repeats its instructions', () => {
    expect(warnOfRepeatedTask(PARROTED)).toContain('repeats its task');
    expect(warnOfRepeatedTask(SYNTHESIS_TASK.join('\n\n'))).toContain('repeats its task');
    expect(warnOfRepeatedTask(OWN)).toBeUndefined();
  });
});
