/**
 * Formats a board's facts in a few words for the console's log. For pipes, `lines.ts` formats them.
 */
import type { AnyFact, Sayings } from '../../../kernel/vocabulary.ts';
import { formatTokens } from '../../../text/numbers.ts';
import { formatConfidence } from '../../common/voting/votes.ts';
import { BOARD, type OwnBody } from '../facts.ts';

const SAYINGS: Sayings<OwnBody> = {
  'patience.began': (one) => `until ${one.until.slice(11, 19)} for ${one.waitingFor.join(', ')}`,
  'quorum.reached': (one) =>
    `${one.answered.length} of ${one.of} answered${one.stopped.length === 0 ? '' : `; stopped: ${one.stopped.join(', ')}`}`,
  'ballot.cast': (one) => `${one.seat}: ${one.option} (${formatConfidence(one.confidence)})`,
  'agreement.mapped': (one) =>
    `beside version ${one.version}: ${one.points.length} points, ${one.dropped.length} quotes left out`,
  'influence.weighed': (one) =>
    `version ${one.base} ${one.without === null ? 'with all seats' : `without ${one.without}`}: ${one.change}; ${one.how}`,
  'baseline.completed': (one) =>
    `${one.kind} by ${one.model}, ${formatTokens(one.tokens, one.estimated)} tok: ${one.text}`,
};

/** Formats a fact of the board for the log; undefined if the fact is not one of the board. */
export function formatBoardFact(one: AnyFact): string | undefined {
  return BOARD.say(SAYINGS, one);
}
