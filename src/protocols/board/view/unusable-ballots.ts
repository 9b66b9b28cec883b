/** Finds ballots that cannot be counted, with the reason, for all displays. */
import { answerAt, type RunView } from '../../../kernel/view.ts';
import { readBallot } from '../ballots.ts';
import { getAnswerStep, type QuestionView } from '../fold.ts';

/** A ballot that cannot be counted. */
export interface UnusableBallot {
  readonly seat: string;
  /**
   * The reason in words, such as `its option repeats the form` for an option that was copied from the
   * instructions.
   */
  readonly why: string;
}

/**
 * Returns the ballots of a question that cannot be counted, in the order of the panel; none on a board without
 * a vote.
 */
export function findUnusableBallots(
  { number, text, ballots }: Pick<QuestionView, 'number' | 'text' | 'ballots'>,
  { seats, calls, config }: Pick<RunView, 'seats' | 'calls' | 'config'>,
): UnusableBallot[] {
  if (config.vote !== true) return [];
  return seats.flatMap(({ id }): UnusableBallot[] => {
    const call = answerAt(calls, getAnswerStep(id, number));
    if (call?.state !== 'done' || ballots.some(({ seat }) => seat === id)) return [];
    const read = readBallot(call.text, text);
    return read === undefined || 'ballot' in read ? [] : [{ seat: id, why: read.why }];
  });
}

/**
 * Formats why a ballot cannot be counted, as a clause with the seat's title: `Analyst's ballot is
 * not usable: its option is a question`.
 */
export function describeUnusable({ why }: UnusableBallot, title: string): string {
  return `${title}'s ballot is not usable: ${why}`;
}
