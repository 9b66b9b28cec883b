/** Runs with predictions and decisions, recorded as if they had been held. */
import { fact as decision } from '../../src/decisions/facts.ts';
import type { AnyBody } from '../../src/kernel/vocabulary.ts';
import type { Store } from '../../src/store/store.ts';
import { withoutUndefined } from '../../src/text/without-undefined.ts';
import { fact } from '../every-fact.ts';

/** The configuration of a board, which an import checks. */
const CONFIG = { synthesizer: 'ollama/m', open: false, seed: 7, attachments: [] };

interface Options {
  /** The dates of the predictions, one prediction each. */
  readonly dates?: readonly string[];
  readonly command?: string;
  readonly draftedIn?: string;
  readonly rehearsal?: boolean;
  readonly isOver?: boolean;
  readonly more?: readonly AnyBody[];
}

/** Records a run of a board with predictions `P-1-1`, `P-1-2`, … */
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

/** Returns the fact of a decision. */
export const makeDecisionFact = (more: object = {}): AnyBody =>
  decision('decision.taken', { number: 1, text: 'Split billing first.', follows: true, ...more });
