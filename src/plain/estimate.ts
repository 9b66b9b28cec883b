/** Formats estimates: the table of `--estimate`, and the line before a run that may cost money. */
import type { RunEstimate, SeatEstimate, Span } from '../kernel/estimate.ts';
import { isOnPlan, ON_PLAN } from '../kernel/providers/spec.ts';
import { toLine } from '../text/line.ts';
import { formatTokens, formatUsd } from '../text/numbers.ts';
import { alignColumns } from './columns.ts';

/**
 * Formats the estimate of a run in one line: `4 calls, 2.1k–5.2k tokens in, 1.0k–4.8k out,
 * $0.012–$0.048`.
 */
export function formatEstimate(estimate: RunEstimate): string {
  return [
    formatEstimatedCalls(estimate),
    formatEstimatedTokens(estimate),
    formatEstimatedPrice(estimate),
  ].join(', ');
}

/** Formats the estimated number of calls: `4 calls`. */
export function formatEstimatedCalls({ calls }: RunEstimate): string {
  return `${formatSpan(calls, String)} calls`;
}

/** Formats the estimated tokens: `2.1k–5.2k tokens in, 1.0k–4.8k out`. */
export function formatEstimatedTokens({ input, output }: RunEstimate): string {
  return `${formatSpan(input, formatTokens)} tokens in, ${formatSpan(output, formatTokens)} out`;
}

/**
 * Formats the estimated cost, `$0.012–$0.048`, and names the models without a known price. If no call may cost
 * money, returns `free of charge`, or `on your plan` if a subscription pays for a seat.
 */
export function formatEstimatedPrice({ seats, usd, unpriced, paid }: RunEstimate): string {
  if (!paid) return seats.some(({ model }) => isOnPlan(model)) ? ON_PLAN : 'free of charge';
  const known = usd.high > 0 ? [formatSpan(usd, formatUsd)] : [];
  const unknown = unpriced.length > 0 ? [`price unknown: ${unpriced.map(toLine).join(', ')}`] : [];
  return [...known, ...unknown].join(', ');
}

/**
 * Formats the estimate of a run as a table with a line for each seat, a total, and warnings about
 * prompts that may be too long for a model.
 */
export function formatEstimateTable(estimate: RunEstimate): string {
  const rows = estimate.seats.map((seat) => [
    toLine(seat.title),
    toLine(seat.model),
    formatSpan(seat.calls, String),
    formatSpan(seat.input, formatTokens),
    formatSpan(seat.output, formatTokens),
    isOnPlan(seat.model)
      ? ON_PLAN
      : seat.usd === undefined
        ? 'unknown'
        : formatSpan(seat.usd, formatUsd),
    shareOf(seat),
  ]);
  const head = ['seat', 'model', 'calls', 'tokens in', 'tokens out', 'USD', 'longest prompt'];
  const large = estimate.seats.filter(({ largest, window }) => largest > (window ?? largest));
  return [
    ...alignColumns([head, ...rows]),
    '',
    `Total: ${formatEstimate(estimate)}.`,
    ...large.map(
      ({ title, model, window, largest }) =>
        `${toLine(title)}: ${toLine(model)} has a context of ${formatTokens(window ?? 0)} tokens; its longest prompt may need ${formatTokens(largest)}.`,
    ),
    'No model was called. Savings from prompt caching are not deducted.',
    '',
  ].join('\n');
}

function shareOf({ largest, window }: SeatEstimate): string {
  if (window === undefined) return `${formatTokens(largest)} of ?`;
  return `${Math.max(1, Math.round((100 * largest) / window))} % of ${formatTokens(window)}`;
}

function formatSpan({ low, high }: Span, figure: (value: number) => string): string {
  const [least, most] = [figure(low), figure(high)];
  return least === most ? least : `${least}–${most}`;
}
