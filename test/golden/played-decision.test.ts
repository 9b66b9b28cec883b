/**
 * Two boards with predictions that were answered by hand: once as able models would, with a decision and what
 * came of it, and once badly. What code can refuse must not reach the reader as a prediction.
 */
import { describe, expect, it } from 'vitest';
import { decisionsOf } from '../../src/decisions/fold.ts';
import { predictionTables } from '../../src/decisions/table.ts';
import { readGolden } from './journal.ts';

describe('the predictions of a recorded board with good answers', () => {
  const view = decisionsOf(readGolden('played-decision').facts);

  it('are all accepted, and none of them is copied from another run', () => {
    expect(view.leftOut.get(1)).toEqual([]);
    expect(view.predictions.map(({ id, parent }) => [id, parent])).toEqual([
      ['P-1-1', undefined],
      ['P-1-2', undefined],
      ['P-1-3', undefined],
    ]);
  });

  it('are shown in a table with each model’s probabilities, in the order of the seats', () => {
    const [table] = predictionTables(view, (seat) => seat, ['advocate', 'critic', 'analyst']);
    expect(table?.columns).toEqual(['advocate', 'critic', 'analyst']);
    expect(table?.rows.map(({ id, panel, forecasts }) => [id, panel, ...forecasts])).toEqual([
      ['P-1-1', '63 %', '82 %', '38 %', '64 %'],
      ['P-1-2', '45 %', '60 %', '30 %', '45 %'],
      ['P-1-3', '76 %', '85 %', '60 %', '80 %'],
    ]);
    // The advocate's score is ((1 - 0.82)² + 0.6² + (1 - 0.85)²) / 3 = 0.138; the others are
    // computed alike.
    expect(table?.score).toContain('advocate 0.138, critic 0.211, analyst 0.124');
  });
});

describe('the predictions of a recorded board with bad answers', () => {
  const view = decisionsOf(readGolden('played-decision-badly').facts);
  const [table] = predictionTables(view, (seat) => seat);

  it.each([
    ['vague words', 'smoothly', 'without a figure'],
    ['no date', 'database is locked', 'it has no date'],
    ['30 February', '10 GB free', 'is no day'],
    ['the recommendation', 'have been moved', 'true by definition'],
    ['a limit that excludes nothing', 'At least 0 jobs', 'excludes nothing'],
    ['both sides of a limit', 'or less than 64 MB', 'excludes nothing'],
    ['what would have been', 'PostgreSQL would have', 'would have been'],
    ['a private thought', 'Sam will privately', 'what somebody thinks'],
    ['a mood with a figure', '20 % happier', 'what somebody thinks'],
    ['a vote of the owners', 'owners will agree', 'what people will decide'],
    ['that the recommendation is followed', 'carried out in 3 weeks', 'will be followed'],
    ['another figure for the same thing', 'below 15 ms', 'it repeats'],
    ['a day in words that is later than the date', '3 May', 'and its date 2026-05-01'],
  ])('leave out a drafted prediction with this fault: %s', (_what, text, why) => {
    const found = view.leftOut.get(1)?.find((refused) => refused.text.includes(text));
    expect(found?.why).toContain(why);
    expect(table?.rows.some(({ sentence }) => sentence.includes(text))).toBe(false);
  });

  it('keep the valid probabilities of a model’s second answer, and list the invalid one as missing', () => {
    const own = view.predictions.flatMap(({ forecasts }) =>
      forecasts.filter(({ model }) => model === 'ollama/birch').map(({ percent }) => percent),
    );
    expect(own).toEqual([1, 99]);
    expect(view.predictions[2]?.missing).toMatchObject([{ model: 'ollama/birch' }]);
  });

  it('come from four models but count as three voices, because two seats gave equal numbers and words', () => {
    expect(table?.notes[0]).toContain('(4 models, 3 voices)');
    expect(table?.notes.join('\n')).toMatch(/(?:analyst|generalist) gave the numbers and words of/);
    expect(table?.notes.join('\n')).toContain('advocate says 50 % to everything');
  });

  it('include faults that code cannot see: a reworded repetition and a vague German sentence', () => {
    expect(view.predictions.map(({ sentence }) => sentence)).toEqual([
      'The 99th percentile of a take will be below 20 ms in the load test.',
      'Taking a job will need less than 25 ms at p99 when load-test.mjs is run.',
      'Der Umzug wird sich insgesamt lohnen.',
    ]);
  });
});
