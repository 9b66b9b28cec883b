/**
 * Tests that an interrupted team ends as if it had not been interrupted: with the same trees, and nothing
 * paid twice.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { AnyFact } from '../../src/kernel/vocabulary.ts';
import { TEAM } from '../../src/protocols/team/facts.ts';
import type { Task } from '../../src/protocols/team/forms/plan.ts';
import { makeStopped } from '../kernel/scripted-models.ts';
import type { PersonRepository } from '../workshop/place.ts';
import { runUntilCall } from './begun.ts';
import { isRunning, makeScriptedModels, type Script, TeamRunner } from './harness.ts';
import {
  makeNotesPlan,
  makeNotesRepository,
  makeNoteTask,
  makeSoundScript,
  notePathOf,
  noteTextOf,
} from './notes.ts';
import { LEVEL_MODELS, makeWiredTeam, startScriptedServer } from './wired.ts';

it('a run continues after interruptions in four of its seven calls', async () => {
  const runner = new TeamRunner();
  /** Returns models that answer calls 1 to `last - 1`, and interrupt the run in call number `last`. */
  const inCall = (last: number) =>
    makeScriptedModels({}, (asked) => {
      if (asked < last) return undefined;
      runner.stop();
      return makeStopped('half of it');
    });
  const broken = await runner.begin({ models: inCall(1) });
  expect(broken.ending.status).toBe('stopped');
  for (const left of [7, 5, 3]) {
    const again = await runner.resume(broken.run, { models: inCall(3) });
    expect([left, again.ending.status]).toEqual([left, 'stopped']);
    expect(again.askedTasks.slice(0, 2)).toEqual(CALLS.slice(-left).slice(0, 2));
  }
  const held = await runner.resume(broken.run);
  expect(held.ending).toEqual({ status: 'done' });
  expect(held.askedTasks).toEqual(['accept']);
  const branch = held.view.delivered?.branch ?? '';
  expect(runner.person.git('show', `${branch}:src/tell.js`)).toContain("['zero', 'one', 'two']");
  const checks = held.view.checks.map(({ kind, on }) => `${kind} ${on}`);
  expect(checks.filter((check) => check.startsWith('base'))).toHaveLength(2);
  expect(checks.filter((check) => check.startsWith('commit'))).toHaveLength(1);
  // An interruption by a person uses up no attempt and causes no retry.
  expect(held.view.tasks).toMatchObject([
    { state: 'done', attempts: [{ attempt: 1 }], retried: [] },
  ]);
});

const CALLS = ['plan', 'critique', 'work', 'work', 'verify', 'verify', 'accept'];

const PROGRAM = fileURLToPath(new URL('killed.ts', import.meta.url));

const ONE = [makeNoteTask('one')];
const TWO = [makeNoteTask('one'), makeNoteTask('two', { covers: ['R2'] })];
const LEVELS = { levels: LEVEL_MODELS };
const SHORT = makeSoundScript(makeNotesPlan('T4-T5', ONE), ONE);
const SCRIPT = makeSoundScript(makeNotesPlan('T3-T5', TWO), TWO);

/** Returns a runner without a run, for kills before anything is merged. */
const makeRunner = async (): Promise<TeamRunner> => new TeamRunner(makeNotesRepository());
const atWork = runUntilCall('work', { script: SCRIPT, config: LEVELS }, makeNotesRepository);
const atVerification = runUntilCall(
  'verify',
  { script: SHORT, config: LEVELS },
  makeNotesRepository,
);

/** Creates a repository whose check starts a long-lived process of its own. */
function withGrandchild(): PersonRepository {
  const person = makeNotesRepository();
  const pids = join(person.root, 'pids');
  const child = `sh -c 'echo $$ >> "${pids}"; sleep 300; sleep 0' &\nwait\n`;
  // Only the first run of the check, which is killed, starts the process. A later run finds the number of
  // the process in `pids` and ends at once.
  person.write('check.sh', `[ -s "${pids}" ] && exit 0\n${child}exit 0\n`);
  person.git('commit', '--quiet', '-a', '-m', 'Check with a child');
  return person;
}

async function killRun(
  runner: TeamRunner,
  script: Script,
  method: string,
  times: number,
): Promise<void> {
  const { root, folder, env } = runner.person;
  const server = await startScriptedServer(script);
  const args = [PROGRAM, root, folder, runner.database, method, String(times)];
  if (runner.run !== '') args.push(runner.run);
  const child = spawn(process.execPath, args, {
    env: {
      PATH: env.PATH,
      HOME: env.HOME,
      XDG_STATE_HOME: env.XDG_STATE_HOME,
      SERVER: server.url,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
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
}

it.each<[string, number, readonly Task[], () => Promise<TeamRunner>]>([
  ['call', 3, ONE, makeRunner],
  ['prepare', 1, ONE, makeRunner],
  ['check', 1, ONE, async () => new TeamRunner(withGrandchild())],
  ['commit', 2, TWO, atWork],
  ['merge', 1, TWO, atWork],
  ['join', 1, TWO, atWork],
  ['deliver', 1, ONE, atVerification],
])(
  'a run that is killed with -9 in the step %s continues and repeats no paid call',
  async (method, times, tasks, make) => {
    const runner = await make();
    const script = tasks === ONE ? SHORT : SCRIPT;
    const before = runner.person.fingerprint();
    await killRun(runner, script, method, times);
    // Only the last step, `deliver`, writes into the person's repository, so a kill before it leaves the
    // repository as it was.
    if (method !== 'deliver') expect(runner.person.fingerprint()).toBe(before);
    const store = runner.openStoreForTest();
    const [row] = store.list();
    const run = row?.id ?? '';
    const recorded = store.facts(run);
    store.close();
    const { models, server } = await makeWiredTeam(script);
    const held = await runner.resume(run, { models, config: LEVELS });
    expect(held.ending).toEqual({ status: 'done' });
    const calls = held.facts.flatMap((fact) => (fact.type === 'call.completed' ? [fact.step] : []));
    expect(new Set(calls).size).toBe(calls.length);
    const paid = recorded.filter(({ type }) => type === 'call.completed').length;
    expect(paid + server.chats().length).toBe(calls.length);
    const { branch = '', commit = '' } = held.view.delivered ?? {};
    expect(runner.person.git('rev-parse', branch).trim()).toBe(commit);
    for (const { id } of tasks)
      expect(runner.person.git('show', `${branch}:${notePathOf(id)}`)).toBe(noteTextOf(id));
    // The resumed run keeps every commit that was recorded before the kill.
    const readCommits = (facts: readonly AnyFact[]) =>
      new Set(facts.flatMap((fact) => commitIn(fact)));
    for (const commit of readCommits(recorded)) expect(readCommits(held.facts)).toContain(commit);
    expect(held.view.tasks.map(({ attempts }) => attempts.length)).toEqual(tasks.map(() => 1));
    expect(runner.person.git('branch', '--format=%(refname:short)').trim().split('\n')).toEqual([
      branch,
      'main',
    ]);
    if (method !== 'check') return;
    const pids = readFileSync(join(runner.person.root, 'pids'), 'utf8').trim().split('\n');
    for (const pid of pids) await expect.poll(() => isRunning(Number(pid))).toBe(false);
  },
);

function commitIn(anyFact: AnyFact): string[] {
  const fact = TEAM.own(anyFact);
  return fact?.type === 'commit.made' && fact.commit !== undefined ? [fact.commit] : [];
}
