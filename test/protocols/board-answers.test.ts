/** Structured answers about a board as people read them, whole and while they are written. */
import { expect, test } from 'vitest';
import { answerWords } from '../../src/protocols/board/view/answers.ts';
import { formatAnswer } from '../../src/text/answers/answer.ts';

const AGREEMENT = {
  points: [
    { text: 'It is slow', cells: [{ advisor: 'A', side: 'for', quote: 'slow as\never' }] },
    { text: 'It is dear', cells: [] },
  ],
  same: [{ option: 'O1', as: 'O2' }],
};

test('the table of positions (who is for and against each point) is formatted as points with quotations', () => {
  const text = JSON.stringify(AGREEMENT);
  const whole = formatAnswer({ task: 'board/agreement', text, value: AGREEMENT }, answerWords);
  expect(whole).toBe(
    '**It is slow**\n\n- Advisor A, for: “slow as ever”\n\n**It is dear**\n\n- O1 is the same as O2',
  );
  // Wherever the answer breaks off, none of its arrived part may be shown as JSON.
  for (let end = 30; end < text.length; end += 7) {
    const partial = formatAnswer(
      { task: 'board/agreement', text: text.slice(0, end) },
      answerWords,
    );
    expect(partial).not.toMatch(/[{}[\]]|"points"/);
    expect(partial).toContain('It is slow'.slice(0, Math.max(1, Math.min(10, end - 20))).trim());
  }
});

test('a comparison of recommendations is formatted as its verdict and reason', () => {
  expect(answerWords('board/comparison', { change: 'course', how: 'It waits.' })).toBe(
    '**course**\n\nIt waits.',
  );
  expect(answerWords('board/agreement', { points: [null, { text: 3 }], same: 'x' })).not.toContain(
    'null',
  );
  expect(answerWords('board/answer', {})).toBeUndefined();
});
