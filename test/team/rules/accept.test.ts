/** Tests what T1 may accept, and to which tier it may reject. */
import { describe, expect, it } from 'vitest';
import { fact, type RequirementState } from '../../../src/protocols/team/facts.ts';
import type { Acceptance } from '../../../src/protocols/team/forms/work.ts';
import {
  findFilesBeyondGoal,
  problemsInAcceptance,
  withEvidence,
} from '../../../src/protocols/team/rules/accept.ts';
import {
  foldTeam,
  makeGraphFact,
  makePlanFact,
  makeValidPlan,
  makeValidTask,
  makeValidWorkstream,
} from './values.ts';

const EVIDENCE = 't5-1: yes, src/list.js: return JSON.stringify(rows) (it lists)';
const makeTeam = (state: RequirementState = 'met') =>
  foldTeam(
    makePlanFact(
      makeValidPlan({
        workstreams: [makeValidWorkstream('list'), makeValidWorkstream('page', { path: 'T4-T5' })],
      }),
    ),
    makeGraphFact(makeValidTask('a'), makeValidTask('b', { covers: [] })),
    fact('verdict.joined', {
      workstream: 'list',
      round: 1,
      commit: 'c1',
      verdict: 'pass',
      requirements: [{ id: 'R1', state, evidence: [EVIDENCE] }],
      failing: [],
      cause: 'none',
    }),
  );
const makeAcceptance = (change: Partial<Acceptance> = {}): Acceptance => ({
  decision: 'accept',
  requirements: [{ id: 'R1', met: 'yes', evidence: ['return JSON.stringify(rows)'] }],
  beyond_goal: [],
  reject: null,
  ...change,
});
const makeRejection = (change: Partial<NonNullable<Acceptance['reject']>> = {}): Acceptance => ({
  ...makeAcceptance({ decision: 'reject' }),
  reject: { tier: 'T3', workstream: 'list', tasks: ['a'], reason: 'It is slow.', ...change },
});
const findProblems = (acceptance: Acceptance, state: RequirementState = 'met') =>
  problemsInAcceptance(acceptance, makeTeam(state));

describe('An acceptance of the finished work', () => {
  it('is valid if every requirement is met and proved', () => {
    expect(findProblems(makeAcceptance())).toEqual([]);
    const whole = [{ id: 'R1', met: 'yes' as const, evidence: [EVIDENCE.replace(/ /g, '\n ')] }];
    expect(findProblems(makeAcceptance({ requirements: whole }))).toEqual([]);
  });

  it('may cite a piece of evidence by its number, such as R1.1', () => {
    const citeEvidence = (...evidence: string[]) =>
      makeAcceptance({ requirements: [{ id: 'R1', met: 'yes', evidence }] });
    expect(findProblems(citeEvidence('R1.1'))).toEqual([]);
    expect(withEvidence(citeEvidence(' R1.1'), makeTeam()).requirements[0]?.evidence).toEqual([
      EVIDENCE,
    ]);
    for (const none of ['R1.2', 'R1.0', 'R2.1'])
      expect(findProblems(citeEvidence(none))).toEqual([`R1: "${none}" is none of its evidence.`]);
  });

  it.each(['unmet', 'disputed', 'unproved'] as const)(
    'is refused while a requirement is %s',
    (state) => {
      expect(findProblems(makeAcceptance(), state)).toEqual([
        `R1 is ${state}: it can't be accepted.`,
        `R1 is said to be met and is ${state}.`,
      ]);
      const no = makeAcceptance({ requirements: [{ id: 'R1', met: 'no', evidence: [] }] });
      expect(findProblems(no, state)).toEqual([
        `R1 is ${state}: it can't be accepted.`,
        'It accepts, and says that R1 is not met.',
      ]);
    },
  );

  it('is refused if it leaves a requirement out or adds one', () => {
    expect(findProblems(makeAcceptance({ requirements: [] }))).toEqual(['R1 is left out.']);
    const [own] = makeAcceptance().requirements;
    if (own === undefined) throw new Error('no requirement');
    expect(
      findProblems(makeAcceptance({ requirements: [own, { ...own, id: 'R9' }, own] })),
    ).toEqual(['There is no requirement R9.', 'It names a requirement twice.']);
    expect(problemsInAcceptance(makeAcceptance({ requirements: [] }), foldTeam())).toEqual([
      'There is no requirement that it could meet.',
    ]);
  });

  it('is refused if it cites a text that is not among the evidence', () => {
    const findCitationProblems = (...evidence: string[]) =>
      findProblems(makeAcceptance({ requirements: [{ id: 'R1', met: 'yes', evidence }] }));
    expect(findCitationProblems()).toEqual(['R1 is said to be met, and nothing is cited.']);
    expect(findCitationProblems('I ran it.', 't', '')).toEqual([
      'R1: "I ran it." is none of its evidence.',
      'R1: "t" is none of its evidence.',
      'R1: "" is none of its evidence.',
    ]);
  });

  it('is refused if the same answer also rejects the work', () => {
    expect(findProblems({ ...makeRejection(), decision: 'accept' })).toEqual([
      'It accepts and rejects. Leave one of the two out.',
    ]);
  });
});

describe('A rejection of the finished work', () => {
  it('is valid if everything that it names exists', () => {
    expect(findProblems(makeRejection())).toEqual([]);
    expect(findProblems(makeRejection({ tier: 'T4' }))).toEqual([]);
    const no = {
      ...makeRejection(),
      requirements: [{ id: 'R1', met: 'no' as const, evidence: [] }],
    };
    expect(findProblems(no)).toEqual([]);
  });

  it.each([
    [{ workstream: 'constructor' }, 'There is no workstream constructor.'],
    [{ tier: 'T2' as const }, 'Workstream list goes by T3-T5 and has no T2.'],
    [
      { tier: 'T3' as const, workstream: 'page', tasks: [] },
      'Workstream page goes by T4-T5 and has no T3.',
    ],
    [{ tasks: ['constructor'] }, 'Workstream list has no task constructor.'],
    [{ tier: 'T4' as const, tasks: [] }, 'It rejects to T4 and names no task.'],
    [{ reason: ' ' }, 'It rejects and gives no reason.'],
  ])('is refused with the wrong details %o', (change, sentence) => {
    expect(findProblems(makeRejection(change))).toEqual([sentence]);
  });

  it('is refused if it names no tier', () => {
    expect(findProblems({ ...makeRejection(), reject: null })).toEqual([
      'It rejects and does not say to which tier.',
    ]);
  });
});

it('findFilesBeyondGoal returns the changed files except acceptance tests and files of tasks that cover a requirement and were not dropped', () => {
  const view = foldTeam(
    makePlanFact(makeValidPlan({ workstreams: [makeValidWorkstream('list')] })),
    makeGraphFact(makeValidTask('a'), makeValidTask('b', { covers: [] }), makeValidTask('c')),
    fact('task.ended', { task: 'c', state: 'dropped' }),
    fact('tests.written', {
      workstream: 'list',
      commit: 't1',
      files: ['test/blind/r1.test.js'],
      tests: [],
      untestable: [],
    }),
  );
  expect(
    findFilesBeyondGoal(view, [
      'src/a.js',
      'src/b.js',
      'src/c.js',
      'test/blind/r1.test.js',
      '__proto__',
    ]),
  ).toEqual(['src/b.js', 'src/c.js', '__proto__']);
});
