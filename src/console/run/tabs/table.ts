/**
 * The tabs of a run, each under a number that no other tab of the same run has: a tab keeps its key
 * whether or not others are shown. A new tab is one more entry.
 */

import { agentsPage } from '../../../protocols/agents/view/tree.ts';
import { hasVotes } from '../../../protocols/board/view/vote-items.ts';
import { VotePage } from '../../../protocols/board/view/vote-tab.ts';
import { ClaimsPage } from '../../../protocols/rounds/view/claims.ts';
import { RoundsPage } from '../../../protocols/rounds/view/rounds.ts';
import { SignalsPage } from '../../../protocols/rounds/view/signals.ts';
import type { Desk } from '../../model/desk.ts';
import { LogPage } from './log.ts';
import type { Page, PageAround } from './page.ts';
import { stepsPage } from './tree.ts';

export type TabId =
  | 'columns'
  | 'vote'
  | 'rounds'
  | 'claims'
  | 'signals'
  | 'tree'
  | 'agents'
  | 'log';

export interface Tab {
  readonly id: TabId;
  /** The key that goes to it. */
  readonly number: number;
  readonly title: string;
  /** Whether it means something for this run. */
  readonly shown: (desk: Desk) => boolean;
  /** Absent for the columns, which are drawn and scrolled by the panes of `Reading`. */
  readonly page?: (around: PageAround) => Page;
}

const ofAgents = (desk: Desk): boolean => desk.ofAgents;
const inRounds = (desk: Desk): boolean => desk.inRounds;

export const TABS: readonly Tab[] = [
  { id: 'columns', number: 1, title: 'Columns', shown: () => true },
  {
    id: 'vote',
    number: 2,
    title: 'Vote',
    shown: (desk) => !desk.inRounds && hasVotes(desk),
    page: (around) => new VotePage(around),
  },
  {
    id: 'rounds',
    number: 2,
    title: 'Rounds',
    shown: inRounds,
    page: (around) => new RoundsPage(around),
  },
  {
    id: 'claims',
    number: 3,
    title: 'Claims',
    shown: inRounds,
    page: (around) => new ClaimsPage(around),
  },
  {
    id: 'signals',
    number: 4,
    title: 'Signals',
    shown: inRounds,
    page: (around) => new SignalsPage(around),
  },
  {
    id: 'tree',
    number: 5,
    title: 'Tree',
    shown: (desk) => !desk.ofAgents,
    page: stepsPage,
  },
  {
    id: 'agents',
    number: 5,
    title: 'Tree',
    shown: ofAgents,
    page: agentsPage,
  },
  { id: 'log', number: 6, title: 'Log', shown: () => true, page: (around) => new LogPage(around) },
];

/** The tab that a run opens with. */
export function firstTab(desk: Desk): TabId {
  return inRounds(desk) ? 'rounds' : 'columns';
}
