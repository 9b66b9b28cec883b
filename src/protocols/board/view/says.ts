/**
 * Formats a board's facts in a few words for the console's log. For pipes, `lines.ts` formats them.
 */
import type { AnyFact, FactSentences } from '../../../kernel/vocabulary.ts';
import { formatTokens } from '../../../text/numbers.ts';
import { formatConfidence } from '../../common/voting/votes.ts';
import { BOARD, type OwnBody } from '../facts.ts';

const SAYINGS: FactSentences<OwnBody> = {
  'patience.began': (fact) => `until ${fact.until.slice(11, 19)} for ${fact.waitingFor.join(', ')}`,
  'quorum.reached': (fact) =>
    `${fact.answered.length} of ${fact.of} answered${fact.stopped.length === 0 ? '' : `; stopped: ${fact.stopped.join(', ')}`}`,
  'ballot.cast': (fact) => `${fact.seat}: ${fact.option} (${formatConfidence(fact.confidence)})`,
  'agreement.mapped': (fact) =>
    `beside version ${fact.version}: ${fact.points.length} points, ${fact.dropped.length} quotes left out`,
  'influence.weighed': (fact) =>
    `version ${fact.base} ${fact.without === null ? 'with all seats' : `without ${fact.without}`}: ${fact.change}; ${fact.how}`,
  'baseline.completed': (fact) =>
    `${fact.kind} by ${fact.model}, ${formatTokens(fact.tokens, fact.estimated)} tok: ${fact.text}`,
};

/** Formats a fact of the board for the log; undefined if the fact is not one of the board. */
export function formatBoardFact(fact: AnyFact): string | undefined {
  return BOARD.say(SAYINGS, fact);
}
