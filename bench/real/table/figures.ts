/** Sums up the calls of a session, and how far estimates of their prompts were off. */
import type { Message } from '../../../src/kernel/model.ts';
import { estimatePrompt } from '../../../src/kernel/tokens.ts';
import { PromptScale } from '../../../src/models/answer/prompt-scale.ts';
import { queryRows } from './session.ts';

/** Counts of the calls to models in some runs, and of their tokens. */
export interface CallFigures {
  readonly calls: number;
  /** How many calls had an answer of the wrong form and were asked again. */
  readonly askedAgain: number;
  /** How many calls had an answer of the wrong form even then. */
  readonly refused: number;
  readonly failed: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** Tokens of the prompts of calls with a single request, as the server counted them. */
  readonly counted: number;
  /** Tokens of the same prompts, as the program estimated them. */
  readonly estimated: number;
  /**
   * The least and the largest ratio of estimate and count, after correction by earlier counts; undefined
   * without counts.
   */
  readonly corrected: readonly [number, number] | undefined;
}

interface CallRow {
  readonly model: string;
  readonly status: string;
  readonly attempts: number;
  readonly tokens_in: number;
  readonly tokens_out: number;
  readonly estimated: number;
  readonly error: string | null;
  readonly notes: string | null;
  readonly system: string | null;
  readonly conversation: string | null;
}

/** `attempts` counts the repeated request; what notes say about it is in the log only. */
const CALLS = `SELECT calls.model, calls.status, calls.attempts, calls.tokens_in, calls.tokens_out,
    calls.estimated, calls.error, calls.system, calls.conversation, (
      SELECT json_extract(fact.body, '$.notes') FROM fact
      WHERE fact.run_id = calls.run_id AND fact.seq = calls.seq
    ) AS notes
  FROM calls WHERE NOT inherited ORDER BY started_at`;

/**
 * Returns the figures of the calls in a database. Calls that a fork copied do not count, nor the first `skipped`
 * calls.
 */
export function readFigures(file: string, skipped: number): CallFigures {
  const rows = (queryRows(file, CALLS) as CallRow[]).slice(skipped);
  const refused = rows.filter(({ error }) => /does not have the right form/.test(error ?? ''));
  const again = rows.filter(({ notes }) => /asked again/.test(notes ?? ''));
  const scales = new Map<string, PromptScale>();
  const ratios: number[] = [];
  let counted = 0;
  let estimated = 0;
  for (const row of rows) {
    // Skip calls with several requests or without a count of tokens: their prompts cannot be
    // compared with an estimate.
    if (row.attempts !== 1 || row.estimated !== 0 || row.tokens_in === 0) continue;
    if (row.conversation === null) continue;
    const estimate = estimateOf(row);
    counted += row.tokens_in;
    estimated += estimate;
    const scale = scales.get(row.model) ?? new PromptScale();
    if (scales.has(row.model)) ratios.push(scale.apply(estimate) / row.tokens_in);
    scale.learn(estimate, row.tokens_in);
    scales.set(row.model, scale);
  }
  const addUp = (of: (row: CallRow) => number): number =>
    rows.reduce((all, row) => all + of(row), 0);
  return {
    calls: rows.length,
    askedAgain: again.length,
    refused: refused.length,
    failed: rows.filter(({ status }) => status === 'failed').length,
    tokensIn: addUp((row) => row.tokens_in),
    tokensOut: addUp((row) => row.tokens_out),
    counted,
    estimated,
    corrected: ratios.length === 0 ? undefined : [Math.min(...ratios), Math.max(...ratios)],
  };
}

function estimateOf({ system, conversation }: CallRow): number {
  const said = JSON.parse(conversation ?? '[]') as { role: Message['role']; content: string }[];
  const messages = said.map(
    ({ role, content }) => ({ role, parts: [{ text: content }] }) as Message,
  );
  return estimatePrompt(system ?? '', messages);
}

/** Returns the number of calls in a database, without those that a fork copied. */
export function countCalls(file: string): number {
  return (queryRows(file, 'SELECT 1 FROM calls WHERE NOT inherited') as unknown[]).length;
}
