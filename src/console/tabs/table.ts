/**
 * The tabs of a run, each under a number of its own: a tab keeps its key whether or not others are
 * shown. A new tab is one more entry.
 */
import type { RunView } from '../../kernel/view.ts';
import { ClaimsPage } from './claims.ts';
import { LogPage } from './log.ts';
import type { Page, PageAround } from './page.ts';
import { RoundsPage } from './rounds.ts';
import { SignalsPage } from './signals.ts';
import { TreePage } from './tree.ts';
import { AgentsTreePage } from './tree-agents.ts';

export type TabId = 'columns' | 'rounds' | 'claims' | 'signals' | 'tree' | 'agents' | 'log';

export interface Tab {
  readonly id: TabId;
  /** The key that goes to it. */
  readonly number: number;
  readonly title: string;
  /** Whether it means something for this run. */
  readonly shown: (view: RunView) => boolean;
  /** Absent for the columns, which are drawn and scrolled by the panes of `Reading`. */
  readonly page?: (around: PageAround) => Page;
}

const ofAgents = ({ protocol }: RunView): boolean => protocol === 'agent';
const inRounds = ({ protocol }: RunView): boolean => protocol === 'rounds';

export const TABS: readonly Tab[] = [
  { id: 'columns', number: 1, title: 'Columns', shown: () => true },
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
    shown: (view) => !ofAgents(view),
    page: (around) => new TreePage(around),
  },
  {
    id: 'agents',
    number: 5,
    title: 'Tree',
    shown: ofAgents,
    page: (around) => new AgentsTreePage(around),
  },
  { id: 'log', number: 6, title: 'Log', shown: () => true, page: (around) => new LogPage(around) },
];

/** The tab that a run opens with. */
export function firstTab(view: RunView): TabId {
  return inRounds(view) ? 'rounds' : 'columns';
}
