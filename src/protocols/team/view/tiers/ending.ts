/** The rows of T1's acceptance and of the way home. */

import { toLine } from '../../../../text/line.ts';
import type { TeamDisplay } from '../display-state.ts';
import { type RowState, shortCommit } from '../wording.ts';
import { isWorking, levelOfSeat, type Node } from './node.ts';

/** Returns the row of the Team tab on T1's decision to accept or reject the work. */
export function acceptanceNode(teamed: TeamDisplay): Node {
  const { team, isOver } = teamed;
  const last = team.accepted.at(-1);
  const describeState = (): readonly [RowState, string] => {
    if (isWorking(teamed, ({ task }) => task === 'team/accept'))
      return ['working', 'looking at it'];
    if (last === undefined)
      return isOver ? ['dropped', 'not reached'] : ['waiting', 'waits for T5'];
    if (last.refused.length > 0)
      return ['red', `code refuses it: ${toLine(last.refused[0] ?? '')}`];
    if (last.acceptance === undefined) return ['dropped', toLine(last.why ?? 'no answer')];
    const { decision, reject } = last.acceptance;
    if (decision === 'accept') return ['done', 'accepted'];
    return ['red', `rejected to ${reject?.tier ?? 'T4'}: ${toLine(reject?.reason ?? '')}`];
  };
  const [state, words] = describeState();
  return {
    key: 'acceptance',
    subject: { kind: 'acceptance' },
    name: 'T1 acceptance',
    about: '',
    state,
    words,
    level: levelOfSeat('t1', teamed),
    spent: teamed.costs.of((payee) => payee.task === 'team/accept'),
  };
}

/**
 * Returns whether the person is asked now whether and how the work is merged into their repository.
 */
export function isDeliveryAsked({ gate = '' }: TeamDisplay): boolean {
  return gate.startsWith('deliver');
}

/** Returns the row of the Team tab on the delivery of the work: what was done, or that the person is asked. */
export function deliveryNode(teamed: TeamDisplay): Node {
  const { delivered } = teamed.team;
  const how = delivered?.how;
  if (isDeliveryAsked(teamed))
    return {
      key: 'delivery',
      subject: { kind: 'delivery' },
      name: 'Bring home',
      about: '',
      state: 'asks',
      words: 'waits for you',
    };
  return {
    key: 'delivery',
    subject: { kind: 'delivery' },
    name: 'Brought home',
    about: '',
    state: how === 'failed' ? 'red' : how === 'kept' ? 'skipped' : 'done',
    words: formatDelivery(delivered),
  };
}

/** Formats where the work went, such as `branch deliberate-1a2b3c4d`. */
export function formatDelivery(delivered: TeamDisplay['team']['delivered']): string {
  if (delivered === undefined) return 'nothing yet';
  const { how, branch, url, why, commit, next } = delivered;
  const named = branch === undefined ? shortCommit(commit) : `branch ${toLine(branch)}`;
  switch (how) {
    case 'branch':
      return next === undefined ? named : `${named}; to open the request: ${toLine(next)}`;
    case 'forward':
      return `your branch was moved on to ${shortCommit(commit)}`;
    case 'request':
      return `pull request ${toLine(url ?? '')} from ${named}`.replace(/ {2,}/g, ' ');
    case 'kept':
      return 'nothing, as you chose';
    case 'failed':
      return `failed${why === undefined ? '' : `: ${toLine(why)}`}`;
  }
}
