/** The table of predictions: its columns, its scores and its remarks. */
import { describe, expect, it } from 'vitest';
import { type DecisionBody, fact } from '../../src/decisions/facts.ts';
import { decisionsOf } from '../../src/decisions/fold.ts';
import { type PredictionTable, predictionTables } from '../../src/decisions/table.ts';

const RUN = 'run-1';

interface Options {
  readonly draftedIn?: string;
  readonly rehearsal?: boolean;
  readonly more?: readonly DecisionBody[];
}

/** Returns the table of three predictions with the forecasts of each model, in the order of `given`. */
function tableOf(
  given: Readonly<Record<string, readonly [percents: readonly number[], why: string]>>,
  { draftedIn = RUN, rehearsal = false, more = [] }: Options = {},
): PredictionTable {
  const ids = ['P-1-1', 'P-1-2', 'P-1-3'];
  const bodies: DecisionBody[] = [
    fact('predictions.drafted', {
      version: 1,
      question: 1,
      model: 'test/chair',
      drafted_in: draftedIn,
      wanted: 3,
      today: '2026-01-01',
      left_out: [],
      step: 'x',
      rehearsal,
      predictions: ids.map((id) => ({
        id,
        sentence: `${id} will be above 100.`,
        date: '2026-03-01',
        look: 'the log',
        if: 'any' as const,
      })),
    }),
    ...Object.entries(given).map(([seat, [percents, why]]) =>
      fact('forecasts.given', {
        version: 1,
        model: `test/${seat}`,
        seats: [seat],
        left_out: [],
        step: 'f',
        rehearsal,
        forecasts: percents.map((percent, at) => ({ prediction: ids[at] ?? '', percent, why })),
      }),
    ),
    fact('panel.forecast', {
      version: 1,
      step: 'p',
      panel: ids.map((prediction) => ({ prediction, percent: 50, voices: 2 })),
    }),
    ...more,
  ];
  const view = decisionsOf(
    bodies.map((body, at) => ({ ...body, run: RUN, seq: at + 1, at: '2026-01-01T00:00:00.000Z' })),
  );
  const [table] = predictionTables(view, (seat) => seat, ['critic', 'advocate']);
  return table ?? expect.fail('no table');
}

const SAID = { advocate: [[80, 30, 60], 'as the last ones'], critic: [[40, 30, 50], 'x'] } as const;
const ANSWERS = ['yes', 'no'].map((outcome, at) =>
  fact('prediction.resolved', {
    id: `P-1-${at + 1}`,
    outcome: outcome as 'yes' | 'no',
    evidence: 'the log of March',
  }),
);

describe('the table of a run’s predictions (predictionTables)', () => {
  it('has its columns in the order of the seats, whichever model answered first', () => {
    const { columns, rows } = tableOf(SAID);
    expect(columns).toEqual(['critic', 'advocate']);
    expect(rows[0]?.forecasts).toEqual(['40 %', '80 %']);
    expect(rows[0]?.reasons).toEqual(['critic 40 %: x', 'advocate 80 %: as the last ones']);
  });

  it('has the Brier scores of the panel and of each model if a person said what came true', () => {
    const { score, rows } = tableOf(SAID, { more: ANSWERS });
    const computeBrier = (forYes: number, forNo: number): string =>
      (((1 - forYes) ** 2 + forNo ** 2) / 2).toFixed(3);
    expect(score).toContain(
      `panel ${computeBrier(0.5, 0.5)}, critic ${computeBrier(0.4, 0.3)}, advocate ${computeBrier(0.8, 0.3)}`,
    );
    expect(rows.find(({ id }) => id === 'P-1-1')?.details).toContain('Evidence: the log of March');
  });

  it('has no score in a rehearsal, for predictions copied from another run, or before a person said what came true', () => {
    expect(tableOf(SAID).score).toBeUndefined();
    expect(tableOf(SAID, { more: ANSWERS, rehearsal: true }).score).toBeUndefined();
    expect(tableOf(SAID, { more: ANSWERS, draftedIn: 'run-0' }).score).toBeUndefined();
  });

  it('has a note if two models gave the same numbers with different reasons', () => {
    const readRemarks = (first: readonly number[], second: readonly number[]): string =>
      tableOf({
        advocate: [first, 'the last three were late'],
        critic: [second, 'the disk is slow, and so is the queue'],
      }).notes.join('\n');
    expect(readRemarks([70, 20, 35], [70, 20, 35])).toMatch(
      /gave the numbers of \w+ in other words/,
    );
    expect(readRemarks([70, 20, 35], [70, 20, 40])).not.toContain('in other words');
    // Two models that say 50 % to everything each get a note about that. A further note that their numbers are
    // equal is left out.
    expect(readRemarks([50, 50, 50], [50, 50, 50])).not.toContain('in other words');
  });
});
