/** Formats what a run cost, seat by seat, including calls whose answer was replaced later. */

import { isCall } from '../kernel/call.ts';
import { ON_PLAN } from '../kernel/providers/spec.ts';
import type { RunView } from '../kernel/view.ts';
import type { AnyFact } from '../kernel/vocabulary.ts';
import { formatMs, formatTokens, formatUsd } from '../text/numbers.ts';
import { escapeLine, formatTable } from './markdown.ts';

interface Sum {
  readonly seat: string;
  readonly model: string;
  calls: number;
  failed: number;
  input: number;
  output: number;
  usd: number;
  unpriced: number;
  /** How many calls a subscription pays for. */
  onPlan: number;
  /** How many calls have tokens that are estimated at least in part. */
  estimated: number;
  ms: number;
  attempts: number;
  /** The names that the server gave to the model, without the one it was asked by. */
  readonly served: Set<string>;
  /** The sources of its prices, each with its date. */
  readonly priced: Set<string>;
}

/**
 * Formats what a run cost as a Markdown table with a row for each seat and model, a total, and notes below. Calls
 * that a fork copied from its parent are only counted in a note. Returns `No calls.` in place of the table if the
 * run itself made no call.
 */
export function formatCosts(facts: readonly AnyFact[], view: RunView): string {
  const sums = sumsOf(facts);
  const inherited = facts.filter((fact) => isCall(fact) && fact.inherited === true).length;
  const lost = Object.values(view.calls).filter(({ state }) => state === 'lost').length;
  const estimated = sumUp(sums).estimated;
  // Count the stopped calls that may have cost more than is recorded. Leave out calls of the stand-in and calls
  // whose request was never sent, which cost nothing, and calls with estimated tokens, which another note counts.
  const stopped = facts.filter(
    (fact) =>
      isCall(fact) &&
      fact.type === 'call.stopped' &&
      !fact.inherited &&
      !fact.rehearsal &&
      fact.attempts > 0 &&
      fact.usage.estimated !== true,
  ).length;
  return [
    ...(sums.length === 0
      ? ['No calls.']
      : [formatTable(HEAD, [...sums.map(formatSum), formatSum(sumUp(sums))])]),
    ...servedLines(sums),
    ...priceLines(sums),
    ...(inherited > 0
      ? [
          `${formatWithVerb(inherited, 'call')} reused from ${escapeLine(view.parent ?? '')} and paid for there.`,
        ]
      : []),
    ...(lost > 0
      ? [
          `${formatWithVerb(lost, 'call')} lost when the program died; the provider may have billed more.`,
        ]
      : []),
    ...(estimated > 0
      ? [
          `${formatWithVerb(estimated, 'call')} not fully counted by the provider. The rest is estimated from the text sent and received; figures with ~ include such an estimate.`,
        ]
      : []),
    ...(stopped > 0
      ? [
          `${formatWithVerb(stopped, 'call')} stopped and counted up to the last report; the provider may have billed more.`,
        ]
      : []),
  ].join('\n\n');
}

const HEAD = [
  'seat',
  'model',
  '>calls',
  '>tokens in',
  '>tokens out',
  '>cost',
  '>time',
  '>attempts',
];

function sumsOf(facts: readonly AnyFact[]): Sum[] {
  const sums = new Map<string, Sum>();
  for (const fact of facts) {
    if (!isCall(fact) || fact.inherited === true) continue;
    const key = JSON.stringify([fact.seat, fact.model]);
    const sum = sums.get(key) ?? emptySum(fact.seat, fact.model);
    sums.set(key, sum);
    sum.calls += 1;
    sum.failed += fact.type === 'call.failed' ? 1 : 0;
    sum.input += fact.usage.input;
    sum.output += fact.usage.output;
    sum.usd += fact.costUsd ?? 0;
    sum.unpriced += fact.costUsd === undefined ? 1 : 0;
    sum.onPlan += fact.onPlan === true ? 1 : 0;
    sum.estimated += fact.usage.estimated === true ? 1 : 0;
    sum.ms += fact.latencyMs;
    sum.attempts += fact.attempts;
    if (fact.served !== undefined) sum.served.add(fact.served);
    if (fact.price !== undefined) sum.priced.add(`${fact.price.source}, ${fact.price.asOf}`);
  }
  return [...sums.values()];
}

function emptySum(seat: string, model: string): Sum {
  return {
    seat,
    model,
    calls: 0,
    failed: 0,
    input: 0,
    output: 0,
    usd: 0,
    unpriced: 0,
    onPlan: 0,
    estimated: 0,
    ms: 0,
    attempts: 0,
    served: new Set(),
    priced: new Set(),
  };
}

function sumUp(sums: readonly Sum[]): Sum {
  const all = emptySum('total', '');
  for (const sum of sums)
    for (const key of [
      'calls',
      'failed',
      'input',
      'output',
      'usd',
      'unpriced',
      'onPlan',
      'estimated',
      'ms',
      'attempts',
    ] as const)
      all[key] += sum[key];
  return all;
}

/** Returns where the prices are from, a line for each source with the models that it priced. */
function priceLines(sums: readonly Sum[]): string[] {
  const models = new Map<string, Set<string>>();
  for (const { model, priced } of sums)
    for (const source of priced) models.set(source, (models.get(source) ?? new Set()).add(model));
  return [...models].map(
    ([source, priced]) =>
      `Prices of ${[...priced].map(escapeLine).join(', ')}: ${escapeLine(source)}.`,
  );
}

/**
 * Returns which models answered under which names. Providers keep several models behind a name, and replace
 * them.
 */
function servedLines(sums: readonly Sum[]): string[] {
  const names = new Map<string, Set<string>>();
  for (const { model, served } of sums)
    for (const name of served) names.set(model, (names.get(model) ?? new Set()).add(name));
  return [...names].map(([model, served]) => {
    const list = [...served].map(escapeLine).join(', ');
    return served.size === 1
      ? `${escapeLine(model)} was served as ${list}.`
      : `${escapeLine(model)} was served as ${served.size} models: ${list}. The provider changed it during this run.`;
  });
}

function formatSum(sum: Sum): string[] {
  return [
    escapeLine(sum.seat),
    escapeLine(sum.model),
    `${sum.calls}${sum.failed > 0 ? ` (${sum.failed} failed)` : ''}`,
    formatTokens(sum.input, sum.estimated > 0),
    formatTokens(sum.output, sum.estimated > 0),
    costWords(sum),
    formatMs(sum.ms),
    String(sum.attempts),
  ];
}

function costWords({ calls, onPlan, unpriced, usd, estimated }: Sum): string {
  if (calls > 0 && onPlan === calls) return ON_PLAN;
  if (unpriced === calls) return 'not known';
  const known = `${unpriced > 0 ? 'at least ' : ''}${formatUsd(usd, estimated > 0)}`;
  return onPlan === 0 ? known : `${known}, and ${ON_PLAN}`;
}

function formatWithVerb(number: number, noun: string): string {
  return number === 1 ? `1 ${noun} was` : `${number} ${noun}s were`;
}
