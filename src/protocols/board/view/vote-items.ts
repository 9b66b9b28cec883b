/** The lines of the tab Vote: the vote, the table, the ablation and the baselines. */

import type { RunModel, Synthesis } from '../../../console/model/run-model.ts';
import type { ComparedText } from '../../../console/run/tabs/page.ts';
import { entryOf } from '../../../kernel/entry.ts';
import { formatCount, formatTokens, formatUsd } from '../../../text/numbers.ts';
import { replaceLetters } from '../../common/quotations/names.ts';
import type { AblationView, AgreementView, BaselineView } from '../fold.ts';
import { getBoardState, getQuestionState } from './part.ts';
import { describeUnusable, findUnusableBallots } from './unusable-ballots.ts';
import {
  type Choice,
  changesByChance,
  findAblations,
  getAgreement,
  getVote,
  seatNames,
  willBeGrouped,
} from './vote.ts';

type Point = AgreementView['points'][number];

/**
 * A line of the tab Vote. The cursor can be on choices, points, results without one of the seats
 * (`influence`) and baselines, but not on headings and remarks.
 */
export type Item =
  | { readonly kind: 'title' | 'positions' | 'text'; readonly text: string }
  | { readonly kind: 'choice'; readonly text: string; readonly choice: Choice }
  | { readonly kind: 'point'; readonly text: string; readonly point: Point }
  | { readonly kind: 'influence'; readonly text: string; readonly influence: AblationView }
  | { readonly kind: 'baseline'; readonly text: string; readonly baseline: BaselineView };

/** The signs in the cells of the table of positions. */
export const SIDES = {
  for: '+',
  against: '-',
  partly: '~',
  silent: '·',
} as const;
/** The explanation of the signs in the table of positions. */
export const LEGEND = '+ for  - against  ~ partly  · silent';

const CHANGES: Readonly<Record<AblationView['change'], string>> = {
  same: 'same',
  detail: 'a detail changed',
  course: 'COURSE CHANGED',
};

/** Returns the lines of the tab Vote for a question and one of its syntheses. */
export function listVoteItems(
  runModel: RunModel,
  question: number,
  synthesis: Synthesis | undefined,
): Item[] {
  // A synthesis that an ablation has written has no vote of its own, so the tab Vote shows the vote and results of
  // the original synthesis.
  const version = synthesis?.ablates ?? synthesis?.version;
  const parts = [
    voteItems(runModel, question, version),
    agreementItems(runModel, question, version),
    version === undefined ? [] : ablationItems(runModel, version),
    baselineItems(runModel, question),
  ];
  return parts
    .filter((items) => items.length > 0)
    .flatMap((items, index): Item[] =>
      index === 0 ? items : [{ kind: 'text', text: '' }, ...items],
    );
}

/** Returns whether the cursor can be on a line. */
export function isSelectable({ kind }: Item): boolean {
  return kind !== 'title' && kind !== 'positions' && kind !== 'text';
}

/**
 * Returns whether the tab Vote has anything to show: ballots (even if they cannot be counted), a table of positions,
 * results without one of the seats, or baselines.
 */
export function hasVotes(runModel: RunModel): boolean {
  const board = getBoardState(runModel);
  return (
    board.questions.some(
      (question) =>
        question.ballots.length + question.baselines.length > 0 ||
        findUnusableBallots(question, runModel.view).length > 0,
    ) ||
    Object.keys(board.agreements).length > 0 ||
    Object.keys(board.ablations).length > 0
  );
}

function voteItems(runModel: RunModel, question: number, version: number | undefined): Item[] {
  const { choices, silent, unusable } = getVote(runModel, question, version);
  const ballots = getQuestionState(runModel, question)?.ballots ?? [];
  if (choices.length === 0 && unusable.length === 0) return [];
  const formatSeatConfidence = (seat: string): string =>
    `${runModel.nameOf(seat)} ${Math.round((ballots.find((ballot) => ballot.seat === seat)?.confidence ?? 0) * 100)} %`;
  // Votes of related models are worth less than one vote each. The worth of the votes is shown only if it is less
  // than their number for some option.
  const weighed = choices.some(({ seats, effective }) => seats.length - effective >= 0.05);
  return [
    { kind: 'title', text: 'Vote before debate: no seat had read another' },
    ...(choices.length > 1 && willBeGrouped(runModel, question, version)
      ? [{ kind: 'text', text: 'equivalent options are grouped later' } as const]
      : []),
    ...choices.map((choice): Item => {
      const { option, seats, effective } = choice;
      const voters = seats.map(formatSeatConfidence).join(', ');
      const weight = weighed ? ` (worth ${effective.toFixed(1)})` : '';
      return { kind: 'choice', text: `${seats.length} ${option}${weight}: ${voters}`, choice };
    }),
    ...(weighed
      ? [
          {
            kind: 'text',
            text: 'worth: seats on one model count as one vote, related models as partly one',
          } as const,
        ]
      : []),
    ...(silent.length === 0
      ? []
      : [{ kind: 'text', text: `no ballot: ${seatNames(runModel, silent)}` } as const]),
    ...unusable.map((ballot): Item => {
      const text = describeUnusable(ballot, seatNames(runModel, [ballot.seat]));
      return { kind: 'text', text };
    }),
  ];
}

function agreementItems(runModel: RunModel, question: number, version: number | undefined): Item[] {
  const agreement = getAgreement(runModel, question, version);
  if (agreement === undefined) return version === undefined ? [] : undrawnItems(runModel, version);
  const { points, dropped } = agreement;
  const labels =
    runModel.syntheses.find((synthesis) => synthesis.version === agreement.version)?.done?.labels ??
    {};
  const title = `Who holds what, as read for v${agreement.version}`;
  const left: Item[] =
    dropped.length === 0
      ? []
      : [
          {
            kind: 'text',
            text: `${formatCount(dropped.length, 'quote')} ${dropped.length === 1 ? 'was not found in its answer and is' : 'were not found in the answers and are'} left out`,
          },
        ];
  const none: Item[] = points.length === 0 ? [{ kind: 'text', text: 'no points found' }] : [];
  return [
    { kind: 'positions', text: title },
    ...points.map((each): Item => {
      const text = replaceLetters(each.text, labels, (seat) => runModel.nameOf(seat));
      return { kind: 'point', text, point: { ...each, text } };
    }),
    ...none,
    ...left,
  ];
}

/** Returns why a synthesis has no table. */
function undrawnItems({ view }: RunModel, version: number): Item[] {
  const call = entryOf(view.calls, `agreement/${version}`);
  if (call?.state !== 'failed') return [];
  return [
    { kind: 'title', text: `Who holds what: no table for v${version}` },
    { kind: 'text', text: call.message ?? 'its call failed' },
  ];
}

function ablationItems(runModel: RunModel, version: number): Item[] {
  const found = findAblations(runModel, version);
  const { ablation: asked } = getBoardState(runModel);
  const base = runModel.syntheses.find((synthesis) => synthesis.version === version);
  const ablation = runModel.isLive && asked?.base === version ? asked : undefined;
  if (found.length === 0 && ablation === undefined) return [];
  const done = found.filter((influence) => influence.version >= (ablation?.first ?? 0)).length;
  const all = (base?.done?.included.length ?? 0) + 1;
  const chance = changesByChance(found);
  return [
    { kind: 'title', text: `What each seat carries: v${version} rewritten without it` },
    ...(chance
      ? [
          {
            kind: 'text',
            text: 'It also changed course with all seats: changes here may be chance.',
          } as const,
        ]
      : []),
    ...found.map((influence): Item => {
      const { without, change, how } = influence;
      const label = without === null ? 'all seats' : `without ${runModel.nameOf(without)}`;
      return { kind: 'influence', text: `${label}: ${CHANGES[change]}. ${how}`, influence };
    }),
    ...(ablation !== undefined && done < all
      ? [{ kind: 'text', text: `${done} of ${all} versions compared …` } as const]
      : []),
  ];
}

function baselineItems(runModel: RunModel, question: number): Item[] {
  const baselines = getQuestionState(runModel, question)?.baselines ?? [];
  const first = baselines[0];
  if (first === undefined) return [];
  return [
    { kind: 'title', text: 'Without a panel: what it cost, not what it is worth' },
    {
      kind: 'text',
      text: `the panel and its first synthesis: ${formatUsage(first.panelTokens, first.panelCostUsd, first.panelEstimated)}`,
    },
    ...baselines.map(
      (baseline): Item => ({ kind: 'baseline', text: baselineLine(baseline), baseline }),
    ),
  ];
}

/** Returns the answer of a model without a panel in the form in which the console shows it beside another text. */
export function makeBaselineSide(baseline: BaselineView): ComparedText {
  const { kind, model, samples, tokens, costUsd, estimated, text } = baseline;
  return {
    heading: kind === 'single' ? 'One model alone' : `Vote of ${formatCount(samples, 'sample')}`,
    detail: [`by ${model}`, formatUsage(tokens, costUsd, estimated), formatGroups(baseline)]
      .filter((part) => part !== '')
      .join(' · '),
    markdown: text,
  };
}

/** Formats a baseline: `vote of 5 samples (qwen3:8b): 12k tok, $0.010 · 3 of 5 say "split first"`. */
function baselineLine(baseline: BaselineView): string {
  const { kind, model, samples, tokens, costUsd, estimated } = baseline;
  const what = kind === 'single' ? 'one model alone' : `vote of ${formatCount(samples, 'sample')}`;
  const votes = formatGroups(baseline);
  return `${what} (${model}): ${formatUsage(tokens, costUsd, estimated)}${votes === '' ? '' : ` · ${votes}`}`;
}

function formatGroups({ groups, samples }: BaselineView): string {
  return groups
    .map(({ option, samples: count }) => `${count} of ${samples} say "${option}"`)
    .join(', ');
}

/** Formats the tokens and cost of the panel, to be compared with those of a single model. */
export function formatPanelUsage({
  panelTokens,
  panelCostUsd,
  panelEstimated,
}: BaselineView): string {
  return `the panel: ${formatUsage(panelTokens, panelCostUsd, panelEstimated)}`;
}

/** Formats `2.9k tok, $0.002`, or `~2.9k tok, ~$0.002` for estimates. */
function formatUsage(
  tokens: number,
  costUsd: number | undefined,
  estimated: boolean | undefined,
): string {
  const cost = costUsd === undefined ? 'cost unknown' : formatUsd(costUsd, estimated);
  return `${formatTokens(tokens, estimated)} tok, ${cost}`;
}
