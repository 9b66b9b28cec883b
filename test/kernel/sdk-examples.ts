/**
 * One example of each type of fact that protocols record through their context, with every optional field.
 */
import { SDK } from '../../src/sdk/facts.ts';

/** An example of each type of fact that protocols record through their context, by type. */
export const SDK_EXAMPLES = {
  'figure.shown': SDK.make('figure.shown', {
    step: 'shown/1',
    figure: {
      kind: 'ranges',
      title: 'Estimates by round',
      unit: 'weeks',
      scale: 'log',
      rows: [{ label: 'round 1', low: 1, mid: 2, high: 8, quarters: [1.5, 4] }],
      note: 'From p5 to p95.',
    },
  }),
  'entry.added': SDK.make('entry.added', {
    step: 'points/seat-1',
    ledger: 'points',
    id: 'D1',
    by: 'seat-1',
    text: 'It does not scale.',
    kind: 'dispute',
    of: 'A2',
    quote: 'It scales to ten nodes.',
    unquoted: 'it scales to eleven',
  }),
  'entry.marked': SDK.make('entry.marked', {
    step: 'mark/1',
    ledger: 'points',
    id: 'D1',
    status: 'conceded',
    why: 'It was tried.',
  }),
  'items.grouped': SDK.make('items.grouped', {
    step: 'options',
    of: 'choices',
    items: [
      { id: 'A1', text: 'Keep it' },
      { id: 'A2', text: 'Keep the monolith' },
    ],
    groups: [['A1', 'A2']],
    refused: ['A1 and A3: one denies what the other says'],
    by: 'twice',
  }),
  'outcome.reached': SDK.make('outcome.reached', {
    step: 'conclusion',
    result: 'Keep it.',
    first: 'Keep it: 2 of 3.',
    moved: 'D1',
    turns: 'one seat',
    belief: 'little',
    unknown: ['42'],
  }),
  'method.chosen': SDK.make('method.chosen', {
    step: 'method',
    method: 'delphi',
    reason: 'it asks for a number',
    by: 'rule',
  }),
};
