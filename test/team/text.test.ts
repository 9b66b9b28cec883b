/**
 * Tests a team without a console: progress in pipes, the report, comparing two runs, and answers as pages.
 */
import { expect, it } from 'vitest';
import { viewOf } from '../../src/kernel/view.ts';
import { PlainLines } from '../../src/plain/lines.ts';
import { formatReport } from '../../src/plain/report.ts';
import { type FactBody, fact } from '../../src/protocols/team/facts.ts';
import { text } from '../../src/protocols/team/view/plain.ts';
import { report } from '../../src/protocols/team/view/report.ts';
import { factsOf, STAGES } from './facts-of-a-run.ts';
import { PLAN } from './plan-of-a-run.ts';

function printFacts(bodies: readonly FactBody[]): { out: string; err: string } {
  const said = { out: '', err: '' };
  const lines = new PlainLines(
    { write: (words) => (said.out += words) },
    { write: (words) => (said.err += words) },
    text,
  );
  for (const fact of factsOf(bodies)) lines.fact(fact);
  return said;
}

it('a team’s run as plain text has lines for the plan, attempts, verdicts and delivery', () => {
  const { out, err } = printFacts(STAGES.done);
  for (const line of [
    'Surveyed: 214 files at 4f1c2d9a on main; 1 check suggested; sandbox: bwrap',
    'Plan refused by code: Nothing covers R4.',
    'Planned: 4 requirements; records (T2-T5), output (T3-T5), readme (T4-T5)',
    'Approved by you',
    'utc-dates waits for json-flag: src/list.ts',
    'Tests first for output: R1 red, R2 red, R3 vacuous',
    'json-flag: nothing was committed: package.json (guarded)',
    "json-flag, attempt 1: red: 2 tests fewer passed than on the base; the base's tests are red",
    'json-flag is retried (attempt 2) by T3: Two tests of the columns are gone.',
    'Escalated, json-flag: T3 to T2 (brief): The architecture keeps dates in the store.',
    'Verifier 2 on output, round 1: fail (R1 yes, R2 no)',
    'Joint verdict on output, round 1: fail (R1 met, R2 unmet, R3 met)',
    'Acceptance refused by code: R4 is unproved, and it says that it is met.',
    'Brought home: branch deliberate-0195c3e0-7d1a',
  ])
    expect(err.split('\n')).toContain(line);
  expect(out).toContain('4 of 4 requirements met. Branch deliberate-0195c3e0-7d1a.');
});

it('a team’s report says right below its title how many requirements are met', async () => {
  const page = formatReport(factsOf(STAGES.done), report);
  expect(page.split('\n')[2]).toBe('**4 of 4 requirements met. Branch deliberate-0195c3e0-7d1a.**');
  expect(page).toContain('| T4, work | 14 |');
  await expect(page).toMatchFileSnapshot('report.md');
});

it('the report of a stopped team run names the requirements that are not met', () => {
  const page = formatReport(
    factsOf([...STAGES.refused, fact('run.ended', { status: 'stopped' })]),
    report,
  );
  expect(page.split('\n')[2]).toBe('**3 of 4 requirements met. Its acceptance was refused.**');
  expect(page).toContain('- R4 is unproved: The README names the flag.');
  expect(page).toContain('- Nothing was brought home.');
});

it('the report shows the planner’s answer if no team is needed', () => {
  const planned = fact('team.planned', {
    plan: { ...PLAN, no_team: 'Rename it in one place.', workstreams: [], requirements: [] },
    by: 't1',
    found: [],
    refused: [],
  });
  const page = formatReport(factsOf([...STAGES.started, planned]), report);
  expect(page).toContain('**T1 says that no team is needed: Rename it in one place.**');
});

it('the diff of two team runs shows the differences in their outcomes and in the states of their requirements', () => {
  const [facts, other] = [factsOf(STAGES.refused), factsOf(STAGES.done)];
  const before = { facts, view: viewOf(facts) };
  const after = { facts: other, view: viewOf(other) };
  expect(text.diff(before, before).text).toBe('Identical.\n');
  const said = text.diff(before, after).text;
  expect(said).toContain('Outcome: its acceptance was refused → branch deliberate-0195c3e0-7d1a');
  expect(said).toContain('~ R4  state: unproved → met');
});

it('answers of a team’s models are formatted as Markdown, and a malformed answer of any kind gives a text, not an error', () => {
  expect(
    text.answer('team/work', { status: 'blocked', did: [], left: ['the dates'], needs: [] }),
  ).toBe('**It says that it is blocked.**\n\n## Left\n\n- the dates');
  expect(text.answer('team/critique', { found: [{ what: 'Too deep.' }], plan: PLAN })).toContain(
    '- **R1** list --json prints one JSON array, a record a row. (test)',
  );
  expect(
    text.answer('team/verify', {
      verdict: 'fail',
      items: [{ requirement: 'R2', met: 'no', path: 'a.js', quote: 'x', why: 'Local time.' }],
      probe: null,
    }),
  ).toBe('**Says: fail**\n\n## Requirements\n\n- **R2** is not met: Local time. (a.js: “x”)');
  const tasks = ['plan', 'critique', 'boundaries', 'propose', 'contradictions', 'answer'].concat([
    'architecture',
    'fit',
    'graph',
    'tests',
    'work',
    'correct',
    'verify',
    'look-again',
    'accept',
  ]);
  const odd = [
    {},
    null,
    [],
    3,
    { tasks: [null, 'x', {}], plan: 3, items: {}, probe: [], found: 1 },
  ];
  for (const task of tasks)
    for (const value of odd) expect(typeof text.answer(`team/${task}`, value)).toBe('string');
});
