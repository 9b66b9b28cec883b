/** Tests that displays of a running team are true at every moment. */
import { expect, it } from 'vitest';
import { viewOf } from '../../src/kernel/view.ts';
import { type FactBody, fact } from '../../src/protocols/team/facts.ts';
import {
  EMPTY_TEAM,
  foldAllTeamFacts,
  type TaskView,
  type TeamView,
} from '../../src/protocols/team/fold.ts';
import { proposeMessages } from '../../src/protocols/team/prompts/design.ts';
import { standingArchitecture } from '../../src/protocols/team/prompts/opening.ts';
import { reasonOf } from '../../src/protocols/team/tried.ts';
import { Costs } from '../../src/protocols/team/view/costs.ts';
import { deriveTeamed, formatAttempts } from '../../src/protocols/team/view/display-state.ts';
import { tierRows } from '../../src/protocols/team/view/tiers/tiers.ts';
import { joinSentences } from '../../src/protocols/team/view/wording.ts';
import { factsOf, STAGES } from './facts-of-a-run.ts';

it('an attempt that failed through no fault of its own does not count, but gets a number', () => {
  const team = {
    ...EMPTY_TEAM,
    plan: { workstreams: [{ id: 'w', retry_multiplier: 2 }] },
  } as unknown as TeamView;
  const makeTask = (retried: object[]) =>
    ({
      task: { id: 'a', workstream: 'w' },
      attempts: [{ attempt: 1 }, { attempt: 2 }, { attempt: 3 }],
      retried,
    }) as unknown as TaskView;
  expect(formatAttempts(team, makeTask([]))).toBe('3 of 5');
  const free = [2, 3].map((attempt) => ({ attempt, by: 'code', uncounted: true }));
  expect(formatAttempts(team, makeTask(free))).toBe('#3, 1 of 5');
});

it('in the console, the tree of a team does not show the last round’s verdict while the next round is verified', () => {
  const bodies: readonly FactBody[] = STAGES.done;
  const at = bodies.findIndex((body) => body.type === 'verdict.joined' && body.verdict === 'fail');
  const failed = bodies[at];
  if (failed?.type !== 'verdict.joined') throw new Error('no round failed');
  const rowsOf = (facts: readonly FactBody[]) => {
    const all = factsOf(facts);
    const rows = tierRows(
      deriveTeamed(viewOf(all), foldAllTeamFacts(all), Costs.of(all)),
      new Set(),
    );
    return rows.find(({ key }) => key === `workstream/${failed.workstream}`)?.words;
  };
  const ended = foldAllTeamFacts(factsOf(bodies.slice(0, at + 1))).tasks.flatMap(
    ({ task, state }) =>
      state === 'done' || state === 'dropped' || task.workstream !== failed.workstream
        ? []
        : [fact('task.ended', { task: task.id, state: 'done', commit: 'c' })],
  );
  const before = [...bodies.slice(0, at + 1), ...ended];
  expect(rowsOf(before)).toBe(`failed in round ${failed.round}`);
  const joined = fact('team.joined', {
    of: 'all',
    round: failed.round + 1,
    commits: ['c'],
    commit: 'd',
    conflicts: [],
  });
  expect(rowsOf([...before, joined])).toBe(`round ${failed.round + 1} is verified`);
});

it('joinSentences puts a period between two texts by models unless there is one', () => {
  expect(joinSentences('the brief of a', 'It was wrong.')).toBe('the brief of a. It was wrong.');
  expect(joinSentences('It is done.', 'So it is.')).toBe('It is done. So it is.');
  expect(joinSentences('alone', '')).toBe('alone');
});

it('the architect of the only domain is told nothing about other architects', () => {
  const formatPrompt = (domains: number, edition: number) =>
    JSON.stringify(
      proposeMessages(
        { goal: 'g', seed: 1, parts: [], edition },
        {
          domains: ['a', 'b']
            .slice(0, domains)
            .map((id) => ({ id, workstreams: [id], owns: [`${id}/**`] })),
          assumptions: [],
        },
        'a',
      ),
    );
  expect(formatPrompt(1, 3)).not.toContain('the others');
  expect(formatPrompt(2, 3)).toContain('the others design theirs');
  // A run that began with version 2 of the rules keeps the prompt of that version.
  expect(formatPrompt(1, 2)).toContain('the others design theirs');
});

it('an open question of the architecture is no longer called open once T1 has decided it, but remains open if T3 has', () => {
  const open = ['Who locks the store?', 'Which colours?'];
  const architecture = { summary: 's', interfaces: [], decisions: [], settled: [], open };
  const makeAmendment = (by: 'T1' | 'T3') =>
    fact('plan.amended', {
      by,
      kind: 'decision',
      what: 'Who locks the store, to a: the writer does',
      why: 'it writes',
      task: 'a',
      files: [],
    });
  const makeView = (by: 'T1' | 'T3') =>
    ({
      ...EMPTY_TEAM,
      designed: { architecture },
      amendments: [makeAmendment(by)],
    }) as unknown as TeamView;
  expect(standingArchitecture(makeView('T1'), 3)?.open).toEqual(['Which colours?']);
  expect(standingArchitecture(makeView('T3'), 3)?.open).toEqual(open);
  expect(standingArchitecture(makeView('T1'), 2)?.open).toEqual(open);
});

it('the question about a failed task contains the reason and not the whole output of the check', () => {
  const printed = 'pytest: exit 1\n........F.....\n1 failed; 492 passed';
  const bound = '; the run has had its 3 attempts';
  expect(reasonOf(`It is red:\n- pytest: exit 1: test_a\n- old tests\n${printed}${bound}`)).toBe(
    `It is red: - pytest: exit 1: test_a - old tests${bound}`,
  );
  expect(reasonOf(`nothing was changed${bound}`)).toBe(`nothing was changed${bound}`);
  expect(reasonOf('R3 is not met: 2.5 is 2\nThis test fails:\ntext')).toBe(
    'R3 is not met: 2.5 is 2',
  );
});
