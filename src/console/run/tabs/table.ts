/** Lists the tabs of a run in order: common ones, and those of its protocol. */

import { hasDecisions } from '../../model/decisions.ts';
import type { ProtocolView } from '../protocol-view.ts';
import { decisionsPage } from './decisions.ts';
import { LogPage } from './log.ts';
import type { Tab } from './page.ts';
import { stepsPage } from './tree.ts';

const COLUMNS: Tab = { id: 'columns', place: 1, title: 'Columns', shown: () => true };

/**
 * Returns the tabs of the protocol's runs. A tab of the protocol replaces the usual one with the
 * same position.
 */
export function tabsOf({ tabs }: ProtocolView): readonly Tab[] {
  const ours: Tab[] = [
    COLUMNS,
    { id: 'tree', place: 5, title: 'Tree', shown: () => true, page: stepsPage },
    {
      id: 'log',
      place: 6,
      title: 'Log',
      shown: () => true,
      page: (around) => new LogPage(around),
    },
    // Keep this tab last: a run may lack it, and the number keys of the other tabs should be the same in
    // every run.
    {
      id: 'predictions',
      place: 7,
      title: 'Predictions',
      shown: hasDecisions,
      page: decisionsPage,
    },
  ];
  const taken = new Set(tabs.map(({ place }) => place));
  return [...ours.filter(({ place }) => !taken.has(place)), ...tabs].sort(
    (left, right) => left.place - right.place,
  );
}
