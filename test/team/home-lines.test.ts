/** What a person reads before they bring the work home. */
import { expect, it } from 'vitest';
import { teamOf } from '../../src/protocols/team/fold.ts';
import { homeLines, untestedLines } from '../../src/protocols/team/home-lines.ts';
import { plan, workstream } from './rules/values.ts';

const GREEN = 'test/two.test.js, written before the work: red on the base, green now';

it('tells what proves a requirement however long its words are', () => {
  const text = 'tell(number) says it in words. '.repeat(20);
  const requirements = [
    { id: 'R1', text, proof: 'test' as const, state: 'met' as const, evidence: ['read', GREEN] },
  ];
  const lines = homeLines({ ...teamOf([]), requirements }, [], 5);
  const row = lines.find((one) => one.includes('R1')) ?? '';
  expect(row).toContain(`R1 met, by ${GREEN}: tell(number) says`);
  expect(row).toMatch(/…$/);
});

it('tells tests that no check ran from those that pass without the work', () => {
  const told = (state: 'not-run' | 'vacuous') =>
    untestedLines({
      ...teamOf([]),
      plan: plan({ workstreams: [workstream('words')] }),
      tests: [
        {
          ...{ v: 1, type: 'tests.written', workstream: 'words', files: [], untestable: [] },
          tests: [{ requirement: 'R1', path: 'test/r1', shows: '', state }],
        },
      ],
    });
  expect(told('not-run').join()).toContain('(R1): no check ran test/r1.');
  expect(told('vacuous').join()).toContain('(R1): those that were do not fail without the work.');
});
