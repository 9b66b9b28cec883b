/** A team that was broken off goes on as if it had not been: same trees, and nothing paid twice. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { stopped } from '../kernel/scripted-models.ts';
import { House, playing } from './harness.ts';

it.each([1, 3, 5, 7])('goes on after it was broken off in call %i of seven', async (last) => {
  const house = new House();
  const broken = await house.hold({
    models: playing({}, (asked) => {
      if (asked < last) return undefined;
      house.stop();
      return stopped('half of it');
    }),
  });
  expect(broken.ending.status).toBe('stopped');
  const held = await house.resume(broken.run);
  expect(held.ending).toEqual({ status: 'done' });
  // Two verifiers are asked at once: one may have been stopped with the other.
  expect([8 - last, 9 - last]).toContain(held.asked.length);
  const branch = held.view.delivered?.branch ?? '';
  expect(house.person.git('show', `${branch}:src/tell.js`)).toContain("['zero', 'one', 'two']");
  const checks = held.view.checks.map(({ kind, on }) => `${kind} ${on}`);
  expect(checks.filter((one) => one.startsWith('base'))).toHaveLength(2);
  expect(checks.filter((one) => one.startsWith('commit'))).toHaveLength(1);
});

const PROGRAM = fileURLToPath(new URL('killed.ts', import.meta.url));

it.each([
  ['call', 4],
  ['check', 3],
  ['commit', 1],
  ['deliver', 1],
])('goes on after kill -9 in a %s', async (method, times) => {
  const house = new House();
  const { root, folder, env } = house.person;
  const args = [PROGRAM, root, folder, house.database, method, String(times)];
  const killed = spawnSync(process.execPath, args, {
    env: { PATH: env.PATH, HOME: env.HOME, XDG_STATE_HOME: env.XDG_STATE_HOME },
    encoding: 'utf8',
  });
  expect(killed.signal, killed.stderr).toBe('SIGKILL');
  const store = house.store();
  const [row] = store.list();
  const run = row?.id ?? '';
  const paid = store.facts(run).filter(({ type }) => type === 'call.completed').length;
  store.close();
  const held = await house.resume(run);
  expect(held.ending).toEqual({ status: 'done' });
  expect(paid + held.asked.length).toBe(7);
  const branch = held.view.delivered?.branch ?? '';
  expect(house.person.git('show', `${branch}:src/tell.js`)).toContain("['zero', 'one', 'two']");
  expect(house.person.git('branch', '--format=%(refname:short)').trim().split('\n')).toEqual([
    branch,
    'main',
  ]);
});
