/**
 * Tests how a question can end that no option of the first round settles: by ways out, and by changed
 * statements.
 */
import { describe, expect, it } from 'vitest';
import { type FactBody, fact } from '../../src/protocols/plan/facts.ts';
import { planOf } from '../../src/protocols/plan/fold.ts';
import { makePlant } from '../../src/protocols/plan/rules/control.ts';
import { checkDraft, type Draft } from '../../src/protocols/plan/rules/spec.ts';
import { numberStatements, type Statement } from '../../src/protocols/plan/rules/statements.ts';
import { renderSpec } from '../../src/protocols/plan/spec-lines.ts';
import { deriveStandings } from '../../src/protocols/plan/standings.ts';
import { makeSearchFact, numberFacts } from './facts.ts';

const NOBODY = { change: [], withdraw: [] };
const first = [
  fact('statements.made', {
    role: 'record',
    round: 1,
    ...NOBODY,
    add: [{ kind: 'constraint', text: 'A sent run is the recorded one, byte for byte.' }],
  }),
  fact('statements.made', {
    role: 'privacy',
    round: 1,
    ...NOBODY,
    add: [
      { kind: 'constraint', text: 'Keys are taken out of whatever is sent.' },
      { kind: 'constraint', text: 'The sender goes through a list of what is sent.' },
    ],
  }),
  fact('statements.made', {
    role: 'screen',
    round: 1,
    ...NOBODY,
    add: [{ kind: 'constraint', text: 'One key sends.' }],
  }),
];
const makeExaminedFact = (...pairs: (readonly string[])[]): FactBody =>
  makeSearchFact({
    round: 1,
    model: 'a/b',
    found: pairs.map((statements, index) => ({
      question: `Question ${index + 1}?`,
      statements,
      why: 'not both',
      kind: 'contradiction' as const,
    })),
  });
const makeAnswersFact = (
  role: string,
  round: number,
  conflict: string,
  ...accepts: string[]
): FactBody =>
  fact('conflicts.answered', {
    role,
    round,
    answers: [{ conflict, accepts, why: 'it can be built this month' }],
  });
function viewOf(...more: FactBody[]) {
  const facts = [...first, ...more];
  return planOf(numberFacts(facts));
}

describe('a compromise that a seat proposes', () => {
  const offered = [
    makeExaminedFact(['record-1', 'privacy-1']),
    makeAnswersFact('record', 2, 'Q-1', 'record-1'),
    makeAnswersFact('privacy', 2, 'Q-1', 'privacy-1'),
    fact('statements.made', {
      role: 'record',
      round: 2,
      ...NOBODY,
      add: [{ kind: 'section', text: 'A copy with an id of its own is sent.', conflict: 'Q-1' }],
    }),
  ];

  it('becomes an option of its question', () => {
    const view = viewOf(...offered);
    expect(view.conflicts[0]?.options).toEqual(['record-1', 'privacy-1', 'record-2']);
    expect(deriveStandings(view)[0]?.state).toBe('open');
    const half = viewOf(...offered, makeAnswersFact('record', 3, 'Q-1', 'record-2'));
    expect(deriveStandings(half)[0]?.state).toBe('open');
  });

  it('settles its question when all seats accept it', () => {
    const view = viewOf(
      ...offered,
      makeAnswersFact('record', 3, 'Q-1', 'record-1', 'record-2'),
      makeAnswersFact('privacy', 3, 'Q-1', 'record-2', 'privacy-1'),
    );
    expect(deriveStandings(view)[0]).toMatchObject({
      state: 'settled',
      outcome: { option: 'record-2' },
    });
  });

  it('is an ordinary statement if the question that it names does not exist', () => {
    const view = viewOf(
      fact('statements.made', {
        role: 'record',
        round: 2,
        ...NOBODY,
        add: [{ kind: 'concern', text: 'It may be large.', conflict: '__proto__' }],
      }),
    );
    expect(view.conflicts).toEqual([]);
    expect(view.statements.at(-1)?.id).toBe('record-2');
  });
});

describe('a seat’s answer to a question', () => {
  const reworded = fact('statements.made', {
    role: 'privacy',
    round: 2,
    add: [],
    withdraw: [],
    change: [
      { id: 'privacy-2', text: 'The sender sees what is sent.', because: 'Seen is enough.' },
    ],
  });

  it('no longer counts after the accepted statement was reworded', () => {
    const pair = makeExaminedFact(['screen-1', 'privacy-2']);
    const answers = [
      makeAnswersFact('screen', 2, 'Q-1', 'screen-1', 'privacy-2'),
      makeAnswersFact('privacy', 2, 'Q-1', 'privacy-2'),
    ];
    expect(deriveStandings(viewOf(pair, ...answers))[0]?.state).toBe('settled');
    expect(deriveStandings(viewOf(pair, ...answers, reworded))[0]).toMatchObject({
      state: 'open',
      why: 'privacy-2 was reworded after others had answered',
    });
    const again = makeAnswersFact('screen', 3, 'Q-1', 'privacy-2');
    expect(deriveStandings(viewOf(pair, ...answers, reworded, again))[0]?.state).toBe('settled');
  });

  it('does not give up a statement that is an option of another open question', () => {
    const view = viewOf(
      makeExaminedFact(['privacy-2', 'record-1'], ['privacy-2', 'screen-1']),
      makeAnswersFact('privacy', 2, 'Q-1', 'record-1', 'privacy-2'),
      makeAnswersFact('record', 2, 'Q-1', 'record-1'),
    );
    expect(deriveStandings(view)[0]).toMatchObject({
      state: 'person',
      why: 'privacy-2 would fall for record-1, and Q-2 is about it as well',
    });
  });

  it('may withdraw a statement after rewording it; the spec still lists the original text', () => {
    const view = viewOf(
      reworded,
      fact('statements.made', {
        role: 'privacy',
        round: 3,
        add: [],
        change: [],
        withdraw: [{ id: 'privacy-2', why: 'not needed' }],
      }),
    );
    expect(view.statements.find(({ id }) => id === 'privacy-2')?.because).toBe('Seen is enough.');
    const basis = { ...view, standings: deriveStandings(view), notHeard: [] };
    const told = renderSpec(
      checkDraft(EMPTY, basis, () => true),
      basis,
      'T',
    ).join('\n');
    expect(told).toContain('The sender goes through a list of what is sent.');
  });
});

const EMPTY: Draft = {
  goal: 'Sending',
  outOfScope: [],
  decisions: [],
  interfaces: [],
  data: [],
  tasks: [],
  risks: [],
  openQuestions: [],
  notCarried: [],
  fixes: [],
};

it('parts of the plan that depend on one side of an open question are marked', () => {
  const view = viewOf(makeExaminedFact(['record-1', 'privacy-1']));
  const basis = { ...view, standings: deriveStandings(view), notHeard: [] };
  const draft = { ...EMPTY, decisions: [{ text: 'Keys go out.', from: ['privacy-1'] }] };
  const told = renderSpec(
    checkDraft(draft, basis, () => true),
    basis,
    'T',
  ).join('\n');
  expect(told).toContain('- Keys go out. [privacy-1; open: Q-1]');
  expect(told).toContain('Open because record, privacy did not answer.');
});

describe('makePlant, which makes a statement that contradicts a real one,', () => {
  const makeStatements = (text: string): Statement[] => [
    ...numberStatements([], 'a', 1, [{ kind: 'constraint', text, because: 'It is so.' }]),
    ...numberStatements([], 'b', 1, [{ kind: 'section', text: 'Another thing' }]),
  ];

  it.each([
    ['Keys are taken out before a run is sent.', 'Keys are taken out only after a run is sent.'],
    [
      'A run must be sent whole, and it can be read.',
      'A run must not be sent whole, and it can be read.',
    ],
    [
      'One key sends: no question stands until the file is written.',
      'It is not so that one key sends: no question stands until the file is written.',
    ],
    [
      'Where a part is missing, it says so.',
      'It is not so that where a part is missing, it says so.',
    ],
    [
      'No question stands before the file.',
      'It is not so that no question stands before the file.',
    ],
  ])('contradicts the statement: %s', (text, turned) => {
    expect(makePlant(makeStatements(text).slice(0, 2), 1, 'p')?.statement).toMatchObject({
      text: turned,
    });
  });

  it('adds a reason if the real statement has a reason', () => {
    expect(makePlant(makeStatements('A run must be whole.'), 1, 'p')?.statement.because).toMatch(
      /\w/,
    );
  });
});
