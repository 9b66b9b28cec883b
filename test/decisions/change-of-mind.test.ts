import { describe, expect, it } from 'vitest';
import { changeOfMind } from '../../src/decisions/change-of-mind.ts';

const ANSWER = `Move it now.

**What would change my mind**

A second machine within the year. A load test that fails.

## Ballot
- **Position:** Take it, unless a load test fails
- **Option:** Take it
`;

describe('changeOfMind (what would change the author’s mind)', () => {
  it('returns the text below a heading such as "What would change my mind"', () => {
    expect(changeOfMind(ANSWER, 2)).toBe(
      'A second machine within the year. A load test that fails.',
    );
  });

  it.each([
    '## What would change my mind',
    '**What would change my mind:**',
    '**What would change my mind**:',
  ])('recognizes a heading that is written as %s', (heading) => {
    const answer = `Wait.\n\n${heading}\n- A second machine.\n`;
    expect(changeOfMind(answer, 2)).toBe('A second machine.');
  });

  it('returns the text below the heading first, and after it a sentence from elsewhere such as "I would drop this if it fails"', () => {
    const answer =
      'I would drop this if it fails. It is cheap.\n\n## What would change my view\nA slow disk.';
    expect(changeOfMind(answer, 2)).toBe('A slow disk. I would drop this if it fails.');
  });

  it('returns an empty text if only the section "Ballot" says what would change the author’s mind', () => {
    expect(
      changeOfMind('Do it. It is cheap.\n\n## Ballot\n- **Position:** Do it, unless it rains', 2),
    ).toBe('');
  });

  it('reads an answer by the first version of the rules if the run recorded that version', () => {
    expect(changeOfMind(ANSWER, 1)).toBe(
      'What would change my mind** Position:** Take it, unless a load test fails',
    );
  });
});
