/**
 * Tests statements that a question rests on and that do not answer it, from the search to the report; how
 * options that all accept end; what seats are told of rounds and musts; and that a run of edition 1 keeps
 * its rules.
 */
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/kernel/model.ts';
import { viewOf } from '../../src/kernel/view.ts';
import { formatReport } from '../../src/plain/report.ts';
import { describePlan, exportedPlan } from '../../src/protocols/plan/exported.ts';
import {
  type Conflict,
  type FoundConflict,
  takeConflicts,
} from '../../src/protocols/plan/rules/conflicts.ts';
import { hasFoundPlant, makePlant } from '../../src/protocols/plan/rules/control.ts';
import { type Answer, settleQuestions } from '../../src/protocols/plan/rules/settle.ts';
import { numberStatements, type Statement } from '../../src/protocols/plan/rules/statements.ts';
import { deriveStandings } from '../../src/protocols/plan/standings.ts';
import { report } from '../../src/protocols/plan/view/report.ts';
import { loadProtocolReport } from '../../src/protocols/table.ts';
import { withoutUndefined } from '../../src/text/without-undefined.ts';
import {
  type FinishedPlan,
  findControl,
  isStatementOf,
  makeAnswersTo,
  makeClash,
  makeConflictReader,
  makeHandedStatement,
  readSection,
  type Script,
  STATEMENTS_BY_ROLE,
  World,
} from './harness.ts';

const STATEMENTS: readonly Statement[] = Object.entries(STATEMENTS_BY_ROLE).reduce<Statement[]>(
  (known, [role, all]) =>
    numberStatements(
      known,
      role,
      1,
      all.map((saying) => ({ ...saying, kind: saying.kind ?? 'constraint' })),
    ),
  [],
);
const IDS = STATEMENTS.map(({ id }) => id);

const makeFinding = (statements: readonly string[], given?: readonly string[]): FoundConflict => ({
  question: 'How long?',
  statements,
  why: 'not both',
  kind: 'contradiction',
  ...withoutUndefined({ given }),
});
const takeFindings = (
  all: readonly FoundConflict[],
  known: readonly Conflict[] = [],
  planted?: string,
) => takeConflicts(known, all, STATEMENTS, 1, new Set(planted === undefined ? [] : [planted]));
const listsOf = ({ conflicts }: ReturnType<typeof takeFindings>) =>
  conflicts.map(({ options, given }) => [options, given]);

describe('a statement on which a conflict only rests (a given)', () => {
  it('becomes an option if a reader lists the statement both as an option and as a given', () => {
    expect(
      listsOf(takeFindings([makeFinding(['security-1', 'ux-1'], ['data-1', 'ux-1', 'data-1'])])),
    ).toEqual([[['security-1', 'ux-1'], ['data-1']]]);
    expect(takeFindings([makeFinding(['security-1', 'ux-1'], [])]).conflicts[0]).not.toHaveProperty(
      'given',
    );
  });

  it('does not hide a conflict, even if a reader names every statement as given', () => {
    expect(listsOf(takeFindings([makeFinding(['security-1', 'ux-1'], IDS)]))).toEqual([
      [
        ['security-1', 'ux-1'],
        ['security-2', 'ux-2', 'data-1'],
      ],
    ]);
    expect(
      listsOf(
        takeFindings([makeFinding(['security-1', 'ux-1'], ['x-1', ...IDS])], [], 'x-1'),
      )[0]?.[0],
    ).toEqual(['security-1', 'ux-1']);
  });

  it('becomes an option if the conflict has only one option without it', () => {
    expect(listsOf(takeFindings([makeFinding(['ux-1'], ['data-1'])]))).toEqual([
      [['ux-1', 'data-1'], undefined],
    ]);
    expect(takeFindings([makeFinding(['ux-1'], ['ux-1', 'x-9'])]).refused).toEqual([
      { question: 'How long?', why: 'it names one statement only' },
    ]);
    const unowned = { ...makeFinding(['ux-2'], ['data-1']), kind: 'unowned' as const };
    expect(listsOf(takeFindings([unowned]))).toEqual([[['ux-2'], ['data-1']]]);
  });

  it('becomes an option if a later finding lists it as an option', () => {
    const first = takeFindings([makeFinding(['security-1', 'ux-1'], ['data-1'])]).conflicts;
    expect(
      listsOf(takeFindings([makeFinding(['security-1', 'ux-1'], ['ux-2', 'security-1'])], first)),
    ).toEqual([
      [
        ['security-1', 'ux-1'],
        ['data-1', 'ux-2'],
      ],
    ]);
    expect(listsOf(takeFindings([makeFinding(['ux-1', 'data-1', 'security-1'])], first))).toEqual([
      [['security-1', 'ux-1', 'data-1'], undefined],
    ]);
  });

  it('stays a given if a later reader names the same conflict with a single one of its two options', () => {
    const first = takeFindings([makeFinding(['security-1', 'ux-1'], ['data-1'])]).conflicts;
    const lists = [[['security-1', 'ux-1'], ['data-1']]];
    const other = { ...makeFinding(['ux-1'], ['data-1']), question: 'And how often?' };
    expect(listsOf(takeFindings([other], first))).toEqual(lists);
    const gone = STATEMENTS.map((statement) =>
      statement.id === 'security-1' ? { ...statement, state: 'withdrawn' as const } : statement,
    );
    const again = [makeFinding(['security-1', 'ux-1'], ['data-1'])];
    const { conflicts, refused } = takeConflicts(first, again, gone, 2);
    expect(conflicts).toEqual(first);
    expect(refused).toHaveLength(1);
  });

  it('is kept when a planted statement is removed from the same conflict', () => {
    const { conflicts } = takeFindings(
      [
        makeFinding(['security-1', 'ux-1'], ['x-1', 'data-1']),
        makeFinding(['security-2'], ['ux-2', 'x-1']),
      ],
      [],
      'x-1',
    );
    expect(conflicts).toMatchObject([
      { options: ['security-1', 'ux-1'], given: ['data-1'], why: 'they do not go together' },
    ]);
  });

  it('may be the planted statement, which then counts as found by the reader', () => {
    const planted = makePlant(STATEMENTS, 7, 'given');
    if (planted === undefined) throw new Error('nothing was planted');
    const { of, statement } = planted;
    const shown = IDS.length + 1;
    const hasSeenPlant = (finding: FoundConflict) => hasFoundPlant([finding], planted, shown);
    expect(hasSeenPlant(makeFinding([of], [statement.id]))).toBe(true);
    expect(hasSeenPlant(makeFinding([statement.id], [of]))).toBe(true);
    expect(hasSeenPlant(makeFinding([of], []))).toBe(false);
    expect(hasSeenPlant(makeFinding([of], [...IDS, statement.id]))).toBe(false);
  });
});

const FACT = makeClash('How long is nobody asked again?', ['security-1', 'ux-1'], {
  given: ['data-1'],
});
const THE_FACT = 'Sessions live in one table that is swept every 30 days.';
const stateOf = ({ view }: FinishedPlan, id: string) =>
  view.statements.find((statement) => statement.id === id)?.state;
const formatStandings = ({ view }: FinishedPlan) =>
  deriveStandings(view).map(({ conflict, state, why }) => `${conflict} ${state}: ${why}`);
const itemsOf = (asked: readonly ModelRequest[]) =>
  asked.flatMap(({ about }) => about?.items ?? []);
const acceptAndPrefer = (...wanted: readonly string[]): Script['answer'] => {
  return (asked) => {
    const answer = makeAnswersTo(asked, () => wanted);
    return {
      ...answer,
      answers: answer.answers.map((choice) => ({ ...choice, prefers: 'data-1' })),
    };
  };
};

describe('a statement on which a question only rests (a given)', () => {
  it('is shown with the question but not offered as an option', async () => {
    const held = await new World().makePlan({ script: { conflicts: makeConflictReader([FACT]) } });
    expect(new Set(itemsOf(held.requests('answer')))).toEqual(new Set(['Q-1: security-1, ux-1']));
    expect(held.requests('answer', 'data')).toEqual([]);
    const [prompt = ''] = held.prompts('answer', 'ux');
    expect(prompt).toContain('Options: security-1, ux-1\nGiven, and no option: data-1');
    expect(prompt.split('What is given in the questions and cannot be chosen:')[1]).toContain(
      `data-1 (constraint): ${THE_FACT}`,
    );
    expect(prompt.match(/Sessions live in one table/g)).toHaveLength(1);
    const [of] = held.requests('answer', 'ux');
    expect(JSON.stringify(of?.schema?.toJSONSchema())).not.toContain('data-1');
  });

  it('is ignored where seats accept it as if it were an option, and stays in force when the question is settled', async () => {
    const script = {
      conflicts: makeConflictReader([FACT]),
      answer: acceptAndPrefer('security-1', 'data-1'),
    };
    const held = await new World().makePlan({ script });
    expect(formatStandings(held)).toEqual(['Q-1 settled: all accept security-1']);
    expect(held.view.statements.flatMap(({ id, state }) => (state === 'live' ? [] : [id]))).toEqual(
      ['ux-1'],
    );
    expect(held.prompts('synthesis')[0]).toContain(
      'Options: security-1. Given up: ux-1. It rests on data-1. Settled: all accept security-1',
    );
    const accepted = held.view.answers.flatMap(({ answers }) => answers);
    expect(accepted).toMatchObject([{ accepts: ['security-1'] }, { accepts: ['security-1'] }]);
    const none = { ...script, answer: acceptAndPrefer('data-1') };
    const other = await new World().makePlan({ script: none });
    expect(formatStandings(other)).toEqual(['Q-1 open: no option is accepted by all']);
  });

  it('is never offered to the person and stays in force', async () => {
    const seen: { prompt: string; options: string[] }[] = [];
    const held = await new World().makePlan({
      config: { person: true },
      script: { conflicts: makeConflictReader([FACT]) },
      answer: async (_step, { prompt, options }) => {
        seen.push({ prompt, options: options.map(({ value }) => value) });
        return { answer: 'ux-1', by: 'person' };
      },
    });
    expect(seen.map(({ options }) => options)).toEqual([
      ['security-1', 'ux-1', 'together', 'own', 'open'],
    ]);
    expect(seen[0]?.prompt).toContain(
      `It rests on data-1, data, which stands whatever you choose: ${THE_FACT}`,
    );
    expect(stateOf(held, 'security-1')).toBe('withdrawn');
    expect(stateOf(held, 'data-1')).toBe('live');
  });

  it('is shown and exported together with the options', async () => {
    const held = await new World().makePlan({ script: { conflicts: makeConflictReader([FACT]) } });
    expect(readSection(held.spec, 'Conflicts nobody has settled')).toContain(
      `  - It rests on: data-1 (constraint): ${THE_FACT}`,
    );
    const text = formatReport(held.facts, await loadProtocolReport('plan'));
    expect(text).toContain(`#### It rests on\n\n- **data-1**, data, constraint: ${THE_FACT}`);
    const { sections } = report.build({ facts: held.facts, view: viewOf(held.facts) });
    const graphs = sections.flatMap(({ blocks }) =>
      blocks.flatMap((block) =>
        typeof block !== 'string' && block.kind === 'graph' ? block.graph : [],
      ),
    );
    expect(graphs[0]?.edges).toContainEqual({ from: 'data-1', to: 'Q-1', kind: 'given' });
    expect(graphs[0]?.relations).toHaveProperty('given');
    expect(JSON.stringify(sections)).toContain('It rests on data-1');
    const exported = describePlan().parse(exportedPlan(held.facts));
    expect(exported?.conflicts).toMatchObject([
      { options: ['security-1', 'ux-1'], given: ['data-1'] },
    ]);
  });

  it('may be an option of a second question, whose report says that the first question rests on it', async () => {
    const other = makeClash('Where?', ['data-1', 'ux-2']);
    const held = await new World().makePlan({
      script: { conflicts: makeConflictReader([FACT, other]) },
    });
    expect(formatReport(held.facts, await loadProtocolReport('plan'))).toContain(
      `#### What hangs on it\n\n- Q-1 rests on data-1: ${FACT.question}`,
    );
  });

  it('keeps the question open if its seat changes its text while the other seats answer', async () => {
    const both = makeClash('Where?', ['data-1', 'ux-2']);
    const held = await new World().makePlan({
      config: { rounds: 2 },
      script: {
        conflicts: makeConflictReader([FACT, both]),
        answer: (asked) =>
          makeAnswersTo(asked, (options) => [options.includes('ux-2') ? 'ux-2' : 'ux-1'], {
            change: isStatementOf('data-1', asked.seat.id)
              ? [{ id: 'data-1', text: 'Swept daily.' }]
              : [],
          }),
      },
    });
    expect(formatStandings(held)[0]).toBe(
      'Q-1 open: data-1 was reworded after others had answered',
    );
  });

  it('leaves the question both of its options, even if a reader lists all statements as given', async () => {
    const reportAllGiven: Script['conflicts'] = (asked) => ({
      conflicts: [
        ...findControl(asked),
        { ...FACT, given: (asked.about?.heard ?? []).map(({ from }) => from) },
      ],
    });
    const held = await new World().makePlan({ script: { conflicts: reportAllGiven } });
    expect(held.view.conflicts.map(({ options }) => options)).toEqual([['security-1', 'ux-1']]);
    expect(held.view.examined[0]?.control?.seen).toBe(true);
    // A reader that names both sides of the planted conflict only as given has not found it.
    const reportBlindly: Script['conflicts'] = (asked) => ({
      conflicts: [
        makeClash('?', ['ux-1'], { given: (asked.about?.heard ?? []).map(({ from }) => from) }),
      ],
    });
    const other = await new World().makePlan({ script: { conflicts: reportBlindly } });
    expect(other.view.written?.state).toBe('unexamined');
  });
});

const makeSeatAnswers = (
  role: string,
  accepts: readonly string[],
  prefers?: string,
  why = 'it can be built',
) => ({
  role,
  round: 2,
  answers: [
    {
      conflict: 'Q-1',
      accepts,
      why,
      ...withoutUndefined({ prefers }),
    } satisfies Answer,
  ],
});

describe('a question with several options that all seats accept', () => {
  const both = ['security-1', 'ux-1'];
  const { conflicts } = takeFindings([makeFinding(both)]);
  const formatStanding = (
    answers: Parameters<typeof settleQuestions>[2],
    edition: 1 | 2 = 2,
    of = conflicts,
  ) => {
    const [standing] = settleQuestions(of, STATEMENTS, answers, edition);
    return `${standing?.state}: ${standing?.why}`;
  };
  const left = 'person: all accept security-1 and ux-1: one has to be chosen';

  it('is settled if all seats that prefer an option prefer the same option', () => {
    const agreed =
      'settled: all accept security-1 and ux-1, and whoever prefers one prefers security-1';
    const own = makeSeatAnswers('security', both, 'security-1');
    expect(formatStanding([own, makeSeatAnswers('ux', both, 'security-1')])).toBe(agreed);
    expect(formatStanding([own, makeSeatAnswers('ux', both)])).toBe(agreed);
    expect(formatStanding([own, makeSeatAnswers('ux', both, 'security-1')], 1)).toBe(left);
  });

  it.each([
    ['nobody prefers any', [makeSeatAnswers('security', both), makeSeatAnswers('ux', both)]],
    [
      'the seats prefer different options',
      [makeSeatAnswers('security', both, 'security-1'), makeSeatAnswers('ux', both, 'ux-1')],
    ],
    [
      'a seat prefers something that is no option',
      [makeSeatAnswers('security', both, 'security-1'), makeSeatAnswers('ux', both, '__proto__')],
    ],
    [
      'all seats prefer a given',
      [makeSeatAnswers('security', both, 'data-1'), makeSeatAnswers('ux', both, 'data-1')],
    ],
  ])('is left to the person if %s', (_what, answers) => {
    expect(formatStanding(answers)).toBe(left);
  });

  it('is left to the person if it is a trade-off, a must would be given up, or a seat gives no reason', () => {
    const answers = [
      makeSeatAnswers('security', both, 'security-1'),
      makeSeatAnswers('ux', both, 'security-1'),
    ];
    const price = takeFindings([{ ...makeFinding(both), kind: 'trade-off' }]).conflicts;
    expect(formatStanding(answers, 2, price)).toMatch(
      /^person: .* a trade-off is the person’s to choose$/,
    );
    const musts = STATEMENTS.map((statement) =>
      statement.id === 'ux-1' ? { ...statement, must: true } : statement,
    );
    expect(settleQuestions(conflicts, musts, answers, 2)[0]).toMatchObject({
      state: 'person',
      why: expect.stringContaining('ux-1 is a must that would fall'),
    });
    const bare = [
      makeSeatAnswers('security', both, 'security-1'),
      makeSeatAnswers('ux', both, 'security-1', 'fine'),
    ];
    expect(formatStanding(bare)).toMatch(/^person: .*only because ux gives no ground$/);
  });

  it('is settled by the option that all seats prefer, except under edition 1 of the rules', async () => {
    const answer: Script['answer'] = (asked) => {
      const answers = makeAnswersTo(asked, (options) => options);
      return {
        ...answers,
        answers: answers.answers.map((choice) => ({ ...choice, prefers: 'security-1' })),
      };
    };
    const script = { conflicts: makeConflictReader([FACT]), answer };
    const held = await new World().makePlan({ script });
    expect(held.view.decided).toMatchObject([{ option: 'security-1', by: 'agreement' }]);
    expect(stateOf(held, 'data-1')).toBe('live');
    const before = await new World().makePlan({ script, config: { prompts: undefined } });
    expect(before.view.decided).toEqual([]);
    expect(formatStandings(before)).toEqual([left.replace('person', 'Q-1 person')]);
  });
});

describe('a seat that answers a question', () => {
  const script = { conflicts: makeConflictReader([FACT]) };

  it('is told which round is the last one', async () => {
    const held = await new World().makePlan({ script });
    const [second = '', third = ''] = held.prompts('answer', 'ux');
    expect(second).toContain('This is round 2 of at most 3.');
    expect(second).toContain('for everybody concerned to accept in the next round');
    expect(third).toContain(
      'This is round 3 of 3, the last one: nobody can answer what is changed or added now',
    );
    expect(third).not.toContain('next round');
    const short = await new World().makePlan({ script, config: { rounds: 2 } });
    expect(short.prompts('answer', 'ux')).toEqual([
      expect.stringContaining('This is round 2 of 2, the last one'),
    ]);
  });

  it('is not told the number of the round under edition 1 of the rules', async () => {
    const held = await new World().makePlan({ script, config: { prompts: undefined } });
    expect(held.prompts('answer').join()).not.toContain('This is round');
    const [asked] = held.requests('conflicts');
    expect(JSON.stringify(asked?.schema?.toJSONSchema())).not.toContain('given');
    expect(held.prompts('conflicts')[0]).not.toContain('given:');
    expect(viewOf(held.facts).config).not.toHaveProperty('prompts');
  });
});

describe('a seat whose binding statement (must) is in question', () => {
  const must = {
    ...STATEMENTS_BY_ROLE,
    security: [{ text: 'A session must end after 15 minutes without a click.', must: true }],
  };
  const conflicts = makeConflictReader([FACT], must);
  const readMustPrompt = async (answer: Script['answer'], kind?: 'trade-off'): Promise<string> => {
    const question = kind === undefined ? conflicts : makeConflictReader([{ ...FACT, kind }], must);
    const held = await new World().makePlan({
      says: must,
      script: { conflicts: question, answer },
    });
    expect(held.requests('must').map(({ about }) => about?.items)).toEqual([['security-1']]);
    const [prompt = ''] = held.prompts('must');
    expect(prompt.split('What is given in the question and cannot be chosen:')[1]).toContain(
      THE_FACT,
    );
    return prompt;
  };
  const acceptOnly = (...wanted: string[]): Script['answer'] => {
    return (asked) => makeAnswersTo(asked, () => wanted);
  };

  it('is asked alone, and told that all seats accept another option', async () => {
    expect(await readMustPrompt(acceptOnly('ux-1'))).toContain(
      'All seats concerned accept ux-1, you among them. Yours would be given up for it.',
    );
  });

  it('is asked alone, and told why the question is not settled', async () => {
    expect(await readMustPrompt(undefined)).toContain(
      'It is not settled, because no option is accepted by all. Yours falls if another option is chosen.',
    );
    const two = await readMustPrompt(acceptOnly('ux-1', 'security-1'));
    expect(two).toContain('because all accept security-1 and ux-1: one has to be chosen.');
    expect(two).not.toMatch(/have not agreed|would be given up/);
  });

  it('is asked alone, and told that all seats call the options compatible', async () => {
    const callCompatible: Script['answer'] = (asked) => {
      const answer = makeAnswersTo(asked, () => []);
      return {
        ...answer,
        answers: answer.answers.map((choice) => ({ ...choice, says: 'compatible' })),
      };
    };
    const prompt = await readMustPrompt(callCompatible, 'trade-off');
    expect(prompt).toContain('All seats concerned say that the options go together');
    expect(prompt).not.toMatch(/have not agreed|would be given up/);
  });

  it('is asked alone even if it has withdrawn the statement itself, and is told so', async () => {
    const prompt = await readMustPrompt((asked) =>
      makeAnswersTo(asked, (options) => options.filter((id) => isStatementOf(id, asked.seat.id)), {
        withdraw: isStatementOf('security-1', asked.seat.id)
          ? [{ id: 'security-1', why: 'to have peace', conflict: 'Q-1' }]
          : [],
      }),
    );
    expect(prompt).toContain(
      'ux-1 is what is left: the other options were withdrawn. You have taken yours back',
    );
  });

  it('is not asked if the statement is a given of the question instead of an option', async () => {
    const given = { ...STATEMENTS_BY_ROLE, data: [{ text: THE_FACT, must: true }] };
    const held = await new World().makePlan({
      says: given,
      script: { conflicts: makeConflictReader([FACT], given), answer: acceptOnly('ux-1') },
    });
    expect(held.requests('must')).toEqual([]);
    expect(formatStandings(held)).toEqual(['Q-1 settled: all accept ux-1']);
  });
});

it('a seat can add a compromise as a new option to a question that depends on a given', async () => {
  const text = 'Ask for a PIN after 15 minutes.';
  const held = await new World().makePlan({
    script: {
      conflicts: makeConflictReader([FACT], { ...STATEMENTS_BY_ROLE, more: [{ text }] }),
      answer: (asked) =>
        makeAnswersTo(asked, (options) => (asked.about?.round === 3 ? options.slice(2) : []), {
          add:
            asked.about?.round === 2 && isStatementOf('ux-1', asked.seat.id)
              ? [{ ...makeHandedStatement({ text }), conflict: 'Q-1' }]
              : [],
        }),
    },
  });
  expect(held.view.conflicts).toMatchObject([
    { options: ['security-1', 'ux-1', 'ux-3'], given: ['data-1'] },
  ]);
  expect(stateOf(held, 'data-1')).toBe('live');
});
