/** Determines which choice each ballot counts for, the same in all displays. */
import { groupOptions, normalize } from '../../common/votes.ts';
import type { AgreementView, BoardView, QuestionView } from '../fold.ts';

/** Returns the matrix of that version, or else the latest one of the question. */
export function agreementOn(
  { agreements }: BoardView,
  number: number,
  version: number | undefined,
): AgreementView | undefined {
  const all = Object.values(agreements).filter(({ question }) => question === number);
  return all.find((one) => one.version === version) ?? all.at(-1);
}

/**
 * Returns, for each ballot, the option that it counts for according to the matrix. A ballot that the matrix
 * does not contain counts with those of equal wording.
 */
export function choicesOf(ballots: QuestionView['ballots'], agreement?: AgreementView): string[] {
  const options = agreement?.options ?? [];
  const mapped = ballots.map(
    ({ seat }) => options.find(({ seats }) => seats.includes(seat))?.option,
  );
  return groupOptions(
    ballots.map(({ option }, at) => {
      const alike = ballots.findIndex(
        (other, index) =>
          mapped[index] !== undefined && normalize(other.option) === normalize(option),
      );
      const named = options.find((one) => normalize(one.option) === normalize(option))?.option;
      return mapped[at] ?? mapped[alike] ?? named ?? option;
    }),
  );
}

/** Returns the other wordings of a choice, with the seats that used them. */
export function otherWordings(
  ballots: QuestionView['ballots'],
  { option: chosen, seats }: { readonly option: string; readonly seats: readonly string[] },
): string[] {
  const own = ballots.filter(({ seat }) => seats.includes(seat)).map(({ option }) => option);
  return [...new Set(own)].filter((one) => normalize(one) !== normalize(chosen));
}
