/** A board's syntheses in words for readers without a console: whom the letters mean, what the quotations are. */
import type { RunView, SynthesisView } from '../../../kernel/view.ts';
import { titleOf } from '../../../plain/naming.ts';
import type { Recorded } from '../../../plain/protocol-text.ts';
import type { Quotations } from '../../common/quotations/looked-up.ts';
import { namesLetters, withNames } from '../../common/quotations/names.ts';
import { readable } from '../../common/quotations/readable.ts';
import type { BoardView } from '../fold.ts';

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

/** Words about a synthesis with names for its letters. */
export function nameAdvisors(
  text: string,
  synthesis: SynthesisView | undefined,
  view: RunView,
): string {
  return withNames(text, synthesis?.labels ?? {}, (seat) => titleOf(seat, view));
}

/** The run with names in all its syntheses. */
export function namedIn({ facts, view }: Recorded): Recorded {
  const syntheses = view.syntheses.map((one) => ({
    ...one,
    text: nameAdvisors(one.text, one, view),
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
