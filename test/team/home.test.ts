/**
 * Tests how the work comes home, through the whole protocol: as a branch, a fast-forward or a pull request,
 * and what may prevent it.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Workshop } from '../../src/kernel/tools/workshop.ts';
import { withoutUndefined } from '../../src/text/without-undefined.ts';
import { openPersonRepository, type PersonRepository } from '../workshop/place.ts';
import { runUntilCall } from './begun.ts';
import {
  makeScriptedModels,
  TeamRunner,
  type TeamRunOptions,
  type TeamRunResult,
} from './harness.ts';
import {
  makeNotesPlan,
  makeNotesRepository,
  makeNoteTask,
  makeSoundScript,
  notePathOf,
  noteTextOf,
} from './notes.ts';

const TASKS = [makeNoteTask('one')];
const SCRIPT = makeSoundScript(makeNotesPlan('T4-T5', TASKS), TASKS);

/** A run whose work is verified and that is to fast-forward the person's branch. */
const verified = runUntilCall(
  'accept',
  { script: SCRIPT, config: { deliver: 'forward' } },
  makeNotesRepository,
);

async function comeHome(
  runner: TeamRunner,
  around?: TeamRunOptions['wrapWorkshop'],
): Promise<TeamRunResult> {
  return runner.resume(runner.run, {
    script: SCRIPT,
    ...withoutUndefined({ wrapWorkshop: around }),
  });
}

/** Wraps the workshop so that `work` happens in the person's repository just before the last question. */
function workMeanwhile(
  person: PersonRepository,
  work: (person: PersonRepository) => void,
): (workshop: Workshop) => Workshop {
  return (workshop) => ({
    ...workshop,
    look: (...given) => {
      work(person);
      return workshop.look(...given);
    },
  });
}

function commitHere(person: PersonRepository, path: string, text: string): void {
  person.write(path, text);
  person.git('add', path);
  person.git('commit', '--quiet', '-m', 'Go on');
}

function readDelivery({ view }: TeamRunResult) {
  const { how, branch, why, url } = view.delivered ?? {};
  return { how, branch, why, url };
}

it('the person’s branch is fast-forwarded on request if nothing prevents it', async () => {
  const runner = await verified();
  const base = runner.person.git('rev-parse', 'HEAD');
  const held = await comeHome(runner);
  expect(held.ending).toEqual({ status: 'done' });
  expect(readDelivery(held)).toMatchObject({ how: 'forward', branch: 'main' });
  expect(runner.person.read(notePathOf('one'))).toBe(noteTextOf('one'));
  expect(runner.person.git('status', '--porcelain')).toBe('');
  expect(runner.person.git('rev-parse', 'HEAD~1')).toBe(base);
});

it('commits that the person makes while the team works are merged with the work', async () => {
  const runner = await verified();
  const held = await comeHome(
    runner,
    workMeanwhile(runner.person, (person) => commitHere(person, 'src/theirs.txt', 'Theirs.\n')),
  );
  expect(held.ending).toEqual({ status: 'done' });
  expect(readDelivery(held)).toMatchObject({ how: 'forward', branch: 'main' });
  expect(runner.gates.at(-1)).toContain('Both were brought together and checked again.');
  expect(runner.person.read('src/theirs.txt')).toBe('Theirs.\n');
  expect(runner.person.read(notePathOf('one'))).toBe(noteTextOf('one'));
  const home = held.view.joins.filter(({ of }) => of === 'home');
  expect(home).toMatchObject([{ conflicts: [], commit: held.view.delivered?.commit }]);
});

it.each([
  [
    'the person and the team have changed the same file',
    notePathOf('one'),
    'Theirs.\n',
    `Both changed ${notePathOf('one')}`,
  ],
  [
    'checks fail on the work merged with the person’s commits',
    'src/theirs.txt',
    'BAD\n',
    'Together they are red',
  ],
])('the work stays on its own branch if %s', async (_, path, text, told) => {
  const runner = await verified();
  const held = await comeHome(
    runner,
    workMeanwhile(runner.person, (person) => commitHere(person, path, text)),
  );
  expect(held.ending).toEqual({ status: 'done' });
  expect(runner.gates.at(-1)).toContain(told);
  const { branch = '' } = readDelivery(held);
  expect(readDelivery(held)).toMatchObject({ how: 'branch' });
  expect(runner.person.git('show', `${branch}:${notePathOf('one')}`)).toBe(noteTextOf('one'));
  expect(runner.person.git('show', `main:${path}`)).toBe(text);
});

it('a fast-forward is not offered if the person has uncommitted changes in a file of the work', async () => {
  const runner = await verified();
  const held = await comeHome(
    runner,
    workMeanwhile(runner.person, (person) => person.write(notePathOf('one'), 'Mine.\n')),
  );
  expect(held.ending).toEqual({ status: 'done' });
  expect(runner.gates.at(-1)).toContain(
    `Changed in your checkout and in the work: ${notePathOf('one')}`,
  );
  expect(readDelivery(held)).toMatchObject({ how: 'branch' });
  expect(runner.person.read(notePathOf('one'))).toBe('Mine.\n');
});

it('a run stops if its work cannot be delivered, and delivers the work when resumed', async () => {
  const runner = new TeamRunner(makeNotesRepository());
  const first = await runner.begin({
    script: SCRIPT,
    wrapWorkshop: (workshop) => ({
      ...workshop,
      deliver: (wish, signal) => {
        const name = `deliberate-${runner.run.slice(0, 13)}`;
        runner.person.git('branch', name);
        return workshop.deliver(wish, signal);
      },
    }),
  });
  expect(first.ending.status).toBe('stopped');
  expect(readDelivery(first)).toMatchObject({
    how: 'failed',
    why: expect.stringContaining('exists'),
  });
  runner.person.git('branch', '-D', `deliberate-${runner.run.slice(0, 13)}`);
  const held = await runner.resume(first.run, { models: makeScriptedModels({}) });
  expect(held.ending).toEqual({ status: 'done' });
  expect(held.askedTasks).toEqual([]);
  expect(readDelivery(held)).toMatchObject({ how: 'branch' });
});

it('the person is asked again after a failed fast-forward', async () => {
  const runner = await verified();
  let times = 0;
  const first = await comeHome(runner, (workshop) => ({
    ...workshop,
    deliver: (wish, signal) => {
      times += 1;
      if (times === 1) commitHere(runner.person, 'src/theirs.txt', 'Theirs.\n');
      return workshop.deliver(wish, signal);
    },
  }));
  expect(readDelivery(first)).toMatchObject({
    how: 'failed',
    why: expect.stringContaining('moved'),
  });
  const held = await runner.resume(first.run, { models: makeScriptedModels({}) });
  expect(held.askedTasks).toEqual([]);
  expect(runner.gates.at(-1)).toContain('Both were brought together and checked again.');
  expect(held.ending).toEqual({ status: 'done' });
  expect(readDelivery(held)).toMatchObject({ how: 'forward', branch: 'main' });
  expect(runner.person.read('src/theirs.txt')).toBe('Theirs.\n');
  expect(runner.person.read(notePathOf('one'))).toBe(noteTextOf('one'));
});

it('the branch is pushed from the run’s own copy of the repository, gh opens a pull request for it, and the person’s repository stays unchanged', async () => {
  const made = makeNotesRepository();
  const bin = join(made.root, 'bin');
  const log = join(made.root, 'gh.log');
  mkdirSync(bin);
  const gh = `#!/bin/sh\necho "$@" >> '${log}'\n[ "$2" = list ] && exit 0\ncat >> '${log}'\necho https://example.com/pull/7\n`;
  writeFileSync(join(bin, 'gh'), gh, { mode: 0o755 });
  const remote = join(made.root, 'remote.git');
  execFileSync('git', ['init', '-q', '--bare', remote]);
  const person = openPersonRepository(made.root, made.folder, {
    ...made.env,
    PATH: `${bin}:${made.env.PATH}`,
  });
  person.git('remote', 'add', 'origin', remote);
  const before = person.fingerprint();
  const held = await new TeamRunner(person).begin({
    script: SCRIPT,
    config: { deliver: 'request', forge: 'github' },
  });
  expect(held.ending).toEqual({ status: 'done' });
  const { branch = '', url } = readDelivery(held);
  expect(url).toBe('https://example.com/pull/7');
  const pushed = execFileSync('git', ['-C', remote, 'rev-parse', branch], { encoding: 'utf8' });
  expect(pushed.trim()).toBe(held.view.delivered?.commit);
  const asked = readFileSync(log, 'utf8');
  expect(asked).toContain(
    `pr create --head ${branch} --base main --title Let sums be told in words.`,
  );
  expect(asked).toContain('1 of 1 requirement met');
  expect(person.fingerprint()).toBe(before);
});
