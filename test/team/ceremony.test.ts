/**
 * Tests that no more is done than needed: one architect for one domain, and no verification of what cannot
 * have changed.
 */
import { expect, it } from 'vitest';
import type { ModelRequest } from '../../src/kernel/model.ts';
import {
  isFirstTurn,
  makeCorrection,
  makeOneTaskPlan,
  makePassedVerdict,
  makeTask,
  makeWriter,
  TeamRunner,
} from './harness.ts';

const PLAN = makeOneTaskPlan({
  requirements: [
    { id: 'R1', text: 'one is told as “one”.', proof: 'read' },
    { id: 'R2', text: 'two is told as “two”.', proof: 'read' },
  ],
  tiers: [
    { tier: 'T2', why: 'names' },
    { tier: 'T3', why: 'two files' },
  ],
  workstreams: [
    {
      id: 'words',
      goal: 'Words',
      path: 'T2-T5',
      depends_on: [],
      covers: ['R1', 'R2'],
      retry_multiplier: 1,
      task: null,
    },
  ],
});
const ARCHITECTURE = {
  summary: 'Two files.',
  interfaces: [],
  decisions: [{ id: 'D1', text: 'A file each.', covers: ['R1', 'R2'], from: [] }],
  settled: [],
  open: [],
};
const makeSource = (name: string, word: string): string => `export const ${name} = '${word}';\n`;
const PROBE = {
  requirement: 'R1',
  path: 'test/one.test.js',
  shows: 'one is “one”',
  text: "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { one } from '../src/one.js';\n\ntest('one', () => assert.equal(one, 'one'));\n",
};

function makeVerdict({ about }: ModelRequest, more: object = {}): object {
  return makePassedVerdict({
    items: (about?.items ?? []).map((requirement) => ({
      requirement,
      met: 'yes',
      why: 'it is told',
      ...(requirement === 'R1'
        ? { path: 'src/one.js', quote: 'export const one' }
        : { path: 'src/two.js', quote: 'export const two' }),
    })),
    drops: [],
    ...more,
  });
}

it('a team with one domain asks its architect only once, and verifies only the reworked requirement again', async () => {
  let tries = 0;
  const held = await new TeamRunner().begin({
    config: { version: 3 },
    script: {
      plan: () => PLAN,
      critique: () => ({ found: [], plan: null }),
      architecture: () => ARCHITECTURE,
      graph: () => ({
        tasks: [
          makeTask('one', ['src/one.js'], { covers: ['R1'] }),
          makeTask('two', ['src/two.js'], { covers: ['R2'] }),
        ],
        not_mine: [],
      }),
      work: (asked) => {
        if (asked.about?.items?.[0] === 'two')
          return makeWriter({ 'src/two.js': makeSource('two', 'two') })(asked);
        if (isFirstTurn(asked)) tries += 1;
        return makeWriter({ 'src/one.js': makeSource('one', tries === 1 ? 'won' : 'one') })(asked);
      },
      verify: (asked) =>
        makeVerdict(asked, asked.seat.id === 't5-1' && tries === 1 ? { probe: PROBE } : {}),
      'look-again': makeVerdict,
      correct: (asked) => makeCorrection(asked, { test_changes: [] }),
    },
  });
  expect(held.ending).toEqual({ status: 'done' });
  expect(
    held.askedTasks.filter((name) => /boundaries|propose|contradictions|fit/.test(name)),
  ).toEqual([]);
  expect(held.askedTasks.filter((name) => name === 'architecture')).toHaveLength(1);
  const looks = held.models.requests.filter(({ task: name }) => name === 'team/verify');
  expect(looks.map(({ about }) => about?.items)).toEqual([
    ['R1', 'R2'],
    ['R1', 'R2'],
    ['R1'],
    ['R1'],
  ]);
  expect(held.view.requirements.map(({ id, state }) => `${id} ${state}`)).toEqual([
    'R1 met',
    'R2 met',
  ]);
});
