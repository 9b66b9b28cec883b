/** A team that was broken off goes on as if it had not been: same trees, and nothing paid twice. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { AnyFact } from '../../src/kernel/vocabulary.ts';
import { TEAM } from '../../src/protocols/team/facts.ts';
import { stopped } from '../kernel/scripted-models.ts';
import type { Person } from '../workshop/place.ts';
import { House, lives, playing } from './harness.ts';
import { fileOf, note, notes, notesPlan, soundly, textOf } from './notes.ts';
import { serve, WIRED, wired } from './wired.ts';

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

const TASKS = [
  note('one'),
  note('two', { covers: ['R2'] }),
  note('both', { depends_on: ['one', 'two'] }),
];
const SCRIPT = soundly(notesPlan('T3-T5', TASKS), TASKS);

/** A check with a process of its own below it, which lives as long as it is let. */
function withGrandchild(): Person {
  const one = notes();
  const pids = join(one.root, 'pids');
  one.write('check.sh', `sh -c 'echo $$ >> "${pids}"; sleep 0.5; sleep 0' &\nwait\nexit 0\n`);
  one.git('commit', '--quiet', '-a', '-m', 'Check with a child');
  return one;
}

async function kill(house: House, method: string, times: number): Promise<readonly string[]> {
  const { root, folder, env } = house.person;
  const server = await serve(SCRIPT);
  const args = [PROGRAM, root, folder, house.database, method, String(times)];
  const child = spawn(process.execPath, args, {
    env: {
      ...{ PATH: env.PATH, HOME: env.HOME, XDG_STATE_HOME: env.XDG_STATE_HOME },
      SERVER: server.url,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const [, signal] = (await once(child, 'close')) as [number, string];
  expect(signal, said).toBe('SIGKILL');
  await server.close();
  return server.chats().map((one) => one.path);
}

it.each([
  ['call', 3],
  ['prepare', 1],
  ['check', 1],
  ['commit', 2],
  ['merge', 4],
  ['join', 6],
  ['deliver', 1],
])(
  'goes on after kill -9 in a %s: nothing recorded is paid again, nothing left',
  async (method, times) => {
    const house = new House(method === 'check' ? withGrandchild() : notes());
    const before = house.person.fingerprint();
    await kill(house, method, times);
    // Only the last step of all writes there.
    if (method !== 'deliver') expect(house.person.fingerprint()).toBe(before);
    const store = house.store();
    const [row] = store.list();
    const run = row?.id ?? '';
    const recorded = store.facts(run);
    store.close();
    const { models, server } = await wired(SCRIPT);
    const held = await house.resume(run, { models, config: { levels: WIRED } });
    expect(held.ending).toEqual({ status: 'done' });
    const calls = held.facts.flatMap((one) => (one.type === 'call.completed' ? [one.step] : []));
    expect(new Set(calls).size).toBe(calls.length);
    const paid = recorded.filter(({ type }) => type === 'call.completed').length;
    expect(paid + server.chats().length).toBe(calls.length);
    const { branch = '', commit = '' } = held.view.delivered ?? {};
    expect(house.person.git('rev-parse', branch).trim()).toBe(commit);
    for (const { id } of TASKS)
      expect(house.person.git('show', `${branch}:${fileOf(id)}`)).toBe(textOf(id));
    // The same commits: those that were recorded before are those that are there now.
    const made = (facts: readonly AnyFact[]) => new Set(facts.flatMap((one) => commitIn(one)));
    for (const one of made(recorded)) expect(made(held.facts)).toContain(one);
    expect(held.view.tasks.map(({ attempts }) => attempts.length)).toEqual([1, 1, 1]);
    expect(house.person.git('branch', '--format=%(refname:short)').trim().split('\n')).toEqual([
      branch,
      'main',
    ]);
    if (method !== 'check') return;
    const pids = readFileSync(join(house.person.root, 'pids'), 'utf8').trim().split('\n');
    for (const pid of pids) await expect.poll(() => lives(Number(pid))).toBe(false);
  },
);

function commitIn(one: AnyFact): string[] {
  const fact = TEAM.own(one);
  return fact?.type === 'commit.made' && fact.commit !== undefined ? [fact.commit] : [];
}
