/** Where fewer are heard than a method needs, there is no result of theirs, and nobody is said to have decided. */
import { expect, it } from 'vitest';
import type { ModelRequest, ModelResult } from '../../src/kernel/model.ts';
import { makeFailure } from '../kernel/scripted-models.ts';
import { answerAsStandIn, runMethod } from './held.ts';

/** Answers a task for the first seat only. For every other seat, and for a judge, this task fails. */
function onlyOne(task: string): (asked: ModelRequest) => ModelResult {
  return (asked) =>
    asked.task === task && asked.seat.id !== 'seat-1'
      ? makeFailure('server', 'gone')
      : answerAsStandIn(asked);
}

it.each(['tradeoff/weigh', 'tradeoff/score'])(
  'a debate has no result if only one seat answers in the phase %s',
  async (task) => {
    const { ended, conclusion } = await runMethod('tradeoff', onlyOne(task));
    expect(ended).toEqual({ status: 'done' });
    expect(conclusion).toMatch(/^\*\*No result: 1 of 3 seats were heard, and 2 are needed\.\*\*/);
    expect(conclusion).not.toContain('leads with');
  },
);

it('ideas are not ranked if only one seat has rated them', async () => {
  const { conclusion } = await runMethod('brainstorm', onlyOne('brainstorm/rate'));
  expect(conclusion).toMatch(/^\*\*No ranking: \d+ ideas, and only one seat rated them\.\*\*/);
  expect(conclusion).toContain('1 of 4 seats marked the ideas');
});

it('the conclusion of a debate leaves out a round of estimates with too few answers', async () => {
  const { conclusion, models } = await runMethod('delphi', onlyOne('delphi/revise'));
  const [result, first, , moved] = conclusion.split('\n\n');
  expect(first).toBe(`At first: ${result?.replaceAll('*', '')}`);
  expect(moved).toBe('What moved it: Unknown, as too few revisions were heard.');
  expect(conclusion).toContain('a further round is left out, in which 1 seat was heard');
  expect(conclusion).not.toContain('agreed');
  expect(models.requests.filter(({ task }) => task === 'delphi/revise')).toHaveLength(5);
});

it('the conclusion of a debate names no verdict if the judge did not answer', async () => {
  const { conclusion } = await runMethod('advocate', onlyOne('advocate/verdict'));
  expect(conclusion).toContain('questioned, and no judge was heard who decides.');
  expect(conclusion).not.toContain('one judge decided');
});

/** Returns a model that answers one task with a value, and every other task like the stand-in. */
function answerWith(task: string, value: unknown): (asked: ModelRequest) => ModelResult {
  return (asked) => {
    const said = answerAsStandIn(asked);
    if (asked.task !== task || said.status !== 'done') return said;
    return { ...said, value, text: JSON.stringify(value) };
  };
}

// A small model on a real server twice returned an empty list.
it('if every seat returns an empty list of ratings, the conclusion says that nobody rated the ideas', async () => {
  const { conclusion } = await runMethod(
    'brainstorm',
    answerWith('brainstorm/rate', { ratings: [] }),
  );
  expect(conclusion).toMatch(/^\*\*No ranking: \d+ ideas, and nobody rated them\.\*\*/);
  expect(conclusion).toContain('0 of 4 seats marked the ideas');
});

it('a statement that nobody questioned is reported as not questioned, and not as confirmed', async () => {
  const { conclusion } = await runMethod(
    'socratic',
    answerWith('socratic/question', { of: 'none', kind: 'evidence', text: '' }),
  );
  expect(conclusion).toMatch(/^\*\*Of \d statements \d were not questioned\.\*\*/);
  expect(conclusion).not.toContain('held as');
});
