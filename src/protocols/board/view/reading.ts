/** A board's syntheses in words for readers without a console: whom the letters mean, what the quotations are. */
import type { RunView, SynthesisView } from '../../../kernel/view.ts';
import { titleOf } from '../../../plain/naming.ts';
import type { Recorded } from '../../../plain/protocol-text.ts';
import { plural } from '../../../text/numbers.ts';
import type { Quotations } from '../../common/quotations/exported.ts';
import { namesLetters, withNames } from '../../common/quotations/names.ts';
import { readable } from '../../common/quotations/readable.ts';
import { type AgreementView, type BoardView, boardOf } from '../fold.ts';

/** A board on record, as its report reads it. */
export interface ReadBoard {
  readonly view: RunView;
  readonly board: BoardView;
  readonly quotations: Quotations;
}

/** A synthesis with names for letters, and marks at what was not said so. */
export function readIn(synthesis: SynthesisView, quotations: Quotations, view: RunView): string {
  return readable(synthesis, quotations[synthesis.version] ?? [], (seat) => titleOf(seat, view));
}

/** The synthesis that a matrix was drawn up for: its letters are those of that one, and of no other. */
function mappedFor({ version }: AgreementView, { syntheses }: RunView): SynthesisView | undefined {
  return syntheses.find((one) => one.version === version);
}

/** A point of a matrix with names for letters. */
export function pointText(text: string, agreement: AgreementView, view: RunView): string {
  const { labels = {} } = mappedFor(agreement, view) ?? {};
  return withNames(text, labels, (seat) => titleOf(seat, view));
}

/** Who was heard where a matrix was drawn up, in the order of the panel. */
export function seatsIn(agreement: AgreementView, view: RunView): string[] {
  const { included } = mappedFor(agreement, view) ?? {};
  return view.seats.map(({ id }) => id).filter((id) => included?.includes(id) !== false);
}

/** Says who drew up who holds what, and what became of its quotations when code looked them up. */
export function agreementNote({ model, points, dropped }: AgreementView): string {
  if (points.length === 0)
    return dropped.length === 0
      ? `${model} was asked who holds what and quoted nobody.`
      : `${model} was asked who holds what. Of ${plural(dropped.length, 'quotation')}, none was found in the answer that it was said to come from.`;
  const lost =
    dropped.length === 0
      ? 'each quotation was found in its answer.'
      : `each quotation shown was found in its answer. ${dropped.length} ${dropped.length === 1 ? 'entry was' : 'entries were'} left out: the quoted words are not in the answer.`;
  return `Drawn up by ${model}; ${lost}`;
}

/** `Who holds what`, and for which synthesis where that is not the one it is read beside. */
export function matrixTitle({ version }: AgreementView, beside: SynthesisView | undefined): string {
  return `Who holds what${beside?.version === version ? '' : ` (v${version})`}`;
}

/** The run with names in its syntheses, without those that ablations made. */
export function namedIn({ facts, view }: Recorded): Recorded {
  const { madeForAblation } = boardOf(facts);
  const syntheses = view.syntheses
    .filter(({ version }) => !Object.hasOwn(madeForAblation, version))
    .map((one) => ({
      ...one,
      text: withNames(one.text, one.labels, (seat) => titleOf(seat, view)),
    }));
  return { facts, view: { ...view, syntheses } };
}

/**
 * `A is Critic, B is Analyst.`, where the text has letters that stand alone and could be read for no
 * name; else nothing.
 */
export function legend({ text, labels }: SynthesisView, view: RunView): string[] {
  const read = withNames(text, labels, () => '');
  if (!namesLetters(read, labels)) return [];
  const names = Object.entries(labels).map(
    ([letter, seat]) => `${letter} is ${titleOf(seat, view)}`,
  );
  return [`Names were hidden from its writer: ${names.join(', ')}.`];
}
