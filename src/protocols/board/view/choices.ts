/** Determines for which choice each ballot counts. All displays use this file. */
import { groupOptions, normalizeOption } from '../../common/voting/votes.ts';
import type { AgreementView, BoardView, QuestionView } from '../fold.ts';

/**
 * Returns the table of positions of a synthesis. If that synthesis has none, the latest table of the
 * question is returned; undefined if there is no table at all.
 * @param number the question's number
 * @param version the version of the synthesis
 */
export function findAgreement(
  { agreements }: BoardView,
  number: number,
  version: number | undefined,
): AgreementView | undefined {
  const all = Object.values(agreements).filter(({ question }) => question === number);
  return all.find((agreement) => agreement.version === version) ?? all.at(-1);
}

/**
 * Returns, for each ballot, the wording under which its choice is counted. The table of positions
 * says which wordings mean the same choice; ballots that are missing in it are grouped by equal
 * wording.
 */
export function groupChoices(
  ballots: QuestionView['ballots'],
  agreement?: AgreementView,
): string[] {
  const options = agreement?.options ?? [];
  const mapped = ballots.map(
    ({ seat }) => options.find(({ seats }) => seats.includes(seat))?.option,
  );
  return groupOptions(
    ballots.map(({ option }, at) => {
      const alike = ballots.findIndex(
        (other, index) =>
          mapped[index] !== undefined && normalizeOption(other.option) === normalizeOption(option),
      );
      const named = options.find(
        (entry) => normalizeOption(entry.option) === normalizeOption(option),
      )?.option;
      return mapped[at] ?? mapped[alike] ?? named ?? option;
    }),
  );
}

/** Returns the wordings in which a choice's seats put it on their ballots, without the wording that it is shown by. */
export function findOtherWordings(
  ballots: QuestionView['ballots'],
  { option: chosen, seats }: { readonly option: string; readonly seats: readonly string[] },
): string[] {
  const own = ballots.filter(({ seat }) => seats.includes(seat)).map(({ option }) => option);
  return [...new Set(own)].filter(
    (wording) => normalizeOption(wording) !== normalizeOption(chosen),
  );
}
