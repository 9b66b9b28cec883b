/**
 * Formats a board's syntheses for readers of reports, with the seats' names in place of the letters that
 * stood for them in the synthesizer's prompt, and with remarks on incorrect quotations.
 */
import type { RunView, SynthesisView } from '../../../kernel/view.ts';
import { getSeatTitle } from '../../../plain/naming.ts';
import type { RecordedRun } from '../../../plain/protocol-text.ts';
import { formatCount } from '../../../text/numbers.ts';
import type { Quotations } from '../../common/quotations/exported.ts';
import { hasLettersOfSeats, replaceLetters } from '../../common/quotations/names.ts';
import { formatForReaders } from '../../common/quotations/readable.ts';
import { type AgreementView, type BoardView, boardOf, type QuestionView } from '../fold.ts';

/** What reports need of a board: the run's state, the state of the board, and its checked quotations. */
export interface ReadBoard {
  readonly view: RunView;
  readonly board: BoardView;
  readonly quotations: Quotations;
}

/**
 * Formats a synthesis for people. The letters that stood for seats in the synthesizer's prompt are
 * replaced by the seats' names, and incorrect quotations get a remark.
 */
export function formatReadableSynthesis(
  synthesis: SynthesisView,
  quotations: Quotations,
  view: RunView,
): string {
  return formatForReaders(synthesis, quotations[synthesis.version] ?? [], (seat) =>
    getSeatTitle(seat, view),
  );
}

/** Returns the syntheses of a question. Those that were written for ablations are left out. */
export function findSyntheses(
  view: RunView,
  board: BoardView,
  { number }: QuestionView,
): SynthesisView[] {
  return view.syntheses.filter(
    ({ question = 1, version }) =>
      question === number && !Object.hasOwn(board.madeForAblation, version),
  );
}

/**
 * Returns the synthesis to which a table belongs. The letters in the table stand for the seats of
 * this synthesis only.
 */
function synthesisOfPositions(
  { version }: AgreementView,
  { syntheses }: RunView,
): SynthesisView | undefined {
  return syntheses.find((synthesis) => synthesis.version === version);
}

/** Returns the text of a point in a table of positions, with the seats' names in place of their letters. */
export function formatPoint(text: string, agreement: AgreementView, view: RunView): string {
  const { labels = {} } = synthesisOfPositions(agreement, view) ?? {};
  return replaceLetters(text, labels, (seat) => getSeatTitle(seat, view));
}

/**
 * Returns the id of a point in the table of positions: `P-1`, or `P-2-1` in the table of the second
 * synthesis.
 * @param at the index of the point, from 0
 */
export function getPointId({ version }: AgreementView, at: number): string {
  return version === 1 ? `P-${at + 1}` : `P-${version}-${at + 1}`;
}

/** Returns the id of a seat's answer in the report, to which the graph of the argument links. */
export function getAnswerId(seat: string, question: number, view: RunView): string {
  const title = getSeatTitle(seat, view);
  const isShared = view.seats.filter(({ id }) => getSeatTitle(id, view) === title).length > 1;
  const name = isShared ? `${title}, ${seat}` : title;
  return question === 1 ? name : `${name} (${question})`;
}

/** Returns the ids of the seats whose answers a table of positions was made from, in the panel's order. */
export function listPositionsSeats(agreement: AgreementView, view: RunView): string[] {
  const { included } = synthesisOfPositions(agreement, view) ?? {};
  return view.seats.map(({ id }) => id).filter((id) => included?.includes(id) !== false);
}

/**
 * Formats a note on which model made the table of positions, and how many of its quotations were
 * found in the answers.
 */
export function formatAgreementNote({ model, points, dropped }: AgreementView): string {
  if (points.length === 0)
    return dropped.length === 0
      ? `${model} was asked who holds what and quoted nobody.`
      : `${model} was asked who holds what. Of ${formatCount(dropped.length, 'quotation')}, none was found in the answer that it was said to come from.`;
  const lost =
    dropped.length === 0
      ? 'each quotation was found in its answer.'
      : `each quotation shown was found in its answer. ${dropped.length} ${dropped.length === 1 ? 'entry was' : 'entries were'} left out: the quoted words are not in the answer.`;
  return `Drawn up by ${model}; ${lost}`;
}

/**
 * Returns the title of a table of positions, `Who holds what`. The version is added if the table
 * belongs to another synthesis than the one it is shown with.
 */
export function formatPositionsTitle(
  { version }: AgreementView,
  beside: SynthesisView | undefined,
): string {
  return `Who holds what${beside?.version === version ? '' : ` (v${version})`}`;
}

/**
 * Returns the run with names in place of letters in its syntheses. Syntheses that were written for
 * ablations are left out.
 */
export function nameSeatsInSyntheses({ facts, view }: RecordedRun): RecordedRun {
  const { madeForAblation } = boardOf(facts);
  const syntheses = view.syntheses
    .filter(({ version }) => !Object.hasOwn(madeForAblation, version))
    .map((synthesis) => ({
      ...synthesis,
      text: replaceLetters(synthesis.text, synthesis.labels, (seat) => getSeatTitle(seat, view)),
    }));
  return { facts, view: { ...view, syntheses } };
}

/**
 * If some letters in a synthesis could not be replaced by names, returns a list with one sentence that explains them:
 * `… A is Critic, B is Analyst.` Otherwise the list is empty.
 */
export function explainLetters({ text, labels }: SynthesisView, view: RunView): string[] {
  const read = replaceLetters(text, labels, () => '');
  if (!hasLettersOfSeats(read, labels)) return [];
  const names = Object.entries(labels).map(
    ([letter, seat]) => `${letter} is ${getSeatTitle(seat, view)}`,
  );
  return [`Names were hidden from its writer: ${names.join(', ')}.`];
}
