/** Ledgers, grouping, and figures in prose. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Answer,
  findInventedFigures,
  findOpposition,
  findRepeated,
  groupItems,
  isIdle,
  keepLedger,
  type LedgerInput,
  type Question,
  readNumbers,
} from '../../src/figures/figures.ts';

describe('the list of questions and answers in a dialogue (the method socratic)', () => {
  const statements = [
    { id: 'T-1', text: 'Two services suffice.' },
    { id: 'T-2', text: 'A cutover takes a night.' },
  ];
  const makeQuestion = (id: string, statement = 'T-1', kind = 'evidence', round = 1): Question => ({
    id,
    round,
    seat: 'critic',
    statement,
    kind,
    text: 'How do you know?',
  });
  const makeAnswer = (question: string, change: Partial<Answer> = {}): Answer => ({
    question,
    round: 1,
    text: 'We measured it.',
    ...change,
  });
  const makeInput = (change: Partial<LedgerInput>): LedgerInput => ({
    statements,
    questions: [makeQuestion('Q-1')],
    answers: [],
    ...change,
  });
  const findStatus = (change: Partial<LedgerInput>) =>
    keepLedger(makeInput(change)).rows[0]?.status;

  it('gives every question a status such as open, answered or conceded', () => {
    expect(findStatus({})).toBe('open');
    expect(findStatus({ answers: [makeAnswer('Q-1')] })).toBe('answered');
    expect(findStatus({ answers: [makeAnswer('Q-1', { text: ' … ' })] })).toBe('open');
    expect(
      findStatus({ answers: [makeAnswer('Q-1', { revised: 'Three services suffice.' })] }),
    ).toBe('amended');
    expect(
      findStatus({ answers: [makeAnswer('Q-1', { revised: '**Two** services suffice!' })] }),
    ).toBe('answered');
    expect(findStatus({ answers: [makeAnswer('Q-1', { concedes: true })] })).toBe('conceded');
  });

  it('marks a question as impossible to settle only if both seats say so', () => {
    const makeImpasses = (...seats: readonly string[]) =>
      seats.map((seat) => ({ question: 'Q-1', seat }));
    expect(
      findStatus({ answers: [makeAnswer('Q-1')], impasses: makeImpasses('author', 'critic') }),
    ).toBe('impasse');
    expect(
      findStatus({ answers: [makeAnswer('Q-1')], impasses: makeImpasses('author', 'author') }),
    ).toBe('answered');
    expect(
      findStatus({
        answers: [makeAnswer('Q-1', { concedes: true })],
        impasses: makeImpasses('author', 'critic'),
      }),
    ).toBe('conceded');
  });

  it('refuses questions about unknown statements and answers to unknown questions', () => {
    const ledger = keepLedger(
      makeInput({
        questions: [
          makeQuestion('Q-1'),
          makeQuestion('Q-2', 'T-2'),
          makeQuestion('Q-3', 'toString'),
          makeQuestion('Q-1', 'T-2'),
        ],
        answers: [
          makeAnswer('Q-1', { revised: 'Three do.' }),
          makeAnswer('Q-1', { concedes: true }),
          makeAnswer('Q-2', { concedes: true }),
          makeAnswer('Q-9'),
        ],
      }),
    );
    expect(ledger.statements).toEqual([
      { id: 'T-1', text: 'Three do.', version: 2, withdrawn: false },
      { id: 'T-2', text: 'A cutover takes a night.', version: 1, withdrawn: true },
    ]);
    expect(ledger.refused).toEqual(['Q-3', 'Q-1', 'Q-1', 'Q-9']);
  });

  it('finds an earlier question of the same kind about the same statement, unless the statement was changed since', () => {
    const findEarlier = (answers: readonly Answer[]) =>
      findRepeated({ statement: 'T-1', kind: 'evidence' }, keepLedger(makeInput({ answers })));
    expect(findEarlier([])?.id).toBe('Q-1');
    expect(findEarlier([makeAnswer('Q-1')])?.id).toBe('Q-1');
    expect(findEarlier([makeAnswer('Q-1', { revised: 'Three do.' })])).toBeUndefined();
    expect(
      findRepeated({ statement: 'T-1', kind: 'definition' }, keepLedger(makeInput({}))),
    ).toBeUndefined();
    expect(
      findRepeated({ statement: 'T-2', kind: 'evidence' }, keepLedger(makeInput({}))),
    ).toBeUndefined();
  });

  it('finds an earlier question about a changed statement if the question was asked after the change', () => {
    const ledger = keepLedger(
      makeInput({
        questions: [makeQuestion('Q-1'), makeQuestion('Q-2', 'T-1', 'evidence', 2)],
        answers: [makeAnswer('Q-1', { revised: 'Three do.' }), makeAnswer('Q-2', { round: 2 })],
      }),
    );
    expect(findRepeated({ statement: 'T-1', kind: 'evidence' }, ledger)?.id).toBe('Q-2');
  });

  it('is finished after two rounds in a row in which no statement was added or changed', () => {
    expect(isIdle([['T-1'], [], []])).toBe(true);
    expect(isIdle([[], ['T-1'], []])).toBe(false);
    expect(isIdle([[]])).toBe(false);
  });
});

describe('two wordings of an option', () => {
  it.each([
    ['Upgrade to Postgres 16', 'Upgrade to Postgres 17', 'other figures'],
    ['Hire two engineers', 'Hire ten engineers', 'other figures'],
    ['Hire two engineers', 'Hire engineers', 'other figures'],
    ['Roll out to 10 %', 'Roll out to 10 users', 'other figures'],
    ['Support ipv4', 'Support ipv6', 'other figures'],
    ['Ship 2 of 3', 'Ship 3 of 2', 'other figures'],
    ['Do split it', 'Do not split it', 'opposed'],
    ['We should split it', "We shouldn't split it", 'opposed'],
    ['Migrate with downtime', 'Migrate without downtime', 'opposed'],
    ['Never deploy on Fridays', 'Deploy on Fridays', 'opposed'],
    ['Kein Umzug', 'Umzug', 'opposed'],
    ['Mit Ausfall umziehen', 'Ohne Ausfall umziehen', 'opposed'],
    ['Enable the cache', 'Disable the cache', 'opposed'],
    ['Build it in house', 'Buy it for the house', 'opposed'],
    ['Replace Kafka with NATS', 'Replace NATS with Kafka', 'other direction'],
  ])('"%s" and "%s" cannot mean the same', (text, other, reason) => {
    expect(findOpposition(text, other)).toBe(reason);
    expect(findOpposition(other, text)).toBe(reason);
    const items = [
      { id: 'a', text },
      { id: 'b', text: other },
    ];
    const grouped = groupItems(items, [[['a', 'b']]]);
    expect(grouped.groups).toEqual([['a'], ['b']]);
    expect(grouped.refused).toEqual([{ ids: ['a', 'b'], why: reason }]);
  });

  it.each([
    ['Hire two engineers', 'Recruit 2 engineers'],
    ['Wait six weeks', 'wait 6 weeks'],
    ['Split the monolith', 'Break the monolith apart'],
    ['1,200 users', '1200 users'],
    ['Take plan T', 'Take the plan called after Turing'],
    ["Don't ship it", 'Do not ship it'],
  ])('"%s" and "%s" may mean the same', (text, other) => {
    expect(findOpposition(text, other)).toBeUndefined();
  });
});

describe('grouping options that mean the same', () => {
  const items = ['Split it', 'Break it up', 'Cut it apart', 'split it.', 'Wait'].map(
    (text, index) => ({
      id: `O${index + 1}`,
      text,
    }),
  );

  it('merges only equal wordings if no model has proposed groups', () => {
    expect(groupItems(items, []).groups).toEqual([['O1', 'O4'], ['O2'], ['O3'], ['O5']]);
    expect(
      groupItems(
        [
          { id: 'a', text: 'C#' },
          { id: 'b', text: 'C++' },
        ],
        [],
      ).groups,
    ).toHaveLength(2);
  });

  it('refuses a group that only one of two proposals contains', () => {
    const one = [
      ['O1', 'O2'],
      ['O3', 'O5'],
    ];
    const two = [['O2', 'O4']];
    expect(groupItems(items, [one]).groups).toEqual([
      ['O1', 'O2', 'O4'],
      ['O3', 'O5'],
    ]);
    const both = groupItems(items, [one, two]);
    expect(both.groups).toEqual([['O1', 'O2', 'O4'], ['O3'], ['O5']]);
    expect(both.refused).toEqual([{ ids: ['O3', 'O5'], why: 'once' }]);
  });

  it('refuses a group whose members are connected only through a third option', () => {
    const chain = groupItems(items, [
      [
        ['O1', 'O2'],
        ['O2', 'O3'],
      ],
    ]);
    expect(chain.groups).toEqual([['O1', 'O4'], ['O2'], ['O3'], ['O5']]);
    expect(chain.refused).toEqual([{ ids: ['O1', 'O3'], why: 'chain' }]);
    const whole = groupItems(items, [
      [
        ['O1', 'O2'],
        ['O2', 'O3'],
        ['O3', 'O1'],
      ],
    ]);
    expect(whole.groups[0]).toEqual(['O1', 'O2', 'O3', 'O4']);
  });

  it('splits a group in which two members contradict each other', () => {
    const four = [
      { id: 'a', text: 'Use Postgres 16' },
      { id: 'b', text: 'Take Postgres 16' },
      { id: 'c', text: 'Use Postgres 17' },
    ];
    const split = groupItems(four, [[['a', 'b', 'c']]]);
    expect(split.groups).toEqual([['a', 'b'], ['c']]);
    expect(split.refused.map(({ why }) => why)).toEqual(['other figures', 'other figures']);
  });

  it('returns, besides the groups, the proposed ids that belong to no option', () => {
    expect(groupItems(items, [[['O1', 'constructor'], ['O9']]]).unknown).toEqual([
      'O9',
      'constructor',
    ]);
  });

  it('puts every option into exactly one group, whatever the order', () => {
    const text = fc.constantFrom(
      'do it',
      'do not do it',
      'run 2',
      'run two',
      'run 3',
      'wait',
      'Wait.',
      'stay put',
    );
    const texts = fc.array(text, { minLength: 1, maxLength: 7 });
    const id = fc.integer({ min: 0, max: 7 }).map((at) => `O${at}`);
    const proposal = fc.array(fc.array(id, { maxLength: 4 }), { maxLength: 4 });
    fc.assert(
      fc.property(texts, fc.array(proposal, { maxLength: 2 }), (all, proposals) => {
        const named = all.map((own, index) => ({ id: `O${index}`, text: own }));
        const textOf = new Map(named.map((item) => [item.id, item.text]));
        const { groups } = groupItems(named, proposals);
        expect(groups.flat().toSorted()).toEqual(named.map((item) => item.id));
        for (const group of groups)
          for (const id of group)
            for (const other of group)
              expect(findOpposition(textOf.get(id) ?? '', textOf.get(other) ?? '')).toBeUndefined();
        const turned = groupItems(
          named.toReversed(),
          proposals.toReversed().map((own) => own.toReversed()),
        );
        const toSortedSets = (of: typeof groups) =>
          of.map((group) => group.toSorted().join()).toSorted();
        expect(toSortedSets(turned.groups)).toEqual(toSortedSets(groups));
      }),
      { seed: 17 },
    );
  });
});

describe('numbers in prose', () => {
  it('are parsed from digits and from words', () => {
    const readValues = (text: string) => readNumbers(text).map(({ value }) => value);
    expect(readValues('1,200 users, 2.5 h, 40k calls and 27 %.')).toEqual([1200, 2.5, 40_000, 27]);
    expect(readValues('twenty-five of two hundred; one of them; 1.5 million')).toEqual([
      25, 200, 1_500_000,
    ]);
    expect(readValues('fell to -10 from 10-20, zwei Wochen')).toEqual([-10, 10, 20, 2]);
    expect(readNumbers('see v16, A-3, #12 and S-3#L10').filter(({ named }) => !named)).toEqual([]);
  });

  it('are found with their positions if they occur in no source', () => {
    const text = 'Of the 40 services, 27 % fail; about 13 of them cost $250 a month.';
    const marked = findInventedFigures(text, { texts: ['We run 40 services.'], figures: [0.27] });
    expect(marked.map(({ written }) => written)).toEqual(['13', '250']);
    for (const { start, end, written } of marked) expect(text.slice(start, end)).toBe(written);
  });

  it('count as known if a source states the same number in other words, or a number that rounds to them', () => {
    const listInvented = (
      text: string,
      figures: readonly number[] = [],
      texts: readonly string[] = [],
    ) => findInventedFigures(text, { texts, figures }).map(({ written }) => written);
    expect(listInvented('two weeks', [], ['within 2 weeks'])).toEqual([]);
    expect(listInvented('a share of .5 is 50 %', [0.5])).toEqual([]);
    expect(listInvented('27.4 points, or 27', [27.38])).toEqual([]);
    expect(listInvented('30 points', [27.38])).toEqual(['30']);
    // A figure that was rounded to a single digit counts as another number.
    expect(listInvented('7 points', [7.4])).toEqual(['7']);
    expect(listInvented('1. First\n2) Second\n  3. Third: v2 and A-7', [])).toEqual([]);
    expect(listInvented('It takes 3-5 weeks or 10-20 %.', [], ['3 weeks, 20 %'])).toEqual([
      '5',
      '10',
    ]);
    expect(listInvented('on 2026-11-05 at 10:30, RFC-12-3, 0-1-2', [], ['2026, 10, 0'])).toEqual(
      [],
    );
    expect(listInvented('nobody has 5', [Number.NaN, Number.POSITIVE_INFINITY])).toEqual(['5']);
  });

  it('are found at the position where they are written', () => {
    const pieces = fc.constantFrom(
      'million ',
      'twenty-',
      'two ',
      '1,',
      '000',
      '.',
      '-',
      '%',
      'k',
      'x',
      '\n',
      '½',
      '٣',
    );
    const soup = fc
      .array(fc.oneof(pieces, fc.string()), { maxLength: 40 })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(soup, (text) => {
        for (const { value, start, end, written } of readNumbers(text)) {
          expect(Number.isFinite(value)).toBe(true);
          expect(text.slice(start, end)).toBe(written);
        }
        expect(findInventedFigures(text, { texts: [text], figures: [] })).toEqual([]);
      }),
      { seed: 17 },
    );
  });
});
