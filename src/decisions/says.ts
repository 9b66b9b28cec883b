/** Formats the facts of decisions for the log, and the answers of their models for people. */
import type { AnyFact, FactSentences } from '../kernel/vocabulary.ts';
import { isRecord } from '../text/json.ts';
import { joinLines } from '../text/line.ts';
import { formatCount } from '../text/numbers.ts';
import { DECISIONS, type DecisionBody } from './facts.ts';
import { DRAFT_TASK, FORECAST_TASK } from './predictions.ts';

const SAYINGS: FactSentences<DecisionBody> = {
  'predictions.drafted': (fact) =>
    `${formatCount(fact.predictions.length, 'prediction')} from version ${fact.version}${fact.left_out.length === 0 ? '' : `, ${formatCount(fact.left_out.length, 'draft')} refused`}`,
  'forecasts.given': (fact) =>
    `${fact.model}: ${fact.forecasts.map(({ prediction, percent }) => `${prediction} ${percent} %`).join(', ') || 'none'}`,
  'panel.forecast': (fact) =>
    fact.panel.map(({ prediction, percent }) => `${prediction} ${percent} %`).join(', '),
  'decision.taken': (fact) => `${fact.number}: ${fact.text}`,
  'decision.reviewed': (fact) => `${fact.number} stands`,
  'prediction.resolved': (fact) => `${fact.id}: ${fact.outcome}`,
  'claim.observed': (fact) => `${fact.claim} ${fact.outcome}`,
};

/** Describes a fact about predictions or decisions in a few words; undefined for any other fact. */
export function formatDecisionFact(fact: AnyFact): string | undefined {
  return DECISIONS.say(SAYINGS, fact);
}

/**
 * Formats an answer about predictions as Markdown, even if it is incomplete. Returns undefined for
 * any other task.
 */
export function answerWords(task: string | undefined, value: unknown): string | undefined {
  if (task === DRAFT_TASK)
    return formatEntries(value, 'predictions', ({ sentence, date, look }) =>
      [
        formatText(sentence),
        formatText(date) && `by ${formatText(date)}`,
        formatText(look) && `look at: ${formatText(look)}`,
      ]
        .filter(Boolean)
        .join(', '),
    );
  if (task === FORECAST_TASK)
    return formatEntries(value, 'forecasts', ({ prediction, percent, why }) =>
      [formatText(prediction), [percent, '%'].join(' '), formatText(why)]
        .filter(Boolean)
        .join(' · '),
    );
  return undefined;
}

function formatEntries(
  value: unknown,
  name: string,
  words: (entry: Record<string, unknown>) => string,
): string {
  const list = isRecord(value) ? value[name] : undefined;
  if (!Array.isArray(list)) return '';
  return list.flatMap((entry) => (isRecord(entry) ? [`- ${words(entry)}`] : [])).join('\n');
}

function formatText(value: unknown): string {
  return typeof value === 'string' ? joinLines(value) : '';
}
