/** Formats a board's vote, matrix, ablation and baselines as words and tables, for pipes and the report. */

import type { RunView } from '../../../kernel/view.ts';
import { formatTable, words } from '../../../plain/markdown.ts';
import { getSeatTitle } from '../../../plain/naming.ts';
import { line } from '../../../text/line.ts';
import { formatTokens, formatUsd } from '../../../text/numbers.ts';
import { countVotes, WORTH } from '../../common/voting/votes.ts';
import { formatPosition } from '../ballots.ts';
import type { AblationView, AgreementView, BaselineView, QuestionView } from '../fold.ts';
import { findOtherWordings, groupChoices } from './choices.ts';
import { formatAgreementNote, formatPoint, listMatrixSeats } from './reading.ts';
import { describeUnusable, findUnusableBallots } from './unusable-ballots.ts';

/**
 * Formats the vote: `Vote before debate: 2 "Split it" (also "Divide it") · 1 "Wait" (Critic has no
 * ballot)`. The other wordings are shown because a model decided that they mean the same. Returns
 * undefined if there is no ballot.
 */
export function formatVoteTally(
  question: QuestionView,
  view: RunView,
  agreement?: AgreementView,
): string | undefined {
  const { ballots } = question;
  const unusable = findUnusableBallots(question, view);
  if (ballots.length === 0 && unusable.length === 0) return undefined;
  const votes = countVotes(ballots, groupChoices(ballots, agreement)).map((choice) => {
    const also = findOtherWordings(ballots, choice).map((one) => `"${line(one)}"`);
    return `${choice.votes} "${line(choice.option)}"${also.length === 0 ? '' : ` (also ${also.join(', ')})`}`;
  });
  const without = view.seats.filter(
    ({ id }) => ![...ballots, ...unusable].some(({ seat }) => seat === id),
  );
  const names = without.map(({ id }) => getSeatTitle(id, view)).join(', ');
  const missing = [
    ...(without.length === 0
      ? []
      : [`${names} ${without.length === 1 ? 'has' : 'have'} no ballot`]),
    ...unusable.map((one) => describeUnusable(one, getSeatTitle(one.seat, view))),
  ];
  return `Vote before debate: ${votes.join(' · ') || "nobody's ballot counts"}${missing.length === 0 ? '' : ` (${missing.join('; ')})`}`;
}

/** Returns a table of the ballots. */
export function formatBallotTable(
  question: QuestionView,
  view: RunView,
  agreement?: AgreementView,
): string[] {
  const { ballots } = question;
  const unusable = findUnusableBallots(question, view).map(
    (one) => `${describeUnusable(one, words(getSeatTitle(one.seat, view)))}.`,
  );
  if (ballots.length === 0) return unusable;
  const worth = countVotes(ballots, groupChoices(ballots, agreement))
    .map(({ option, effective }) => `"${line(option)}" ${effective.toFixed(1)}`)
    .join(', ');
  return [
    formatTable(
      ['seat', 'option', 'confidence', 'position'],
      ballots.map((one) => [
        words(getSeatTitle(one.seat, view)),
        words(one.option),
        one.confidence.toFixed(2),
        words(formatPosition(one.position)),
      ]),
    ),
    `In independent votes: ${worth}. ${WORTH}`,
    ...unusable,
  ];
}

/**
 * Formats an agreement matrix as a table with a row for each point and a column for each seat in
 * the synthesis. A note below says which model made it and how its quotations were checked. If the
 * table is empty, only the note is returned.
 */
export function formatAgreementTable(agreement: AgreementView, view: RunView): string[] {
  const { points } = agreement;
  const note = line(formatAgreementNote(agreement));
  if (points.length === 0) return [note];
  const seats = listMatrixSeats(agreement, view);
  return [
    formatTable(
      ['point', ...seats.map((id) => words(getSeatTitle(id, view)))],
      points.map(({ text, cells }) => [
        words(formatPoint(text, agreement, view)),
        ...seats.map((id) => {
          const cell = cells.find(({ seat }) => seat === id);
          return cell === undefined ? '' : `${cell.side}: “${words(cell.quote)}”`;
        }),
      ]),
    ),
    note,
  ];
}

const CHANGES = { same: 'the same', detail: 'in detail', course: 'another course' } as const;

/**
 * Formats a table of how the recommendation changes without each seat. The first row, in which no
 * seat is missing, shows how much changes by chance.
 */
export function formatAblationTable(found: readonly AblationView[], view: RunView): string[] {
  if (found.length === 0) return [];
  const rows = found
    .toSorted((left, right) => left.version - right.version)
    .map((one) => [
      one.without === null ? 'none (repeated)' : words(getSeatTitle(one.without, view)),
      CHANGES[one.change],
      words(one.how),
      `v${one.version}`,
    ]);
  const chance = found.find(({ without }) => without === null);
  const note =
    chance === undefined
      ? 'Not repeated with all seats, so how much of this is chance is unknown.'
      : chance.change === 'course'
        ? 'Repeated with all seats, it takes another course: chance alone changes it, so read the rest with care.'
        : chance.change === 'detail'
          ? 'Repeated with all seats, it changes in detail: attribute only larger changes to a seat.'
          : 'Repeated with all seats, it stays the same.';
  return [formatTable(['without', 'recommendation', 'what differs', 'synthesis'], rows), note];
}

/**
 * Formats a baseline: `A vote of 5 answers of ollama/a alone: 3 "Wait" · 2 "Split it". It took 12k tokens,
 * $0.0100; …`
 */
export function formatBaseline(one: BaselineView): string {
  const kind = one.kind === 'single' ? 'One answer' : `A vote of ${one.samples} answers`;
  const groups = one.groups
    .map(({ option, samples }) => `${samples} "${line(option)}"`)
    .join(' · ');
  const price = (tokens: number, usd: number | undefined, estimated: boolean | undefined) =>
    `${formatTokens(tokens, estimated)} tokens, ${usd === undefined ? 'price not known' : formatUsd(usd, estimated)}`;
  return `${kind} of ${line(one.model)} alone${groups === '' ? '' : `: ${groups}`}. It took ${price(one.tokens, one.costUsd, one.estimated)}; the panel with its synthesis ${price(one.panelTokens, one.panelCostUsd, one.panelEstimated)}. This does not say which is better.`;
}
