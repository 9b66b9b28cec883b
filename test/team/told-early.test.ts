/** Tests what is shown before anything is paid for, and while T1 checks the design. */
import { expect, it } from 'vitest';
import { viewOf } from '../../src/kernel/view.ts';
import { type FactBody, fact } from '../../src/protocols/team/facts.ts';
import { foldAllTeamFacts, type TaskView } from '../../src/protocols/team/fold.ts';
import { planLines } from '../../src/protocols/team/plan-lines.ts';
import { correctMessages } from '../../src/protocols/team/prompts/graph.ts';
import { surveyPart } from '../../src/protocols/team/prompts/opening.ts';
import { Costs } from '../../src/protocols/team/view/costs.ts';
import { deriveTeamed } from '../../src/protocols/team/view/display-state.ts';
import { formatTeamFact } from '../../src/protocols/team/view/says.ts';
import { tierRows } from '../../src/protocols/team/view/tiers/tiers.ts';
import { factsOf, STAGES } from './facts-of-a-run.ts';
import { makeValidPlan, makeValidTask, makeValidWorkstream, SURVEY } from './rules/values.ts';

it('a missing program is named in the survey and beside its check', () => {
  const [unit] = SURVEY.checks;
  if (unit === undefined) throw new Error('no check to miss a program for');
  const survey = { ...SURVEY, checks: [{ ...unit, missing: 'npm' }] };
  const surveyed = factsOf([
    ...STAGES.started,
    fact('team.surveyed', { survey: structuredClone(survey) as never }),
  ]).at(-1);
  expect(surveyed && formatTeamFact(surveyed)).toContain('1 likely check, without npm');
  expect(surveyPart(survey, 1)).toContain('cannot start here: npm is not installed');
  const teamPlan = makeValidPlan({
    checks: [{ id: 'unit', argv: [...unit.argv], env: [], timeout_s: 60, from_survey: true }],
  });
  const told = planLines(teamPlan, { survey, edition: 5 }).join('\n');
  expect(told).toContain('npm is not installed here, so it cannot start');
  expect(planLines(teamPlan, { survey: SURVEY, edition: 5 }).join('\n')).not.toContain(
    'not installed',
  );
});

it('the question about the plan names the workstreams that get no acceptance tests', () => {
  const requirements = [
    { id: 'R1', text: 'It lists as JSON.', proof: 'test' as const },
    { id: 'R2', text: 'The help names it.', proof: 'read' as const },
  ];
  const teamPlan = makeValidPlan({
    requirements,
    workstreams: [
      makeValidWorkstream('list', { covers: ['R1'] }),
      makeValidWorkstream('help', { covers: ['R2'] }),
    ],
  });
  const rowOf = (id: string, edition: number): string =>
    planLines(teamPlan, { edition }).find((row) => row.startsWith(`  ${id}, `)) ?? '';
  expect(rowOf('list', 5)).toContain('tests first');
  expect(rowOf('help', 5)).toContain('no acceptance tests, since no test is to show any of it');
  // A run that began with edition 4 of the rules keeps the question of that edition.
  expect(rowOf('help', 4)).not.toContain('acceptance tests');
});

it('the display names the goal tier (T1) while T1 checks the design', () => {
  const designed = STAGES.designed.findIndex(({ type }) => type === 'team.designed');
  const before: readonly FactBody[] = STAGES.designed.slice(0, designed);
  const rowOf = (bodies: readonly FactBody[]) => {
    const facts = factsOf(bodies);
    const rows = tierRows(
      deriveTeamed(viewOf(facts), foldAllTeamFacts(facts), Costs.of(facts)),
      new Set(),
    );
    return rows.find(({ key }) => key === 'design');
  };
  const asked = fact('step.started', {
    step: 'design/fit',
    attempt: 'fit-1',
    kind: 'call',
    task: 'team/fit',
    seat: 't1',
    model: 'test/m',
  });
  expect(rowOf([...before, asked])).toMatchObject({
    state: 'working',
    words: 'T1 checks it against the goal',
  });
});

it('a tier that corrects a task is told what the next attempt will see of the failed one', () => {
  const view = {
    task: makeValidTask('render'),
    files: [],
    brief: '',
    retried: [],
  } as unknown as TaskView;
  const formatPrompt = (permits: boolean): string =>
    JSON.stringify(
      correctMessages(
        { goal: 'g', seed: 1, parts: [] },
        'T3',
        { task: view, why: 'it is red', earlier: [] },
        undefined,
        permits,
      ),
    );
  expect(formatPrompt(true)).toContain('sees the change of the last attempt, why it failed');
  expect(formatPrompt(true)).not.toContain('sees nothing else of what was tried');
  expect(formatPrompt(false)).toContain('sees nothing else of what was tried');
});

it('the question about the plan names the existing tests that a task may change', () => {
  const changed = { file: 'test/list.test.js', why: 'it expects the old order' };
  const task = makeValidTask('list', { changes_tests: [changed] });
  const told = planLines(
    makeValidPlan({ workstreams: [makeValidWorkstream('list', { path: 'T4-T5', task })] }),
    { edition: 7 },
  ).join('\n');
  expect(told).toContain(
    'Existing tests that a task may change\n  list may change test/list.test.js: it expects the old order',
  );
  expect(planLines(makeValidPlan(), { edition: 7 }).join('\n')).not.toContain('Existing tests');
});
