/** Returns the header of a report from the plan that was stored before the first call. */

import { withoutUndefined } from '../text/without-undefined.ts';
import { HIGH, SINGLE, votesAgainst } from './arms.ts';
import type { Contrast, Header } from './header.ts';
import type { EvaluationEnding, EvaluationPlan } from './plan.ts';

/**
 * Returns the header of an evaluation's log, from what was planned and what was stored at the end. The
 * header names the arms and which of them the report compares: each panel with its votes and with the
 * single model, and the single model with itself at high effort.
 *
 * @throws Error if the plan has none of these comparisons
 */
export function headerOf(
  plan: EvaluationPlan,
  ending: EvaluationEnding,
  { startedAt, endedAt }: { readonly startedAt: string; readonly endedAt: string },
): Header {
  const { arms, set, model, panel = [] } = plan;
  const panels = arms.panels.map(({ name }) => name);
  const contrastWithSingle = (arm: string): Contrast => ({
    arm,
    against: { usd: SINGLE, tokens: SINGLE },
  });
  const contrastWithVote = (arm: string): Contrast => {
    const { usd, tokens } = votesAgainst(arm, ending.votes);
    return {
      arm,
      against: withoutUndefined({ usd: usd?.name, tokens: tokens?.name }),
    };
  };
  const contrasts = [
    ...(arms.vote ? panels.map(contrastWithVote) : []),
    ...(arms.single ? panels.map(contrastWithSingle) : []),
    ...(arms.single && arms.high ? [contrastWithSingle(HIGH)] : []),
  ];
  const primary = contrasts.find(({ arm }) => arm === arms.primary) ?? contrasts[0];
  if (primary === undefined) throw new Error('an evaluation without a contrast');
  return {
    set: set.name,
    about: `${set.about}; ${ending.turns} of ${ending.of} answered by all arms${ending.resent > 0 ? `; ${ending.resent} calls resent after a kill` : ''}`,
    units: plan.units,
    turns: ending.of,
    startedAt,
    endedAt,
    arms: [
      ...(arms.single ? [{ name: SINGLE, about: `${model} once`, models: [model] }] : []),
      ...(arms.high ? [{ name: HIGH, about: `${model} with more effort`, models: [model] }] : []),
      ...panels.map((name) => ({
        name,
        ...(panel.length === 0
          ? {}
          : { about: `seats in turn: ${panel.join(', ')}; beside them ${model}` }),
        models: [...new Set([...panel, model])],
      })),
      ...panels.flatMap((panel) => votesOf(panel, ending, model)),
    ],
    primary,
    others: contrasts.filter((contrast) => contrast !== primary),
    prices: ending.prices ?? plan.prices,
    kinds: new Map(
      plan.items.flatMap(({ id, meta }) =>
        typeof meta.source === 'string' && meta.source !== 'memos'
          ? [[id, meta.source] as const]
          : [],
      ),
    ),
    isOurs: set.isOurs,
  };
}

function votesOf(panel: string, { votes }: EvaluationEnding, model: string): Header['arms'] {
  const { usd, tokens } = votesAgainst(panel, votes);
  const describeVote = (samples: number, what: string): string =>
    `${samples} answers of ${model}, as many ${what} as ${panel}`;
  const models = [model];
  if (usd === undefined)
    return tokens === undefined
      ? []
      : [{ name: tokens.name, about: describeVote(tokens.samples, 'tokens'), models }];
  return [
    { name: usd.name, about: describeVote(usd.samples, 'dollars'), models },
    ...(tokens === undefined || tokens.name === usd.name
      ? []
      : [{ name: tokens.name, about: describeVote(tokens.samples, 'tokens'), models }]),
  ];
}
