/** Formats the facts of decisions for the log, and the answers of their models for people. */
import type { AnyFact, Sayings } from '../kernel/vocabulary.ts';
import { isRecord } from '../text/json.ts';
import { joinLines } from '../text/line.ts';
import { plural } from '../text/numbers.ts';
import { DECISIONS, type DecisionBody } from './facts.ts';
import { DRAFT_TASK, FORECAST_TASK } from './predictions.ts';

const SAYINGS: Sayings<DecisionBody> = {
  'predictions.drafted': (one) =>
    `${plural(one.predictions.length, 'prediction')} from version ${one.version}${one.left_out.length === 0 ? '' : `, ${plural(one.left_out.length, 'draft')} refused`}`,
  'forecasts.given': (one) =>
    `${one.model}: ${one.forecasts.map(({ prediction, percent }) => `${prediction} ${percent} %`).join(', ') || 'none'}`,
  'panel.forecast': (one) =>
    one.panel.map(({ prediction, percent }) => `${prediction} ${percent} %`).join(', '),
  'decision.taken': (one) => `${one.number}: ${one.text}`,
  'decision.reviewed': (one) => `${one.number} stands`,
  'prediction.resolved': (one) => `${one.id}: ${one.outcome}`,
  'claim.observed': (one) => `${one.claim} ${one.outcome}`,
};

/** Describes a fact about predictions or decisions in a few words; undefined for any other fact. */
export function formatDecisionFact(one: AnyFact): string | undefined {
  return DECISIONS.say(SAYINGS, one);
}

/**
 * Formats an answer about predictions as Markdown, even if it is incomplete. Returns undefined for
 * any other task.
 */
export function answerWords(task: string | undefined, value: unknown): string | undefined {
  if (task === DRAFT_TASK)
    return listed(value, 'predictions', ({ sentence, date, look }) =>
      [text(sentence), text(date) && `by ${text(date)}`, text(look) && `look at: ${text(look)}`]
        .filter(Boolean)
        .join(', '),
    );
  if (task === FORECAST_TASK)
    return listed(value, 'forecasts', ({ prediction, percent, why }) =>
      [text(prediction), [percent, '%'].join(' '), text(why)].filter(Boolean).join(' · '),
    );
  return undefined;
}

function listed(
  value: unknown,
  name: string,
  words: (entry: Record<string, unknown>) => string,
): string {
  const list = isRecord(value) ? value[name] : undefined;
  if (!Array.isArray(list)) return '';
  return list.flatMap((entry) => (isRecord(entry) ? [`- ${words(entry)}`] : [])).join('\n');
}

function text(value: unknown): string {
  return typeof value === 'string' ? joinLines(value) : '';
}
