/** `deliberate eval plan`: estimates what an evaluation can detect and what it will take. Calls no model. */
import { questionOf } from '../../evaluation/answers.ts';
import { HIGH, SINGLE, VOTE } from '../../evaluation/arms.ts';
import { blocksOf } from '../../evaluation/order.ts';
import type { EvaluationPlan } from '../../evaluation/plan.ts';
import type { Item } from '../../evaluation/sets/item.ts';
import { findSmallestVisibleDifference, powerOf } from '../../evaluation/statistics/power.ts';
import { MIN_UNITS_FOR_VERDICT } from '../../evaluation/statistics/verdict.ts';
import { estimateRun, type RunEstimate, type Span } from '../../kernel/estimate.ts';
import { isOnPlan, splitSpec } from '../../kernel/providers/spec.ts';
import { BATCH_PRICE } from '../../models/batch/batches.ts';
import type { ModelGateway } from '../../models/gateway.ts';
import { toLine } from '../../text/line.ts';
import { formatCount, formatTokens, formatUsd } from '../../text/numbers.ts';
import { withoutFalse, withoutUndefined } from '../../text/without-undefined.ts';
import type { Invocation } from '../invocation.ts';
import { canBeBatched } from './batch.ts';
import { AT_ONCE, type SeatedMaker } from './cells.ts';
import type { EvaluationRequest } from './chosen.ts';

/** The assumed share of items on which two arms differ, unless measured. */
const DISCORDANCE = 0.2;
/** The smallest difference worth detecting: four percentage points. */
const DIFFERENCE = 0.04;
/** Assumed tokens per second of a call: slow for a remote server, fast for a local one. */
const RATE = 40;

interface ArmCost {
  readonly name: string;
  readonly runs: number;
  /** Absent if the arm has no estimate. */
  readonly tokens?: Span;
  readonly usd?: Span | undefined;
  /** Whether the price of one of its models is unknown. */
  readonly isUnpriced?: boolean;
  readonly output?: Span;
}

/** Prints which differences an evaluation can detect, and what it is likely to cost, for each arm and in total. */
export function printCost(call: Invocation, chosen: EvaluationRequest): void {
  const { plan } = chosen;
  const items = itemsOf(plan);
  const costs = costsOf(chosen);
  const size = { units: plan.units, discordance: DISCORDANCE };
  const rows = withoutFalse([
    `${toLine(plan.set.name)}: ${formatCount(plan.units, 'unit')}${plan.again > 0 ? `, ${plan.again} of them three times` : ''}; ${formatCount(items.length, 'answer')} per arm`,
    `${plan.models.length === 1 ? 'Model' : 'Models'}: ${plan.models.map(toLine).join(', ')}`,
    ...agentWarning(chosen),
    `Where the arms differ on ${DISCORDANCE * 100} % of the units, a difference of ${formatPoints(findSmallestVisibleDifference(size))} is detected 4 times out of 5,`,
    `and one of ${formatPoints(DIFFERENCE)} ${Math.round(powerOf(DIFFERENCE, size) * 100)} times out of 100.`,
    plan.units < MIN_UNITS_FOR_VERDICT &&
      'This size is too small for a verdict. For a verdict: --size study',
    '',
    ...costs.map(armLine),
    '',
    costLine(chosen, costs),
  ]);
  call.out.write(`${rows.join('\n')}\n`);
}

/**
 * Returns a warning if an arm of the evaluation uses a coding agent, which can do more than answer;
 * otherwise nothing.
 */
export function agentWarning({ seated }: Pick<EvaluationRequest, 'seated'>): string[] {
  const models = [...seated.editions.keys()].filter(isOnPlan);
  if (models.length === 0) return [];
  const names = [...new Set(models.map((model) => splitSpec(model).provider))]
    .map(toLine)
    .join(', ');
  return [
    `${names}: a coding agent has a prompt and tools of its own, so this compares more than models.`,
  ];
}

/** Returns every item in every repetition that an arm is asked about. */
function itemsOf(plan: EvaluationPlan): Item[] {
  return blocksOf(plan.items, plan)
    .flat()
    .flatMap((turn) => turn.items);
}

function costsOf({ plan, seated, gateway }: EvaluationRequest): ArmCost[] {
  const { arms } = plan;
  const items = itemsOf(plan);
  const costOf = (name: string, maker: SeatedMaker | undefined): ArmCost => {
    const estimates = items.map((item) => estimateOf(gateway, item, maker));
    if (estimates.some((estimate) => estimate === undefined)) return { name, runs: items.length };
    return {
      name,
      runs: items.length,
      ...sumOf(estimates.filter((estimate) => estimate !== undefined)),
    };
  };
  const panels = arms.panels.map(({ name }) => costOf(name, seated.asked.get(name)));
  return [
    ...(arms.single ? [costOf(SINGLE, seated.alone)] : []),
    ...(arms.high ? [costOf(HIGH, seated.asked.get(HIGH))] : []),
    ...panels,
    ...(arms.vote ? [voteCost(panels, costOf(SINGLE, seated.alone))] : []),
  ];
}

function estimateOf(
  gateway: ModelGateway,
  item: Item,
  maker: SeatedMaker | undefined,
): RunEstimate | undefined {
  if (maker?.seated.plan === undefined) return undefined;
  return estimateRun(maker.seated.plan(questionOf(item)), {
    price: (model, usage) => gateway.price(model, usage),
    ownPrompt: (model) => gateway.ownPrompt?.(model) ?? 0,
    window: () => undefined,
  });
}

function sumOf(
  estimates: readonly RunEstimate[],
): Pick<ArmCost, 'tokens' | 'usd' | 'output' | 'isUnpriced'> {
  const sumSpans = (getSpan: (estimate: RunEstimate) => Span): Span => ({
    low: estimates.reduce((total, estimate) => total + getSpan(estimate).low, 0),
    high: estimates.reduce((total, estimate) => total + getSpan(estimate).high, 0),
  });
  const isUnpriced = estimates.some(({ unpriced }) => unpriced.length > 0);
  const isPriced = !isUnpriced && estimates.every(({ paid }) => paid);
  return {
    tokens: sumSpans(({ input, output }) => ({
      low: input.low + output.low,
      high: input.high + output.high,
    })),
    output: sumSpans(({ output }) => output),
    usd: isPriced ? sumSpans(({ usd }) => usd) : undefined,
    isUnpriced,
  };
}

/** Returns the cost of the vote, which by definition equals the most expensive panel. */
function voteCost(panels: readonly ArmCost[], single: ArmCost): ArmCost {
  const [dearest] = [...panels].sort(
    (left, right) => (right.tokens?.high ?? 0) - (left.tokens?.high ?? 0),
  );
  const { tokens, usd, output, isUnpriced = false } = dearest ?? {};
  const samples =
    tokens === undefined || single.tokens === undefined
      ? 0
      : Math.round((tokens.high / single.tokens.high) * single.runs);
  return {
    name: VOTE,
    runs: samples,
    ...withoutUndefined({ tokens, output }),
    usd,
    isUnpriced,
  };
}

function armLine({ name, runs, tokens, usd }: ArmCost): string {
  return [
    toLine(name).padEnd(16),
    `${runs} runs`.padStart(12),
    tokens === undefined
      ? 'tokens unknown'
      : `${formatTokens(tokens.low)} to ${formatTokens(tokens.high)} tokens`,
    ...(usd === undefined ? [] : [`${formatUsd(usd.low)} to ${formatUsd(usd.high)}`]),
  ].join('  ');
}

/**
 * Formats in one line how many tokens, and how much money and time, all arms of an evaluation are
 * likely to take.
 *
 * @param costs the estimate of each arm, if the caller has it already
 */
export function costLine(
  chosen: EvaluationRequest,
  costs: readonly ArmCost[] = costsOf(chosen),
): string {
  const atOnce = chosen.config.concurrency ?? AT_ONCE;
  const known = costs.filter(({ tokens }) => tokens !== undefined);
  const sumCosts = (getCost: (cost: ArmCost) => number): number =>
    known.reduce((total, cost) => total + getCost(cost), 0);
  const formatHours = (tokens: number): string =>
    `${Math.ceil((tokens / RATE / atOnce / 3600) * 10) / 10}`;
  const isPriced = known.some(({ usd }) => usd !== undefined);
  const { inBatches } = chosen;
  const price = inBatches ? BATCH_PRICE : 1;
  const live = inBatches ? liveArms(chosen) : [];
  const low = sumCosts(({ output }) => output?.low ?? 0);
  const high = sumCosts(({ output }) => output?.high ?? 0);
  const figures = withoutFalse([
    `Total: ${formatTokens(sumCosts(({ tokens }) => tokens?.low ?? 0))} to ${formatTokens(sumCosts(({ tokens }) => tokens?.high ?? 0))} tokens`,
    isPriced &&
      `${formatUsd(price * sumCosts(({ usd }) => usd?.low ?? 0))} to ${formatUsd(price * sumCosts(({ usd }) => usd?.high ?? 0))} ${inBatches ? 'in batches, half of the list price' : 'at list price'}`,
    inBatches
      ? 'with up to 24 h for each batch, of which one follows another.'
      : `${formatHours(low)} to ${formatHours(high)} h at ${RATE} tokens per second, ${atOnce} runs at a time.`,
  ]);
  return withoutFalse([
    figures.join(', '),
    (known.length < costs.length || (isPriced && known.some(({ isUnpriced }) => isUnpriced))) &&
      'Unknown costs are not included.',
    ...live.map(
      (name) => `${toLine(name)} is asked live, at full price: its turns are not known beforehand.`,
    ),
  ]).join(' ');
}

function liveArms({ plan, seated }: EvaluationRequest): string[] {
  const names = plan.arms.panels.map(({ name }) => name);
  return names.filter((name) => {
    const arm = seated.asked.get(name);
    return arm !== undefined && !canBeBatched(arm);
  });
}

function formatPoints(share: number): string {
  return `${Math.round(share * 1000) / 10} points`;
}
