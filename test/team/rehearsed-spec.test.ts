/** The stand-in in a team that carries out the spec of a plan. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readFlags } from '../../src/app/flags.ts';
import type { Invocation } from '../../src/app/invocation.ts';
import { PROTOCOLS } from '../../src/protocols/registry/registry.ts';
import type { Scene } from '../../src/protocols/rehearsal/scene.ts';
import { plan, verify } from '../../src/protocols/rehearsal/team.ts';
import { findRepositoryGoal } from '../../src/protocols/team/desk/place.ts';
import type { TeamPlan } from '../../src/protocols/team/forms/plan.ts';
import {
  goalOf,
  problemsWithSpec,
  specFileSchema,
  specOf,
} from '../../src/protocols/team/rules/spec.ts';
import { temporaryFolder } from '../store/folder.ts';

const FILE = specFileSchema.parse({
  run: 'r',
  title: 'Growing heaps',
  goal: 'Heaps grow.',
  decisions: [
    { text: 'A heap has at most 20 pebbles.', from: ['game-1'] },
    { text: 'Moves are sent once.', from: ['wire-1'] },
  ],
  statements: [{ id: 'game-1', text: 'There is room for 20.', because: 'It was counted.' }],
});
const SPEC = specOf(FILE);
const makeScene = (items: readonly string[]): Scene =>
  ({ about: { question: goalOf(FILE, SPEC) }, items }) as unknown as Scene;

it('the stand-in plans the requirements of a spec word for word, and calls none of them met', () => {
  const planned = plan(makeScene([])) as TeamPlan;
  expect(problemsWithSpec(planned, SPEC)).toEqual([]);
  expect(verify(makeScene(['R1', 'R2']))).toMatchObject({
    verdict: 'fail',
    items: [
      { requirement: 'R1', met: 'no', path: '' },
      { requirement: 'R2', met: 'no', path: '' },
    ],
  });
});

it('--spec with the page of a spec reads the JSON file beside the page', async () => {
  const home = temporaryFolder();
  const folder = join(home, 'roadmap');
  mkdirSync(folder);
  writeFileSync(join(folder, 'heaps.spec.md'), '# Growing heaps\n');
  writeFileSync(join(folder, 'heaps.spec.json'), JSON.stringify({ ...FILE, decisions: [] }));
  const env = { PATH: process.env.PATH, HOME: home };
  const spec = join(folder, 'heaps.spec.md');
  const call = {
    command: 'team',
    words: [],
    protocols: PROTOCOLS,
    flags: readFlags({ spec }),
    env,
  };
  await expect(findRepositoryGoal(call as unknown as Invocation)).rejects.toThrow(
    'it decides nothing',
  );
});
