/** Tests the shortest path: one task of two files, its work and its verification. */
import { expect, it } from 'vitest';
import { TeamRunner } from './harness.ts';

it('a team with one task (path T4-T5) delivers a branch after seven calls', async () => {
  const runner = new TeamRunner();
  const held = await runner.begin();
  expect(held.ending).toEqual({ status: 'done' });
  expect(held.askedTasks).toEqual([
    'plan',
    'critique',
    'work',
    'work',
    'verify',
    'verify',
    'accept',
  ]);
  expect(held.view.requirements).toMatchObject([{ id: 'R1', state: 'met' }]);
  const branch = held.view.delivered?.branch ?? '';
  expect(runner.person.git('show', `${branch}:src/tell.js`)).toContain('two');
  expect(runner.person.git('status', '--porcelain')).toBe('');
  expect(runner.person.git('rev-parse', 'main')).not.toBe(runner.person.git('rev-parse', branch));
});
