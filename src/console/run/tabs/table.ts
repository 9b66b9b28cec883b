/**
 * The tabs of a run: those that every run has, and those of its protocol. Each stands under a number
 * that no other tab of the same run has, so that it keeps its key whether or not others are shown.
 */
import type { ProtocolView } from '../protocol-view.ts';
import { LogPage } from './log.ts';
import type { Tab } from './page.ts';
import { stepsPage } from './tree.ts';

const COLUMNS: Tab = { id: 'columns', number: 1, title: 'Columns', shown: () => true };

/** All tabs, in the order of their numbers. A protocol's tab takes the place of one with its number. */
export function tabsOf({ tabs }: ProtocolView): readonly Tab[] {
  const ours: Tab[] = [
    COLUMNS,
    { id: 'tree', number: 5, title: 'Tree', shown: () => true, page: stepsPage },
    {
      id: 'log',
      number: 6,
      title: 'Log',
      shown: () => true,
      page: (around) => new LogPage(around),
    },
  ];
  const taken = new Set(tabs.map(({ number }) => number));
  return [...ours.filter(({ number }) => !taken.has(number)), ...tabs].sort(
    (left, right) => left.number - right.number,
  );
}
