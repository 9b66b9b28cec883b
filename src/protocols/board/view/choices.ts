/** Which choice each ballot stands for, the same in every display. */
import { groupOptions, normalize } from '../../common/votes.ts';
import type { AgreementView, BoardView, QuestionView } from '../fold.ts';

/** The matrix beside that version; where it has none, the latest one of the question. */
export function agreementOn(
  { agreements }: BoardView,
  number: number,
  version: number | undefined,
): AgreementView | undefined {
  const all = Object.values(agreements).filter(({ question }) => question === number);
  return all.find((one) => one.version === version) ?? all.at(-1);
}

/**
 * For each ballot the option that stands for it: what the matrix took it for. One that the matrix does not
 * know is the choice of those who worded it alike, however that was taken.
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

/** The other wordings of a choice, by those who chose it. */
export function otherWordings(
  ballots: QuestionView['ballots'],
  { option: chosen, seats }: { readonly option: string; readonly seats: readonly string[] },
): string[] {
  const own = ballots.filter(({ seat }) => seats.includes(seat)).map(({ option }) => option);
  return [...new Set(own)].filter((one) => normalize(one) !== normalize(chosen));
}
