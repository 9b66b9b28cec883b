/** Tests how failed work goes on: each row of the table in docs/team.md, and the bounds on attempts. */
import { describe, expect, it } from 'vitest';
import { type FactBody, fact } from '../../../src/protocols/team/facts.ts';
import {
  attemptsAllowed,
  countAttemptsOfRun,
  countAttemptsUsed,
  decideAfterFailure,
  type Failure,
  isRunBoundReached,
  levelOf,
} from '../../../src/protocols/team/rules/failures.ts';
import {
  foldTeam,
  makeGraphFact,
  makePlanFact,
  makeRetryFact,
  makeTaskStarted,
  makeValidPlan,
  makeValidTask,
  makeValidWorkstream,
  makeWaitingTask,
} from './values.ts';

const makeBadOutput = (cause: 'none' | 'work' | 'brief' | 'design' = 'work'): Failure => ({
  kind: 'bad-output',
  cause,
  why: 'unit is red',
});
const BLOCKED: Failure = { kind: 'blocked', why: 'it needs a decision' };
const FAULT: Failure = { kind: 'environment', why: 'unit could not start' };
const makePartial = (committed: boolean): Failure => ({ kind: 'partial', left: ['R2'], committed });

const PATHS = ['T2-T5', 'T3-T5', 'T4-T5'] as const;
/** Returns a team with two tasks of a workstream, `a` after this many attempts. */
const afterAttempts = (
  path: (typeof PATHS)[number],
  attempts: number,
  { multiplier = 1, more = [] }: { multiplier?: 1 | 2; more?: readonly FactBody[] } = {},
) => {
  const tasks = [makeValidTask('a'), makeValidTask('b')];
  const [own] = tasks;
  return foldTeam(
    makePlanFact(
      makeValidPlan({
        workstreams: [
          makeValidWorkstream('list', {
            path,
            retry_multiplier: multiplier,
            task: path === 'T4-T5' ? (own ?? null) : null,
          }),
        ],
      }),
    ),
    makeGraphFact(...tasks),
    ...Array.from({ length: attempts }, (_, at) => [
      ...(at === 0 ? [] : [makeRetryFact('a', at + 1)]),
      makeTaskStarted('a', at + 1),
    ]).flat(),
    ...more,
  );
};
const makeEscalation = (to: 'T2' | 'T1', cause: 'work' | 'brief' | 'design', of = 'a') =>
  fact('team.escalated', { from: 'T3', to, workstream: 'list', task: of, cause, why: 'x' });

describe('The limits on attempts at a task', () => {
  it('allow one attempt and two retries, or four retries if the plan doubles them', () => {
    expect([attemptsAllowed(1), attemptsAllowed(2)]).toEqual([3, 5]);
    expect([countAttemptsOfRun(1), countAttemptsOfRun(4)]).toEqual([3, 12]);
  });

  it('give later attempts more effort, and then an abler model', () => {
    const listLevels = (allowed: number, first: Parameters<typeof levelOf>[2]) =>
      Array.from({ length: allowed + 1 }, (_, at) => {
        const { level, effort } = levelOf(at + 1, allowed, first);
        return `${level}, ${effort}`;
      });
    expect(listLevels(3, 'fast-cheap')).toEqual([
      'fast-cheap, medium',
      'fast-cheap, high',
      'capable, high',
      'reasoning-heavy, high',
    ]);
    expect(listLevels(5, 'fast-cheap')).toEqual([
      'fast-cheap, medium',
      'fast-cheap, medium',
      'fast-cheap, high',
      'capable, high',
      'reasoning-heavy, high',
      'reasoning-heavy, high',
    ]);
    expect(listLevels(3, 'reasoning-heavy').at(-1)).toBe('reasoning-heavy, high');
  });

  it('start anew when a higher tier or a person grants attempts', () => {
    const countUsed = (...more: readonly FactBody[]) => {
      const [view] = foldTeam(
        makePlanFact(makeValidPlan()),
        makeGraphFact(makeValidTask('a')),
        ...more,
      ).tasks;
      return countAttemptsUsed(view ?? makeWaitingTask(makeValidTask('none')));
    };
    const three = [
      makeTaskStarted('a', 1),
      makeRetryFact('a', 2),
      makeTaskStarted('a', 2),
      makeRetryFact('a', 3),
      makeTaskStarted('a', 3),
    ];
    expect(countUsed()).toBe(0);
    expect(countUsed(...three)).toBe(3);
    for (const by of ['T2', 'T1', 'person'] as const)
      expect(countUsed(...three, makeRetryFact('a', 4, { by }), makeTaskStarted('a', 4)), by).toBe(
        1,
      );
    expect(
      countUsed(
        makeTaskStarted('a', 1),
        makeRetryFact('a', 2, { by: 'code', uncounted: true }),
        makeTaskStarted('a', 2),
      ),
    ).toBe(1);
    // An attempt whose step ran again after a crash was started twice, but counts once.
    expect(countUsed(makeTaskStarted('a', 1), makeTaskStarted('a', 1))).toBe(1);
  });
});

describe('A failed attempt at a task', () => {
  it.each([
    ['T2-T5', 'the tier T3', 'T3'],
    ['T3-T5', 'the tier T3', 'T3'],
    ['T4-T5', 'the program itself', 'code'],
  ] as const)(
    'in a workstream with the path %s leads to a retry, ordered by %s, while attempts are left',
    (path, _what, by) => {
      for (const attempts of [1, 2])
        expect(decideAfterFailure(afterAttempts(path, attempts), 'a', makeBadOutput())).toEqual({
          do: 'retry',
          by,
          counted: true,
          why: 'unit is red',
        });
      expect(
        decideAfterFailure(afterAttempts(path, 3, { multiplier: 2 }), 'a', makeBadOutput('none')),
      ).toMatchObject({
        do: 'retry',
      });
    },
  );

  it.each([
    ['T2-T5', 'T3', 'T2'],
    ['T3-T5', 'T3', 'T1'],
    ['T4-T5', 'T4', 'T1'],
  ] as const)(
    'in a workstream with the path %s is handed from %s to %s once all attempts are used',
    (path, from, to) => {
      const why = 'unit is red; all 3 attempts are used';
      expect(decideAfterFailure(afterAttempts(path, 3), 'a', makeBadOutput())).toEqual({
        do: 'escalate',
        from,
        to,
        cause: 'work',
        why,
      });
      expect(
        decideAfterFailure(afterAttempts(path, 5, { multiplier: 2 }), 'a', makeBadOutput()),
      ).toMatchObject({
        from,
        to,
      });
    },
  );

  it.each([
    ['brief', 'T2-T5', 'T2'],
    ['brief', 'T3-T5', 'T1'],
    ['brief', 'T4-T5', 'T1'],
    ['design', 'T2-T5', 'T1'],
    ['design', 'T3-T5', 'T1'],
  ] as const)(
    'with the cause “%s”, in a workstream with the path %s, is handed to %s at once',
    (cause, path, to) => {
      expect(decideAfterFailure(afterAttempts(path, 1), 'a', makeBadOutput(cause))).toMatchObject({
        do: 'escalate',
        to,
        cause,
        why: 'unit is red',
      });
    },
  );
});

describe('An unfinished task', () => {
  it.each([
    ['T2-T5', 'T3', 'T2'],
    ['T3-T5', 'T3', 'T1'],
    ['T4-T5', 'T4', 'T1'],
  ] as const)(
    'in a workstream with the path %s is handed from %s to %s at once if it is blocked',
    (path, from, to) => {
      expect(decideAfterFailure(afterAttempts(path, 1), 'a', BLOCKED)).toEqual({
        do: 'escalate',
        from,
        to,
        cause: 'brief',
        why: 'it needs a decision',
      });
    },
  );

  it('is tried again for the requirements that are left after a part was committed', () => {
    for (const attempts of [1, 2])
      expect(decideAfterFailure(afterAttempts('T3-T5', attempts), 'a', makePartial(true))).toEqual({
        do: 'retry',
        by: 'T3',
        counted: true,
        why: 'a part is committed; left: R2',
      });
    expect(decideAfterFailure(afterAttempts('T3-T5', 3), 'a', makePartial(false))).toMatchObject({
      do: 'escalate',
      to: 'T1',
      cause: 'work',
      why: 'nothing is committed; left: R2; all 3 attempts are used',
    });
  });

  it('is tried again at most three times in a row if the environment failed', () => {
    const makeUncountedRetry = (attempt: number) =>
      makeRetryFact('a', attempt, { by: 'code', uncounted: true });
    const makeFaults = (count: number) =>
      Array.from({ length: count }, (_, at) => [
        makeUncountedRetry(at + 2),
        makeTaskStarted('a', at + 2),
      ]).flat();
    for (const count of [0, 1, 2]) {
      const view = afterAttempts('T3-T5', 1, { more: makeFaults(count) });
      expect(decideAfterFailure(view, 'a', FAULT)).toEqual({
        do: 'retry',
        by: 'code',
        counted: false,
        why: 'unit could not start',
      });
      // Retries after a failure of the environment are not counted, so the task has used up only one of its attempts.
      expect(countAttemptsUsed(view.tasks[0] ?? makeWaitingTask(makeValidTask('none')))).toBe(1);
    }
    expect(
      decideAfterFailure(afterAttempts('T3-T5', 1, { more: makeFaults(3) }), 'a', FAULT),
    ).toMatchObject({
      do: 'escalate',
      to: 'person',
      why: 'unit could not start; that was so 4 times',
    });
  });
});

describe('A failed task is handed to a person', () => {
  it('if the tier that would get it was already asked about the same task and cause', () => {
    const decideAgain = (...more: readonly FactBody[]) =>
      decideAfterFailure(afterAttempts('T2-T5', 1, { more }), 'a', makeBadOutput('brief'));
    expect(decideAgain(makeEscalation('T2', 'brief'))).toEqual({
      do: 'escalate',
      from: 'T3',
      to: 'person',
      cause: 'brief',
      why: 'unit is red; T2 was asked about this before',
    });
    expect(
      decideAgain(
        makeEscalation('T2', 'work'),
        makeEscalation('T1', 'brief'),
        makeEscalation('T2', 'brief', 'b'),
      ),
    ).toMatchObject({
      to: 'T2',
    });
  });

  it('if a wrong design calls for a new plan for the second time in the run', () => {
    const view = afterAttempts('T2-T5', 1, { more: [makeEscalation('T1', 'design', 'b')] });
    expect(decideAfterFailure(view, 'a', makeBadOutput('design'))).toMatchObject({ to: 'person' });
  });

  it('if the run has used up its attempts', () => {
    const spent = [1, 2, 3, 4].map((attempt) => makeTaskStarted('b', attempt));
    const view = afterAttempts('T3-T5', 2, { more: spent });
    expect(isRunBoundReached(view)).toBe(true);
    expect(decideAfterFailure(view, 'a', makeBadOutput())).toEqual({
      do: 'escalate',
      from: 'T3',
      to: 'person',
      cause: 'work',
      why: 'unit is red; the run has had its 6 attempts',
    });
    const given = afterAttempts('T3-T5', 2, {
      more: [...spent, makeRetryFact('a', 3, { by: 'person' }), makeTaskStarted('a', 3)],
    });
    expect(isRunBoundReached(given)).toBe(false);
    expect(decideAfterFailure(given, 'a', makeBadOutput())).toMatchObject({ do: 'retry' });
    expect(isRunBoundReached(afterAttempts('T3-T5', 2, { more: spent.slice(1) }))).toBe(false);
  });

  it('if the plan has no task with the given id, which should not happen', () => {
    for (const id of ['gone', '__proto__', 'constructor'])
      expect(decideAfterFailure(afterAttempts('T3-T5', 1), id, makeBadOutput())).toMatchObject({
        to: 'person',
      });
    expect(decideAfterFailure(foldTeam(), 'a', FAULT)).toMatchObject({ to: 'person' });
  });
});
