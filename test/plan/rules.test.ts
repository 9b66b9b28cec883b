/** Tests the rules of a plan with plain values: what no model may decide, and what cannot be lost. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LATEST } from '../../src/protocols/plan/config.ts';
import {
  type Conflict,
  type FoundConflict,
  takeConflicts,
} from '../../src/protocols/plan/rules/conflicts.ts';
import { hasFoundPlant, makePlant, mixWithPlant } from '../../src/protocols/plan/rules/control.ts';
import {
  type Answer,
  type SeatAnswers,
  settleQuestions as settleBy,
} from '../../src/protocols/plan/rules/settle.ts';
import { checkDraft, type Draft } from '../../src/protocols/plan/rules/spec.ts';
import {
  applyChanges,
  numberStatements,
  type Statement,
} from '../../src/protocols/plan/rules/statements.ts';
import { renderSpec } from '../../src/protocols/plan/spec-lines.ts';

const ROLES = ['security', 'ux', 'data'];
const HANDED = {
  security: [
    { kind: 'constraint', text: 'A session must end after 15 minutes.', must: true },
    { kind: 'concern', text: 'Tokens may leak into logs.' },
  ],
  ux: [
    { kind: 'constraint', text: 'Nobody is asked to sign in twice in a day.' },
    { kind: 'section', title: 'Form', text: 'The form keeps what was typed.' },
  ],
  data: [{ kind: 'constraint', text: 'Sessions are kept in one table.' }],
} as const;

function statementsMade(): Statement[] {
  return ROLES.reduce<Statement[]>(
    (known, role) => numberStatements(known, role, 1, HANDED[role as keyof typeof HANDED]),
    [],
  );
}
const makeFinding = (...statements: string[]): FoundConflict => ({
  question: 'How long does a session last?',
  statements,
  why: '15 minutes and a day exclude each other',
  kind: 'contradiction',
});
const makeSeatAnswers = (role: string, ...answers: Answer[]) => ({ role, round: 2, answers });
const makeAnswer = (conflict: string, ...accepts: string[]): Answer => ({
  conflict,
  accepts,
  why: 'it can be built this month',
});
const settleLatest = (
  conflicts: readonly Conflict[],
  statements: readonly Statement[],
  answers: readonly SeatAnswers[],
) => settleBy(conflicts, statements, answers, LATEST.prompts);
function conflictsOf(...all: FoundConflict[]): readonly Conflict[] {
  return takeConflicts([], all, statementsMade(), 1).conflicts;
}

describe('statements of specialists in a plan', () => {
  it('are numbered by role, with each number used once', () => {
    const first = statementsMade();
    expect(first.map(({ id }) => id)).toEqual([
      'security-1',
      'security-2',
      'ux-1',
      'ux-2',
      'data-1',
    ]);
    const { statements } = applyChanges(first, {
      role: 'ux',
      round: 2,
      change: [],
      withdraw: [{ id: 'ux-2', why: 'not ours' }],
      add: [{ kind: 'concern', text: 'People lose drafts.' }],
    });
    expect(statements.at(-1)?.id).toBe('ux-3');
  });

  it('remain if a later round does not mention them', () => {
    const { statements } = applyChanges(statementsMade(), {
      role: 'security',
      round: 2,
      change: [{ id: 'security-1', text: 'A session ends after 60 minutes.' }],
      withdraw: [],
      add: [],
    });
    expect(statements.every(({ state }) => state === 'live')).toBe(true);
    expect(statements[0]).toMatchObject({
      text: 'A session ends after 60 minutes.',
      earlier: [{ round: 2, text: 'A session must end after 15 minutes.' }],
    });
  });

  it('can be changed only by their owners', () => {
    const { statements, refusals } = applyChanges(statementsMade(), {
      role: 'ux',
      round: 2,
      change: [
        { id: 'security-1', text: 'A session never ends.' },
        { id: '__proto__', text: 'x' },
      ],
      withdraw: [
        { id: 'ux-1', why: 'agreed' },
        { id: 'ux-1', why: 'again' },
      ],
      add: [],
    });
    expect(refusals.map(({ what, why }) => `${what}: ${why}`)).toEqual([
      'withdraw ux-1: it was withdrawn',
      "change security-1: it is security's",
      'change __proto__: there is no such statement',
    ]);
    expect(statements[0]?.text).toBe('A session must end after 15 minutes.');
  });
});

describe('conflicts between statements', () => {
  it('keep their id when they are found again in other words', () => {
    const [first] = conflictsOf(makeFinding('security-1', 'ux-1'));
    const again = takeConflicts(
      [first as Conflict],
      [{ ...makeFinding('ux-1', 'security-1', 'data-1'), question: 'When is a session over?' }],
      statementsMade(),
      2,
    );
    expect(again.conflicts).toHaveLength(1);
    expect(again.conflicts[0]).toMatchObject({
      id: 'Q-1',
      question: 'How long does a session last?',
      options: ['security-1', 'ux-1', 'data-1'],
      alsoAsked: ['When is a session over?'],
    });
  });

  it.each([
    ['only one statement', makeFinding('ux-1'), 'it names one statement only'],
    [
      'only statements of one seat',
      makeFinding('ux-1', 'ux-2'),
      'all of it is said by one seat, which can mend it by itself',
    ],
    ['only unknown statements', makeFinding('nobody-7'), 'none of its statements stands'],
    ['no statement', makeFinding(), 'it names no statement'],
  ])(
    'are refused under edition 1 of the rules, with a reason, if they name %s',
    (_what, finding, why) => {
      expect(takeConflicts([], [finding], statementsMade(), 1)).toEqual({
        conflicts: [],
        refused: [{ question: finding.question, why }],
      });
    },
  );

  it('may name a single statement if they are “unowned”: they ask which seat takes on a task', () => {
    const conflicts = conflictsOf({ ...makeFinding('data-1'), kind: 'unowned' });
    expect(conflicts).toHaveLength(1);
    expect(settleLatest(conflicts, statementsMade(), [])[0]).toMatchObject({ state: 'person' });
  });
});

describe('a question, judged by settleQuestions from the seats’ answers,', () => {
  const makeConflicts = () => conflictsOf(makeFinding('data-1', 'ux-1'));

  it('is settled if all seats accept the same option', () => {
    const [standing] = settleLatest(makeConflicts(), statementsMade(), [
      makeSeatAnswers('data', makeAnswer('Q-1', 'data-1', 'ux-1')),
      makeSeatAnswers('ux', makeAnswer('Q-1', 'ux-1')),
    ]);
    expect(standing).toMatchObject({ state: 'settled', outcome: { option: 'ux-1' } });
  });

  it('stays open, and the seats are listed as suspicious, if each accepts only the other’s option', () => {
    const [standing] = settleLatest(makeConflicts(), statementsMade(), [
      makeSeatAnswers('data', makeAnswer('Q-1', 'ux-1')),
      makeSeatAnswers('ux', makeAnswer('Q-1', 'data-1')),
    ]);
    expect(standing).toMatchObject({ state: 'open', why: 'no option is accepted by all' });
    expect(standing?.suspicions).toContainEqual({ role: 'ux', what: 'yields with all others' });
  });

  it('is not settled if a seat has not answered', () => {
    const [standing] = settleLatest(makeConflicts(), statementsMade(), [
      makeSeatAnswers('data', makeAnswer('Q-1', 'ux-1')),
    ]);
    expect(standing).toMatchObject({ state: 'open', why: 'there is no answer from ux' });
    expect(settleBy(makeConflicts(), statementsMade(), [], 5)[0]?.why).toMatch(/did not answer$/);
  });

  it('goes to the person if a binding statement would be given up, or if it is a trade-off', () => {
    const must = conflictsOf(makeFinding('security-1', 'ux-1'));
    const yielded = [
      makeSeatAnswers('security', makeAnswer('Q-1', 'security-1', 'ux-1')),
      makeSeatAnswers('ux', makeAnswer('Q-1', 'ux-1')),
    ];
    expect(settleLatest(must, statementsMade(), yielded)[0]).toMatchObject({
      state: 'person',
      why: 'all accept ux-1, but security-1 is a must that would fall',
    });
    const price = conflictsOf({ ...makeFinding('data-1', 'ux-1'), kind: 'trade-off' });
    const agreed = [
      makeSeatAnswers('data', makeAnswer('Q-1', 'data-1')),
      makeSeatAnswers('ux', makeAnswer('Q-1', 'data-1')),
    ];
    expect(settleLatest(price, statementsMade(), agreed)[0]?.state).toBe('person');
  });

  it('goes to the person if a seat accepts two options without a reason; under edition 5 of the rules it is settled', () => {
    const answers = [
      makeSeatAnswers('data', { ...makeAnswer('Q-1', 'data-1', 'ux-1'), why: 'fine' } as Answer),
      makeSeatAnswers('ux', makeAnswer('Q-1', 'ux-1')),
    ];
    const settleUnder = (edition: 5 | 6) =>
      settleBy(makeConflicts(), statementsMade(), answers, edition)[0];
    expect(settleUnder(6)).toMatchObject({
      state: 'person',
      outcome: { option: 'ux-1' },
      why: 'all accept ux-1, but only because data gives no ground',
    });
    expect(settleUnder(5)?.state).toBe('settled');
  });

  it('goes to the person if a seat agrees without a reason, or accepts only others’ options in every question', () => {
    const agreed = [
      makeSeatAnswers('data', makeAnswer('Q-1', 'data-1')),
      makeSeatAnswers('ux', { conflict: 'Q-1', accepts: ['data-1'], why: 'fine' }),
    ];
    expect(settleLatest(makeConflicts(), statementsMade(), agreed)[0]).toMatchObject({
      state: 'person',
      suspicions: [{ role: 'ux', what: 'gives no ground' }],
    });
    const two = conflictsOf(makeFinding('data-1', 'ux-1'), makeFinding('security-2', 'ux-2'));
    const standings = settleLatest(two, statementsMade(), [
      makeSeatAnswers('ux', makeAnswer('Q-1', 'data-1'), makeAnswer('Q-2', 'security-2')),
      makeSeatAnswers('data', makeAnswer('Q-1', 'data-1')),
      makeSeatAnswers('security', makeAnswer('Q-2', 'security-2')),
    ]);
    expect(standings.map(({ state }) => state)).toEqual(['person', 'person']);
  });

  it('is settled if all seats say how the options go together', () => {
    const how: Answer = { conflict: 'Q-1', compatible: 'one table, indexed by day' };
    const all = [makeSeatAnswers('data', how), makeSeatAnswers('ux', how)];
    expect(settleLatest(makeConflicts(), statementsMade(), all)[0]?.state).toBe('settled');
    const some = [makeSeatAnswers('data', how), makeSeatAnswers('ux', makeAnswer('Q-1', 'ux-1'))];
    expect(settleLatest(makeConflicts(), statementsMade(), some)[0]?.state).toBe('open');
  });

  it('is not settled if an answer names an invalid id such as "__proto__"', () => {
    const [standing] = settleLatest(makeConflicts(), statementsMade(), [
      makeSeatAnswers('data', makeAnswer('Q-1', '__proto__', 'constructor')),
      makeSeatAnswers('ux', makeAnswer('Q-1', '__proto__', 'toString')),
    ]);
    expect(standing?.state).toBe('open');
  });
});

describe('the planted statement in a search for conflicts', () => {
  it('belongs to another role than the statement that it contradicts', () => {
    for (let seed = 0; seed < 200; seed += 1) {
      const planted = makePlant(statementsMade(), seed, 'round-1');
      const of = statementsMade().find(({ id }) => id === planted?.of);
      expect(planted?.statement.role).not.toBe(of?.role);
      expect(planted?.statement.text).not.toBe(of?.text);
      expect(statementsMade().map(({ id }) => id)).not.toContain(planted?.statement.id);
      expect(makePlant(statementsMade(), seed, 'round-1')).toEqual(planted);
    }
  });

  it('does not count as found by a reader that pairs every statement with every other', () => {
    const planted = makePlant(statementsMade(), 7, 'round-1');
    if (planted === undefined) throw new Error('nothing planted');
    const ids = mixWithPlant(statementsMade(), planted, 7, 'round-1').map(({ id }) => id);
    expect(hasFoundPlant([], planted, ids.length)).toBe(false);
    const pairs = ids.flatMap((other) =>
      ids.filter((id) => id !== other).map((id) => makeFinding(other, id)),
    );
    expect(hasFoundPlant(pairs, planted, ids.length)).toBe(false);
    expect(hasFoundPlant([makeFinding(...ids)], planted, ids.length)).toBe(false);
    expect(
      hasFoundPlant([makeFinding(planted.of, planted.statement.id)], planted, ids.length),
    ).toBe(true);
  });

  it('does not count as found by a reader that pairs it with every other statement', () => {
    const statements = Array.from({ length: 15 }, (_, at) => ({
      ...(statementsMade()[0] as Statement),
      id: `${at % 2 === 0 ? 'security' : 'ux'}-${at + 1}`,
      role: at % 2 === 0 ? 'security' : 'ux',
      text: `A session lasts ${at + 2} days.`,
    }));
    const planted = makePlant(statements, 7, 'round-1');
    if (planted === undefined) throw new Error('nothing planted');
    const { of, statement } = planted;
    const others = statements.map(({ id }) => id);
    const shown = others.length + 1;
    const inGroups = (size: number) =>
      others.flatMap((_, at) =>
        at % size === 0 ? [makeFinding(statement.id, ...others.slice(at, at + size))] : [],
      );
    for (const size of [1, 2, 4]) expect(hasFoundPlant(inGroups(size), planted, shown)).toBe(false);
    const [first = '', second = ''] = others.filter((id) => id !== of);
    const withFewOthers = [
      makeFinding(statement.id, of, first),
      makeFinding(second, of, statement.id),
    ];
    expect(hasFoundPlant(withFewOthers, planted, shown)).toBe(true);
  });

  it('is removed from the conflicts that a reader found', () => {
    const planted = makePlant(statementsMade(), 7, 'round-1');
    if (planted === undefined) throw new Error('nothing planted');
    const { id } = planted.statement;
    const taken = takeConflicts(
      [],
      [makeFinding(planted.of, id), makeFinding('security-1', 'ux-1')],
      [...statementsMade(), planted.statement],
      1,
      new Set([id]),
    );
    expect(taken.conflicts.map(({ options }) => options)).toEqual([['security-1', 'ux-1']]);
    const together = takeConflicts(
      [],
      [makeFinding('security-1', id, 'ux-1')],
      [...statementsMade(), planted.statement],
      1,
      new Set([id]),
    );
    expect(together.conflicts).toMatchObject([
      { options: ['security-1', 'ux-1'], question: 'Which of security-1, ux-1 can be followed?' },
    ]);
  });

  it('cannot be made if only one seat has said anything', () => {
    expect(makePlant(numberStatements([], 'ux', 1, HANDED.ux), 1, 'round-1')).toBeUndefined();
  });
});

const EMPTY: Draft = {
  goal: 'Sessions',
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

describe('the check of a plan’s text by code', () => {
  const makeBasis = (
    statements: readonly Statement[] = statementsMade(),
    conflicts: readonly Conflict[] = [],
  ) => ({
    statements,
    conflicts,
    standings: settleLatest(conflicts, statements, []),
    notHeard: [],
  });

  it('lists statements that the writing model forgot', () => {
    const spec = checkDraft(
      { ...EMPTY, decisions: [{ text: 'One table.', from: ['data-1'] }] },
      makeBasis(),
      () => true,
    );
    expect(spec.forgotten).toEqual(['security-1', 'security-2', 'ux-1', 'ux-2']);
  });

  it('refuses a decision that cites no statement, or that cites both sides of an open question', () => {
    const conflicts = conflictsOf(makeFinding('security-1', 'ux-1'));
    const { statements } = applyChanges(statementsMade(), {
      role: 'ux',
      round: 2,
      change: [],
      withdraw: [{ id: 'ux-2', why: 'not ours' }],
      add: [],
    });
    const decisions = [['ux-2'], ['nobody-1'], [], ['security-1', 'ux-1'], ['data-1']].map(
      (from, index) => ({ text: `decision ${index}`, from }),
    );
    const spec = checkDraft({ ...EMPTY, decisions }, makeBasis(statements, conflicts), () => true);
    expect(spec.refused.map(({ why }) => why)).toEqual([
      'ux-2 was withdrawn',
      'there is no statement nobody-1',
      'it rests on no statement',
      'it takes two sides of Q-1, which is open',
    ]);
    expect(spec.decisions).toHaveLength(1);
    expect(renderSpec(spec, makeBasis(statements, conflicts), 'Sessions').join('\n')).toContain(
      '- ux-2, ux: The form keeps what was typed. (withdrawn: not ours)',
    );
  });

  it('lists files that a task expects to exist although they are missing', () => {
    const task = { title: 'T', from: ['data-1'], after: [], test: 't', doneWhen: 'd' };
    const files = [
      { path: 'src/new.ts', isNew: true },
      { path: 'src/gone.ts', isNew: false },
    ];
    const spec = checkDraft({ ...EMPTY, tasks: [{ ...task, files }] }, makeBasis(), () => false);
    expect(spec.missingFiles).toEqual([{ task: 1, path: 'src/gone.ts' }]);
  });

  it('loses no statement, whatever the writing model returns', () => {
    const id = fc.constantFrom(
      ...statementsMade().map((statement) => statement.id),
      'nobody-1',
      '__proto__',
    );
    const cited = fc.record({ text: fc.string(), from: fc.array(id) });
    fc.assert(
      fc.property(
        fc.record({
          decisions: fc.array(cited),
          risks: fc.array(cited),
          notCarried: fc.array(fc.record({ id, why: fc.string() })),
        }),
        fc.subarray(statementsMade().map((statement) => statement.id)),
        (parts, gone) => {
          const statements = statementsMade().map(
            (statement): Statement =>
              gone.includes(statement.id)
                ? {
                    ...statement,
                    state: 'withdrawn',
                    withdrawal: { round: 2, why: 'w', by: 'owner' },
                  }
                : statement,
          );
          const known = makeBasis(statements);
          const spec = checkDraft({ ...EMPTY, ...parts }, known, () => true);
          const told = renderSpec(
            { ...spec, goal: '', refused: [] },
            { ...known, statements: statements.filter(({ state }) => state === 'withdrawn') },
            '',
          ).join('\n');
          for (const { id: statementId } of statements) expect(told).toContain(statementId);
        },
      ),
    );
  });
});
