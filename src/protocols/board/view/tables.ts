/** A board's vote, table, ablation and baselines as blocks, for pipes and reports. */

import type { RunView } from '../../../kernel/view.ts';
import {
  type Block,
  type Cell,
  makeTableBlock,
  type Tone,
  type Vote,
} from '../../../plain/blocks.ts';
import { escapeLine } from '../../../plain/markdown.ts';
import { getSeatTitle } from '../../../plain/naming.ts';
import { toLine } from '../../../text/line.ts';
import { formatTokens, formatUsd } from '../../../text/numbers.ts';
import { countVotes, WORTH } from '../../common/voting/votes.ts';
import { formatPosition } from '../ballots.ts';
import type { AblationView, AgreementView, BaselineView, QuestionView } from '../fold.ts';
import { findOtherWordings, groupChoices } from './choices.ts';
import { formatAgreementNote, formatPoint, getPointId, listPositionsSeats } from './reading.ts';
import { describeUnusable, findUnusableBallots } from './unusable-ballots.ts';

/**
 * Returns the vote on a question; without choices if no ballot counts. If seats worded one choice differently,
 * its other wordings are included, so that people can check that these mean the same.
 * @param agreement the table of positions that groups the wordings; undefined if there is none
 */
export function makeVote(
  question: QuestionView,
  view: RunView,
  agreement: AgreementView | undefined,
): Vote {
  const { ballots } = question;
  const unusable = findUnusableBallots(question, view);
  const cast = [...ballots, ...unusable];
  const without = view.seats.filter(({ id }) => !cast.some(({ seat }) => seat === id));
  return {
    title: 'Vote before debate',
    choices: countVotes(ballots, groupChoices(ballots, agreement)).map(
      ({ option, seats, votes }) => ({
        option,
        votes,
        seats: seats.map((id) => getSeatTitle(id, view)),
        also: findOtherWordings(ballots, { option, seats }),
      }),
    ),
    notes: [
      ...(cast.length === 0 || without.length === 0
        ? []
        : [`No ballot: ${without.map(({ id }) => getSeatTitle(id, view)).join(', ')}.`]),
      ...unusable.map((ballot) => `${describeUnusable(ballot, getSeatTitle(ballot.seat, view))}.`),
    ],
  };
}

/** Returns a table of the ballots, and below it a sentence for each ballot that cannot be counted. */
export function makeBallotBlocks(
  question: QuestionView,
  view: RunView,
  agreement: AgreementView | undefined,
): Block[] {
  const { ballots } = question;
  const worth = countVotes(ballots, groupChoices(ballots, agreement))
    .map(({ option, effective }) => `"${toLine(option)}" ${effective.toFixed(1)}`)
    .join(', ');
  return [
    makeTableBlock(
      `In independent votes: ${worth}. ${WORTH}`,
      ['seat', 'option', '>confidence', 'position'],
      ballots.map(({ seat, option, confidence, position }) => [
        getSeatTitle(seat, view),
        option,
        confidence.toFixed(2),
        formatPosition(position),
      ]),
    ),
    ...findUnusableBallots(question, view).map((ballot) =>
      escapeLine(`${describeUnusable(ballot, getSeatTitle(ballot.seat, view))}.`),
    ),
  ];
}

const SIDES: ReadonlyMap<string, Tone> = new Map([
  ['for', 'good'],
  ['against', 'bad'],
  ['partly', 'mixed'],
]);

/**
 * Returns a table with a row for each point and a column for each seat in the synthesis. A note
 * above the table says which model made it and how its quotations were checked. If the table is
 * empty, only the note is returned.
 */
export function makeAgreementBlock(agreement: AgreementView, view: RunView): Block {
  const note = formatAgreementNote(agreement);
  if (agreement.points.length === 0) return escapeLine(note);
  const seats = listPositionsSeats(agreement, view);
  return makeTableBlock(
    note,
    ['point', 'text', ...seats.map((id) => getSeatTitle(id, view))],
    agreement.points.map(({ text, cells }, at) => {
      const id = getPointId(agreement, at);
      const held = seats.map((seat): Cell => {
        const cell = cells.find((cell) => cell.seat === seat);
        return cell === undefined
          ? { text: '' }
          : { text: cell.side, tone: SIDES.get(cell.side), below: [`“${cell.quote}”`] };
      });
      return { anchor: id, cells: [id, formatPoint(text, agreement, view), ...held] };
    }),
  );
}

const CHANGES = { same: 'the same', detail: 'in detail', course: 'another course' } as const;

/**
 * Returns a table of how the recommendation changes without each seat; empty if nothing is known. The row of
 * the version with all seats shows how much changes by chance.
 */
export function makeAblationBlock(found: readonly AblationView[], view: RunView): Block {
  const chance = found.find(({ without }) => without === null);
  const note =
    chance === undefined
      ? 'Not repeated with all seats, so how much of this is chance is unknown.'
      : chance.change === 'course'
        ? 'Repeated with all seats, it takes another course: chance alone changes it, so read the rest with care.'
        : chance.change === 'detail'
          ? 'Repeated with all seats, it changes in detail: attribute only larger changes to a seat.'
          : 'Repeated with all seats, it stays the same.';
  return makeTableBlock(
    note,
    ['without', 'recommendation', 'what differs', 'synthesis'],
    found
      .toSorted((left, right) => left.version - right.version)
      .map(({ without, change, how, version }) => [
        without === null ? 'none (repeated)' : getSeatTitle(without, view),
        CHANGES[change],
        how,
        `v${version}`,
      ]),
  );
}

/**
 * Formats a baseline: `A vote of 5 answers of ollama/a alone: 3 "Wait" · 2 "Split it". It took 12k tokens,
 * $0.010; …`
 */
export function formatBaseline(baseline: BaselineView): string {
  const kind = baseline.kind === 'single' ? 'One answer' : `A vote of ${baseline.samples} answers`;
  const groups = baseline.groups
    .map(({ option, samples }) => `${samples} "${toLine(option)}"`)
    .join(' · ');
  const formatPrice = (tokens: number, usd: number | undefined, estimated: boolean | undefined) =>
    `${formatTokens(tokens, estimated)} tokens, ${usd === undefined ? 'price not known' : formatUsd(usd, estimated)}`;
  return `${kind} of ${toLine(baseline.model)} alone${groups === '' ? '' : `: ${groups}`}. It took ${formatPrice(baseline.tokens, baseline.costUsd, baseline.estimated)}; the panel with its synthesis ${formatPrice(baseline.panelTokens, baseline.panelCostUsd, baseline.panelEstimated)}. This does not say which is better.`;
}
