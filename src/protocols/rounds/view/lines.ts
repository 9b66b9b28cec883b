/** What rounds say beside their calls, as progress for pipes: stances, votes, what became of them. */

import type { Teller } from '../../../plain/protocol-text.ts';
import { progress } from '../../../plain/protocol-text.ts';
import { readVote } from '../../common/votes.ts';
import { ROUNDS } from '../facts.ts';
import { shiftLine, stanceLine, voteLine } from './votes.ts';

export const ROUNDS_TELLER: Teller = {
  tell: (any, { title }) => {
    const one = ROUNDS.own(any);
    switch (one?.type) {
      case 'stance.taken':
        return [progress(stanceLine(one, title))];
      case 'vote.counted':
        return [progress(voteLine(readVote(one)))];
      case 'stance.compared':
        return [progress(shiftLine(one, title))];
      default:
        return [];
    }
  },
  above: () => [],
};
