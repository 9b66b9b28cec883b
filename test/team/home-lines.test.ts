/** Tests what the person reads before bringing the work home. */
import { expect, it } from 'vitest';
import { fact } from '../../src/protocols/team/facts.ts';
import { foldAllTeamFacts } from '../../src/protocols/team/fold.ts';
import { formatDeliveryQuestion, formatUntested } from '../../src/protocols/team/home-lines.ts';
import { makeValidPlan, makeValidWorkstream } from './rules/values.ts';

const GREEN = 'test/two.test.js, written before the work: red on the base, green now';

it('the question whether to deliver a team’s work shows the proof of a requirement before its long text', () => {
  const text = 'tell(number) says it in words. '.repeat(20);
  const requirements = [
    { id: 'R1', text, proof: 'test' as const, state: 'met' as const, evidence: ['read', GREEN] },
  ];
  const lines = formatDeliveryQuestion({ ...foldAllTeamFacts([]), requirements }, [], 5);
  const row = lines.find((line) => line.includes('R1')) ?? '';
  expect(row).toContain(`R1 met, by ${GREEN}: tell(number) says`);
  expect(row).toMatch(/…$/);
});

it('the question whether to deliver a team’s work names the strongest proof that each requirement is met', () => {
  const requirement = { text: 'It is told.', proof: 'test' as const, state: 'met' as const };
  const locked = 'test/three.test.js, of t5-1: red on what was joined in round 1, green now';
  const requirements = [
    { ...requirement, id: 'R1', evidence: ['t5-1: yes', GREEN, locked] },
    { ...requirement, id: 'R2', evidence: ['t5-1: yes', 'a person takes it as met'] },
  ];
  const formatQuestion = (edition: number) =>
    formatDeliveryQuestion({ ...foldAllTeamFacts([]), requirements }, [], edition).join('\n');
  expect(formatQuestion(5)).toContain(`R1 met, by ${locked}, and 1 more: It is told.`);
  expect(formatQuestion(5)).toContain('R2 met, by a person takes it as met: It is told.');
  // If a run began with edition 4 of the rules, its question whether to deliver keeps the wording of that
  // edition.
  expect(formatQuestion(4)).toContain(`R1 met, by ${GREEN}: It is told.`);
  expect(formatQuestion(4)).toContain('R2 met, by t5-1: yes: It is told.');
});

it('the question whether to deliver a team’s work names verifiers without a verdict and tests that did not run', () => {
  const place = { workstream: 'words', round: 1, commit: 'c' };
  const given = { ...place, items: [], defects: [], cause: 'none' as const };
  const probe = {
    requirement: 'R1',
    path: 'test/odd.test.js',
    text: '',
    shows: 'an odd one',
    state: 'not-run' as const,
    why: 'it could not be loaded',
  };
  const ran = {
    check: 'unit',
    argv: [],
    kind: 'joined' as const,
    on: 'c',
    exit: 0,
    flaky: true as const,
    ms: 1,
    sandbox: 'none' as const,
    output: '',
    bytes: 0,
  };
  const view = {
    ...foldAllTeamFacts([]),
    verdicts: [
      fact('verdict.given', { ...given, seat: 't5-1', verdict: 'pass', probe }),
      fact('verdict.given', { ...given, seat: 't5-2', why: 'the server was gone' }),
    ],
    joins: [
      fact('team.joined', { of: 'all', round: 1, commits: ['b'], commit: 'c', conflicts: [] }),
    ],
    checks: [fact('check.ran', ran), fact('check.ran', { ...ran, on: 'b', check: 'lint' })],
  };
  const told = formatDeliveryQuestion(view, [], 5).join('\n');
  expect(told).toContain(
    'No evidence: test/odd.test.js of t5-1 in round 1 for R1: it could not be loaded. an odd one',
  );
  expect(told).toContain('t5-2 gave no verdict on words in round 1: the server was gone');
  expect(told).toContain('unit, on the work as it comes home');
  expect(told).not.toContain('lint');
});

it('the question whether to deliver a team’s work names tests that never ran, and tests that pass without the work', () => {
  const planned = {
    ...foldAllTeamFacts([]),
    plan: makeValidPlan({ workstreams: [makeValidWorkstream('words')] }),
  };
  expect(formatUntested(planned).join()).toContain('(R1): the run has not come to that.');
  const formatWithState = (state: 'not-run' | 'vacuous') =>
    formatUntested({
      ...planned,
      tests: [
        {
          v: 1,
          type: 'tests.written',
          workstream: 'words',
          files: [],
          untestable: [],
          tests: [{ requirement: 'R1', path: 'test/r1', shows: '', state }],
        },
      ],
    });
  expect(formatWithState('not-run').join()).toContain('(R1): no check ran test/r1.');
  expect(formatWithState('vacuous').join()).toContain(
    '(R1): those that were do not fail without the work.',
  );
});
