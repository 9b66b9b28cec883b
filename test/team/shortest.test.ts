/** Tests the shortest path: one task of two files, its work and its verification. */
import { expect, it } from 'vitest';
import { TeamRunner } from './harness.ts';

it('a team with one task (path T4-T5) delivers a branch after seven calls', async () => {
  const house = new TeamRunner();
  const held = await house.hold();
  expect(held.ending).toEqual({ status: 'done' });
  expect(held.asked).toEqual(['plan', 'critique', 'work', 'work', 'verify', 'verify', 'accept']);
  expect(held.view.requirements).toMatchObject([{ id: 'R1', state: 'met' }]);
  const branch = held.view.delivered?.branch ?? '';
  expect(house.person.git('show', `${branch}:src/tell.js`)).toContain('two');
  expect(house.person.git('status', '--porcelain')).toBe('');
  expect(house.person.git('rev-parse', 'main')).not.toBe(house.person.git('rev-parse', branch));
});
