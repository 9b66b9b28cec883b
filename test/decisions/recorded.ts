/** Recorded runs of boards with predictions and decisions. */
import { fact as decision } from '../../src/decisions/facts.ts';
import type { AnyBody } from '../../src/kernel/vocabulary.ts';
import type { Store } from '../../src/store/store.ts';
import { withoutUndefined } from '../../src/text/without-undefined.ts';
import { fact } from '../every-fact.ts';

/** The configuration of a board, which an import checks. */
const CONFIG = { synthesizer: 'ollama/m', open: false, seed: 7, attachments: [] };

/** What a test wants of a recorded run; everything has a default. */
interface Options {
  /** The dates of the predictions; there is one prediction for each. Only `2026-03-01` if absent. */
  readonly dates?: readonly string[];
  /** The command that every prediction names to look its outcome up. */
  readonly command?: string;
  /** The id of the run in which the predictions were drafted; the run itself if absent. */
  readonly draftedIn?: string;
  readonly rehearsal?: boolean;
  /** Whether the run has ended; true if absent. */
  readonly isOver?: boolean;
  /** Facts that are recorded after the predictions. */
  readonly more?: readonly AnyBody[];
}

/** Records a board's run with the predictions `P-1-1`, `P-1-2` and so on, and returns its id. */
export function recordBoard(store: Store, options: Options = {}): string {
  const { dates = ['2026-03-01'], command, draftedIn, rehearsal = false, isOver = true } = options;
  const journal = store.create('board');
  journal.note([
    fact('run.started', {
      protocol: 'board',
      question: 'Split it?',
      config: CONFIG,
      seats: [{ id: 'critic', role: 'critic', title: 'Critic', model: 'ollama/m', brief: '' }],
      request: { kind: 'convene' },
    }),
    decision('predictions.drafted', {
      version: 1,
      question: 1,
      model: 'ollama/m',
      drafted_in: draftedIn ?? journal.run,
      today: '2026-01-01',
      wanted: dates.length,
      left_out: [],
      step: 'x',
      rehearsal,
      predictions: dates.map((date, at) => ({
        id: `P-1-${at + 1}`,
        sentence: `Figure ${at + 1} is above 100.`,
        date,
        look: 'the dashboard',
        if: 'recommended' as const,
        ...withoutUndefined({ command }),
      })),
    }),
    ...(options.more ?? []),
    ...(isOver ? [fact('run.ended', { status: 'done' })] : []),
  ]);
  journal.release();
  return journal.run;
}

/** Returns the fact of a run's first decision, which follows the recommendation. `more` changes its fields. */
export const makeDecisionFact = (more: object = {}): AnyBody =>
  decision('decision.taken', { number: 1, text: 'Split billing first.', follows: true, ...more });
