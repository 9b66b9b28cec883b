/** Finds ballots that cannot be counted, with the reason, for all displays. */
import { answerAt, type RunView } from '../../../kernel/view.ts';
import { readBallot } from '../ballots.ts';
import { answerStep, type QuestionView } from '../fold.ts';

/** A ballot that cannot be counted. */
export interface UnusableBallot {
  readonly seat: string;
  /** The reason in words: `its option repeats the form`. */
  readonly why: string;
}

/** Returns the ballots of a question that cannot be counted, in the order of the panel. */
export function findUnusableBallots(
  { number, text, ballots }: Pick<QuestionView, 'number' | 'text' | 'ballots'>,
  { seats, calls, config }: Pick<RunView, 'seats' | 'calls' | 'config'>,
): UnusableBallot[] {
  if (config.vote !== true) return [];
  return seats.flatMap(({ id }): UnusableBallot[] => {
    const call = answerAt(calls, answerStep(id, number));
    if (call?.state !== 'done' || ballots.some(({ seat }) => seat === id)) return [];
    const read = readBallot(call.text, text);
    return read === undefined || 'ballot' in read ? [] : [{ seat: id, why: read.why }];
  });
}

/**
 * Formats a clause about an unusable ballot: `Analyst's ballot is not usable: its option repeats
 * the form`.
 */
export function describeUnusable({ why }: UnusableBallot, title: string): string {
  return `${title}'s ballot is not usable: ${why}`;
}
