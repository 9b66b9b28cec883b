/** Track records, from facts in a real store to the output of `deliberate track`. */
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { readTrackedRuns } from '../../src/app/track/read.ts';
import { trackLines } from '../../src/app/track/sheet.ts';
import { historyPage } from '../../src/console/history/page.ts';
import { beginHistory, press, withRuns, withTrack } from '../../src/console/history/state.ts';
import { keymapOf } from '../../src/console/keys/key-lookup.ts';
import { Theme } from '../../src/console/terminal/theme.ts';
import { fact as decision } from '../../src/decisions/facts.ts';
import { type TrackRow, trackPairs, trackRows } from '../../src/evaluation/track/runs.ts';
import type { AnyBody } from '../../src/kernel/vocabulary.ts';
import { fact as rounds } from '../../src/protocols/rounds/facts.ts';
import type { Store } from '../../src/store/store.ts';
import type { TrackGrouping } from '../../src/text/usage-table.ts';
import { runDeliberate } from '../e2e/calls.ts';
import { fact } from '../every-fact.ts';
import { temporaryStore } from '../kernel/desk.ts';
import { makeCompletedCall } from '../store/bodies.ts';

const MODELS = new Map([
  ['guardian', 'ollama/qwen3:8b'],
  ['critic', 'anthropic/claude-haiku-4-5'],
]);

interface Prediction {
  readonly if?: 'recommended' | 'any';
  /** The forecast of each seat in per cent. */
  readonly said: Readonly<Record<string, number>>;
  readonly panel: number;
  readonly outcomes?: readonly ('yes' | 'no' | 'void' | 'later')[];
}

interface Options {
  readonly protocol?: string;
  readonly version?: number;
  readonly rehearsal?: boolean;
  readonly draftedIn?: string;
  readonly more?: readonly AnyBody[];
}

/** Records a run with predictions from one synthesis, each answered as `outcomes` says, in turn. */
function recordRun(
  store: Store,
  predictions: readonly Prediction[],
  options: Options = {},
): string {
  const { protocol = 'rounds', version = 1, rehearsal = false, draftedIn, more = [] } = options;
  const journal = store.create(protocol);
  const formatId = (at: number): string => `P-${version}-${at + 1}`;
  const seats = [...MODELS].map(([seat, model]) => ({
    id: seat,
    role: seat,
    title: seat,
    model,
    brief: '',
  }));
  journal.note([
    fact('run.started', {
      protocol,
      question: 'Split it?',
      seats,
      config: {},
      request: { kind: 'convene' },
    }),
    decision('predictions.drafted', {
      version,
      question: 1,
      model: 'ollama/qwen3:8b',
      drafted_in: draftedIn ?? journal.run,
      today: '2026-08-01',
      wanted: predictions.length,
      predictions: predictions.map(({ if: condition = 'any' }, at) => ({
        id: formatId(at),
        sentence: `Figure ${at} will be above 100`,
        date: '2026-11-01',
        look: 'the dashboard',
        if: condition,
      })),
      left_out: [],
      step: 'predict/1',
      rehearsal,
    }),
    ...[...MODELS].map(([seat, model]) =>
      decision('forecasts.given', {
        version,
        model,
        seats: [seat],
        forecasts: predictions.flatMap(({ said }, at) =>
          said[seat] === undefined
            ? []
            : [{ prediction: formatId(at), percent: said[seat], why: 'w' }],
        ),
        left_out: [],
        step: `forecast/1/${seat}`,
        rehearsal,
      }),
    ),
    decision('panel.forecast', {
      version,
      panel: predictions.map(({ panel }, at) => ({
        prediction: formatId(at),
        percent: panel,
        voices: 2,
      })),
      step: 'panel/1',
    }),
    ...predictions.flatMap(({ outcomes = [] }, at) =>
      outcomes.map((outcome) => decision('prediction.resolved', { id: formatId(at), outcome })),
    ),
    ...more,
  ]);
  journal.release();
  return journal.run;
}

function rowOf(store: Store, by: TrackGrouping, name: string): TrackRow {
  const row = trackRows(readTrackedRuns(store), by).find(({ forecaster }) => forecaster === name);
  if (row === undefined) throw new Error(`no row of ${name}`);
  return row;
}

describe('The predictions that the command `track` scores', () => {
  it('include only predictions with a final answer', () => {
    const store = temporaryStore();
    recordRun(store, [
      { said: { guardian: 80, critic: 30 }, panel: 60, outcomes: ['yes'] },
      { said: { guardian: 80, critic: 30 }, panel: 60, outcomes: ['yes', 'no'] },
      { said: { guardian: 80, critic: 30 }, panel: 60, outcomes: ['void'] },
      { said: { guardian: 80, critic: 30 }, panel: 60, outcomes: ['yes', 'later'] },
      { said: { guardian: 80, critic: 30 }, panel: 60 },
    ]);
    const guardian = rowOf(store, 'model', 'ollama/qwen3:8b');
    expect(guardian).toMatchObject({ decisions: 1, predictions: 2 });
    expect(guardian.brier).toBeCloseTo((0.2 ** 2 + 0.8 ** 2) / 2, 12);
    expect(guardian.panelBrier).toBeCloseTo((0.4 ** 2 + 0.6 ** 2) / 2, 12);
    expect(guardian.difference.verdict).toBe('few');
  });

  it('leave out predictions that assume a rejected recommendation', () => {
    const store = temporaryStore();
    const makeDecision = (follows: boolean): AnyBody =>
      decision('decision.taken', { number: 1, text: 'Wait', follows });
    const both: Prediction[] = [
      { if: 'recommended', said: { guardian: 90 }, panel: 90, outcomes: ['yes'] },
      { if: 'any', said: { guardian: 40 }, panel: 40, outcomes: ['no'] },
    ];
    recordRun(store, both, { more: [makeDecision(false)] });
    const row = rowOf(store, 'model', 'ollama/qwen3:8b');
    expect(row.predictions).toBe(1);
    expect(row.brier).toBeCloseTo(0.16, 12);
    recordRun(store, both, { more: [makeDecision(true)] });
    expect(rowOf(store, 'model', 'ollama/qwen3:8b')).toMatchObject({ predictions: 3 });
  });

  it('leave out predictions of a rehearsal and predictions that a fork copied', () => {
    const store = temporaryStore();
    const said = [{ said: { guardian: 90 }, panel: 90, outcomes: ['yes'] as const }];
    recordRun(store, said, { rehearsal: true });
    recordRun(store, said, { draftedIn: 'another-run' });
    expect(readTrackedRuns(store)).toEqual([]);
    expect(trackLines([], 'model').join('\n')).toContain('deliberate due');
  });

  it('can be limited to predictions that were answered since a given time', () => {
    const store = temporaryStore();
    recordRun(store, [{ said: { guardian: 90 }, panel: 90, outcomes: ['yes'] }]);
    expect(readTrackedRuns(store, '2026-01-01T00:00:00.000Z')).toHaveLength(1);
    expect(readTrackedRuns(store, '2999-01-01T00:00:00.000Z')).toEqual([]);
  });
});

describe('The rows of the command `track`, which scores predictions,', () => {
  const predictions: Prediction[] = [
    { said: { guardian: 80, critic: 30 }, panel: 60, outcomes: ['no'] },
    { said: { guardian: 70, critic: 90 }, panel: 80, outcomes: ['yes'] },
  ];

  it('are grouped by model, model family, role or protocol, and sorted by name', () => {
    const store = temporaryStore();
    recordRun(store, predictions);
    recordRun(store, predictions, { protocol: 'board' });
    const listForecasters = (by: TrackGrouping): string[] =>
      trackRows(readTrackedRuns(store), by).map(({ forecaster }) => forecaster);
    expect(listForecasters('model')).toEqual(['anthropic/claude-haiku-4-5', 'ollama/qwen3:8b']);
    expect(listForecasters('lineage')).toEqual(['claude', 'qwen']);
    expect(listForecasters('role')).toEqual(['critic', 'guardian']);
    expect(listForecasters('protocol')).toEqual(['board', 'rounds']);
    expect(rowOf(store, 'protocol', 'board').brier).toBeCloseTo((0.6 ** 2 + 0.2 ** 2) / 2, 12);
  });

  it('show how often a model was right when all other models were on the other side of 50 %', () => {
    const store = temporaryStore();
    recordRun(store, predictions);
    expect(rowOf(store, 'model', 'anthropic/claude-haiku-4-5').alone).toEqual({ right: 1, of: 1 });
    expect(rowOf(store, 'model', 'ollama/qwen3:8b').alone).toEqual({ right: 0, of: 1 });
  });

  it('count the claims that a document, a command or a person settled', () => {
    const store = temporaryStore();
    const makeClaim = (id: string, by: 'critic' | 'guardian', text: string): AnyBody =>
      rounds('claim.raised', {
        id,
        round: 1,
        raised_by: by,
        text,
        testable_as: 'look',
        step: 'round-1/A/critic',
      });
    const moveClaim = (
      id: string,
      to: 'tested_confirmed' | 'tested_refuted',
      basis: 'read' | 'argued' | 'executed',
    ): AnyBody =>
      rounds('claim.moved', { claim: id, round: 1, from: 'pending', to, basis, why: 'w' });
    recordRun(store, predictions, {
      more: [
        rounds('round.started', { round: 1, lead: 'critic' }),
        makeClaim('C-1-1', 'critic', 'The queue grows'),
        makeClaim('C-1-2', 'critic', 'The cache is cold'),
        makeClaim('C-1-3', 'critic', 'It is only argued'),
        makeClaim('C-1-4', 'critic', 'Seen later'),
        // C-1-5 has the text of C-1-1, except for case and punctuation, so neither counts as found alone.
        makeClaim('C-1-5', 'guardian', 'the queue grows!'),
        moveClaim('C-1-1', 'tested_confirmed', 'read'),
        moveClaim('C-1-2', 'tested_refuted', 'executed'),
        moveClaim('C-1-3', 'tested_confirmed', 'argued'),
        moveClaim('C-1-5', 'tested_confirmed', 'read'),
        decision('claim.observed', { claim: 'C-1-4', outcome: 'held' }),
        makeCompletedCall({ seat: 'critic', model: 'anthropic/claude-haiku-4-5', costUsd: 0.5 }),
        makeCompletedCall({
          seat: 'critic',
          model: 'anthropic/claude-haiku-4-5',
          costUsd: 9,
          inherited: true,
        }),
      ],
    });
    expect(rowOf(store, 'role', 'critic')).toMatchObject({
      claims: { raised: 4, confirmed: 2, refuted: 1, foundAlone: 1 },
      tokens: 120,
      usd: 0.5,
      usdPerFoundAlone: 0.5,
    });
    expect(rowOf(store, 'model', 'ollama/qwen3:8b')).toMatchObject({
      claims: { raised: 1, confirmed: 1, refuted: 0, foundAlone: 0 },
      usd: 0,
      usdPerFoundAlone: undefined,
    });
  });
});

it('The SQL view `track` has the same figures for each model as the program', () => {
  const store = temporaryStore();
  const said = { guardian: 80, critic: 30 };
  recordRun(store, [
    { said, panel: 60, outcomes: ['yes'] },
    { said, panel: 60, outcomes: ['no', 'later'] },
    { said: { guardian: 10 }, panel: 10, outcomes: ['no'] },
    { said, panel: 60 },
  ]);
  recordRun(store, [{ if: 'recommended', said, panel: 50, outcomes: ['yes'] }], {
    more: [decision('decision.taken', { number: 1, text: 'Wait', follows: false })],
  });
  recordRun(store, [{ said, panel: 40, outcomes: ['no'] }], { draftedIn: 'another-run' });
  recordRun(store, [{ said, panel: 40, outcomes: ['no'] }], { rehearsal: true });
  recordRun(store, [{ said, panel: 40, outcomes: ['no'] }], { version: 2 });
  const rows = trackRows(readTrackedRuns(store), 'model').map((row) => ({
    model: row.forecaster,
    decisions: row.decisions,
    predictions: row.predictions,
    brier: expect.closeTo(row.brier, 12),
    panel_brier: expect.closeTo(row.panelBrier, 12),
  }));
  expect(rows).toHaveLength(2);
  const db = new Database(store.file, { readonly: true });
  expect(db.prepare('SELECT * FROM track ORDER BY model').all()).toEqual(rows);
  db.close();
});

describe('The report of the command `track` on models’ forecasts', () => {
  /**
   * Returns a store with so many decisions, each with one prediction that came true: the guardian gave it 90 %,
   * the critic 20 % and the panel 50 %.
   */
  function makeStore(decisions: number): Store {
    const store = temporaryStore();
    for (let at = 0; at < decisions; at += 1)
      recordRun(store, [{ said: { guardian: 90, critic: 20 }, panel: 50, outcomes: ['yes'] }]);
    return store;
  }
  const linesOf = (store: Store): string =>
    trackLines(
      trackRows(readTrackedRuns(store), 'model'),
      'model',
      trackPairs(readTrackedRuns(store), 'model'),
    ).join('\n');

  it('calls a model better or worse only after ten decisions with known outcomes', () => {
    const few = linesOf(makeStore(9));
    expect(few).toMatch(/difference -0\.240 \(-\d\.\d{3} to -\d\.\d{3}\): too few to say/);
    expect(few).not.toMatch(/better than|worse than/);
    const enough = linesOf(makeStore(10));
    expect(enough).toContain(': better than its panels');
    expect(enough).toContain(': worse than its panels');
    expect(enough).toContain('this is no ranking');
    expect(few).toMatch(/claude-haiku-4-5 and ollama\/qwen3:8b \(9\): \+0\.630 .*: too few to say/);
    expect(enough).toMatch(/\(10\): \+0\.630 .*: the second did better/);
    expect(enough).toContain('··················|·o  said 90 %, came true 100 % (10 of 10)');
  });

  it('is printed as lines or as JSON, and cannot be grouped by day', async () => {
    const store = makeStore(1);
    const env = { DELIBERATE_DB: store.file };
    const shown = await runDeliberate(['track', '--by', 'lineage'], { env });
    expect(shown.out).toMatch(/^claude: 1 decision, 1 prediction\n/);
    const [{ by, rows }] = (await runDeliberate(['track', '--json'], { env })).out
      .trim()
      .split('\n')
      .map((row) => JSON.parse(row));
    expect(by).toBe('model');
    expect(rows).toHaveLength(2);
    const refused = await runDeliberate(['track', '--by', 'day'], { env });
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toContain('a track record is by model, lineage, role, protocol');
    expect((await runDeliberate(['usage', '--by', 'role'], { env })).code).toBe(2);
  });

  it('opens in the history by the key t, and the key b changes its grouping', () => {
    const store = makeStore(2);
    const look = { theme: new Theme(0), keymap: keymapOf({}), rows: 24, now: 0 };
    const typeKeys = (keys: readonly string[]): ReturnType<typeof beginHistory> =>
      keys.reduce(
        (before, key) => {
          const after = press(before, key);
          if (after.effect?.kind !== 'track') return after;
          const { by } = after.effect;
          return withTrack(after, by, trackLines(trackRows(readTrackedRuns(store), by), by));
        },
        withRuns(beginHistory(), []),
      );
    for (const columns of [40, 80, 140]) {
      const rows = historyPage(typeKeys(['t']), { ...look, columns });
      expect(rows).toHaveLength(24);
      expect(rows.join('\n')).toContain('anthropic/claude-haiku-4-5');
    }
    const rows = historyPage(typeKeys(['t', 'b', 'b']), { ...look, columns: 140 })
      .join('\n')
      .replaceAll(/\u001b\[\d+m/g, '');
    expect(rows).toContain('by role, of all runs');
    expect(rows).toContain('b by protocol');
    expect(historyPage(typeKeys(['t', 'q']), { ...look, columns: 80 }).join('\n')).toContain(
      'history',
    );
  });
});
