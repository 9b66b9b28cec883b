/** One of each kind of fact that a protocol over `deliberate/protocol` says, with every optional field. */
import { SDK } from '../../src/sdk/facts.ts';

const fact = SDK.make;

export const DEBATE_EXAMPLES = {
  'figure.shown': fact('figure.shown', {
    step: 'answer-tally',
    figure: {
      kind: 'bars',
      title: 'Votes',
      unit: 'seats',
      whole: 3,
      rows: [{ label: 'Keep it', value: 2, text: '2 of 3' }],
      note: 'One was silent.',
    },
  }),
  'entry.added': fact('entry.added', {
    step: 'points/seat-1',
    ledger: 'points',
    id: 'D1',
    by: 'seat-1',
    text: 'Who pays?',
    kind: 'disputes',
    of: 'A2',
    quote: 'It costs nothing at all.',
    unquoted: 'it is free',
  }),
  'entry.marked': fact('entry.marked', {
    step: 'turned/1/seat-2',
    ledger: 'points',
    id: 'D1',
    status: 'conceded',
    why: 'We do.',
  }),
  'items.grouped': fact('items.grouped', {
    step: 'answer-options',
    of: 'choices',
    items: [
      { id: 'A1', text: 'Keep it' },
      { id: 'A2', text: 'Do not keep it' },
    ],
    groups: [['A1'], ['A2']],
    refused: ['A1 and A2: one denies what the other says'],
    by: 'twice',
  }),
  'outcome.reached': fact('outcome.reached', {
    step: 'conclusion',
    result: 'Keep it.',
    first: 'Keep it: 1 of 2.',
    moved: 'D1.',
    turns: 'A measurement.',
    belief: 'Two seats were heard.',
    unknown: ['47'],
  }),
  'method.chosen': fact('method.chosen', {
    step: 'method',
    method: 'delphi',
    reason: 'it asks for a number',
    by: 'rule',
  }),
} as const;
