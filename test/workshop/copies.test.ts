/**
 * Tests a run's own copy: it can be made of every kind of repository, survives every kind of death, and is
 * removed without a trace.
 */
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findOnPath } from '../../src/io/tools.ts';
import { removeFolder } from '../../src/sandbox/remove-folder.ts';
import { removeRunFolder, workshopFolder } from '../../src/workshop/clean.ts';
import { LONG } from '../long.ts';
import {
  beginWorkshop,
  commitOf,
  hashOf,
  makeShop,
  NO_PROVISION,
  openPersonRepository,
  type PersonRepository,
  RUN_ID,
  signal,
  workshopOf,
} from './place.ts';

const OTHER_RUN = '019c1c38-ffff-7abc-8def-0123456789ab';

/** Does a team's work on a repository: a change, a commit, a join, the delivery. */
async function doTeamWork(person: PersonRepository): Promise<string> {
  const before = person.fingerprint();
  const workshop = workshopOf(person);
  const { base } = await workshop.survey(signal);
  await workshop.prepare(base, NO_PROVISION, signal);
  const a = await commitOf(workshop, base, { 'src/list.ts': 'a\n' });
  const b = await commitOf(workshop, base, { 'with space/ünï cödé.txt': 'b\n' });
  const joined = await workshop.join([a, b], 'Join', signal);
  if (!joined.done) throw new Error(JSON.stringify(joined));
  expect(person.fingerprint()).toBe(before);
  const { commit } = joined;
  const home = await workshop.deliver({ how: 'branch', base, commit, title: '', body: '' }, signal);
  expect(home).toMatchObject({ done: true });
  const { branch } = home as { branch: string };
  expect(person.git('show', `${branch}:src/list.ts`)).toBe('a\n');
  expect(person.git('show', `${branch}:line\nend.txt`)).toBe('a name of two lines\n');
  person.git('fsck', '--connectivity-only');
  return commit;
}

describe("a run's copy of a repository", () => {
  it('can be made of a repository with a line break in its name', async () => {
    const person = makeShop({ init: ['--object-format=sha256'], name: 'my "shop"\n#1 ' });
    expect(await doTeamWork(person)).toMatch(/^[0-9a-f]{64}$/);
  });

  it('can be made of a linked worktree with a detached HEAD', async () => {
    const person = makeShop();
    person.git('worktree', 'add', '--quiet', '--detach', '../other');
    const other = openPersonRepository(person.root, join(person.root, 'other'), person.env);
    other.write('only-here.txt', 'x\n');
    other.git('add', '.');
    other.git('commit', '--quiet', '-m', 'Only here');
    await doTeamWork(other);
  });

  it('can be made of a shallow clone', async () => {
    const person = makeShop();
    person.git('commit', '--quiet', '--allow-empty', '-m', 'Second');
    person.git('clone', '--quiet', '--depth=1', `file://${person.folder}`, '../shallow');
    const shallow = openPersonRepository(person.root, join(person.root, 'shallow'), person.env);
    expect(shallow.git('rev-list', '--count', 'HEAD').trim()).toBe('1');
    shallow.git('checkout', '--quiet', '--detach');
    shallow.git('commit', '--quiet', '--allow-empty', '-m', 'Mine');
    await doTeamWork(shallow);
  });

  it('gets new commits of a shallow clone without its older history', async () => {
    const person = makeShop();
    person.git('clone', '--quiet', '--depth=1', `file://${person.folder}`, '../shallow');
    const shallow = openPersonRepository(person.root, join(person.root, 'shallow'), person.env);
    const { workshop, base } = await beginWorkshop(shallow);
    const commit = await commitOf(workshop, base, { 'a.ts': 'a\n' });
    for (const name of ['Second', 'Third'])
      person.git('commit', '--quiet', '--allow-empty', '-m', name);
    shallow.git('fetch', '--quiet', '--depth=1');
    shallow.git('reset', '--quiet', '--hard', 'origin/main');
    const { head, moved } = await workshop.look(base, commit, signal);
    expect(moved).toBe(true);
    expect(await workshop.text(head, 'README.md', signal)).toBe('# Shop\n');
    await expect(workshop.join([head, commit], 'Join', signal)).rejects.toMatchObject({
      code: 'no-common-history',
      next: 'If the clone is shallow: git fetch --unshallow',
    });
  });

  it('can be made of a clone that shares the objects of another repository', async () => {
    const person = makeShop();
    person.git('clone', '--quiet', '--shared', person.folder, '../borrower');
    const borrower = openPersonRepository(person.root, join(person.root, 'borrower'), person.env);
    borrower.git('sparse-checkout', 'set', 'test');
    await doTeamWork(borrower);
  });

  it('can be made of another owner’s repository if the person’s git trusts it', async (context) => {
    if (process.getuid?.() !== 0) context.skip('only root can give a folder away');
    const person = makeShop();
    execFileSync('chown', ['-R', '12345', person.folder]);
    await expect(workshopOf(person).survey(signal)).rejects.toMatchObject({ code: 'not-yours' });
    writeFileSync(join(person.root, 'home', '.gitconfig'), '[safe]\n\tdirectory = *\n');
    await doTeamWork(person);
    chownSync(person.folder, 0, 0);
  });

  it('is refused for a partial clone that lacks files of the starting commit', async () => {
    const person = makeShop();
    person.git('config', 'uploadpack.allowFilter', 'true');
    person.git(
      'clone',
      '--quiet',
      '--filter=blob:none',
      '--no-checkout',
      `file://${person.folder}`,
      '../partial',
    );
    const partial = openPersonRepository(person.root, join(person.root, 'partial'), person.env);
    partial.git('read-tree', 'HEAD');
    const before = hashOf(join(partial.folder, '.git/objects'));
    const base = partial.git('rev-parse', 'HEAD').trim();
    await expect(workshopOf(partial).prepare(base, NO_PROVISION, signal)).rejects.toMatchObject({
      code: 'partial-clone',
      next: 'Fetch them first: git fetch --refetch --no-filter',
    });
    expect(hashOf(join(partial.folder, '.git/objects'))).toBe(before);
  });

  it('is used again when the run is resumed, even after the person’s repository was removed', async () => {
    const person = makeShop();
    const { workshop, base } = await beginWorkshop(person);
    const tree = await workshop.put(await workshop.treeOf(base), 'a.ts', 'a\n', signal);
    expect(await workshopOf(person).text(tree, 'a.ts', signal)).toBe('a\n');
    // The person's repository may no longer exist when a tree is read.
    rmSync(person.folder, { recursive: true });
    expect(await workshopOf(person).text(tree, 'a.ts', signal)).toBe('a\n');
  });

  it('contains the trees that the original run has made, if the run is a fork', async () => {
    const person = makeShop();
    const { workshop, base } = await beginWorkshop(person);
    const tree = await workshop.put(await workshop.treeOf(base), 'a.ts', 'a\n', signal);
    const fork = workshopOf(person, {
      run: OTHER_RUN,
      earlier: workshopFolder(person.env, RUN_ID),
    });
    expect(await fork.text(tree, 'a.ts', signal)).toBe('a\n');
    expect(removeRunFolder(person.env, RUN_ID)).toBe(true);
    expect(await fork.text(tree, 'a.ts', signal)).toBe('a\n');
    const commit = await commitOf(fork, base, { 'b.ts': 'b\n' });
    expect(await fork.treeOf(commit)).toMatch(/^[0-9a-f]{40}$/);
    await expect(workshopOf(person).treeOf(tree)).rejects.toMatchObject({ code: 'no-tree' });
  });

  it('is made without passing keys to git or running hooks', async () => {
    const person = makeShop({
      config: '[init]\n\ttemplateDir = ~/template\n[core]\n\thooksPath = ~/hooks\n',
    });
    for (const folder of ['template/hooks', 'hooks'])
      for (const hook of ['reference-transaction', 'post-checkout', 'post-index-change']) {
        mkdirSync(join(person.root, 'home', folder), { recursive: true });
        writeFileSync(
          join(person.root, 'home', folder, hook),
          `#!/bin/sh\ntouch '${person.root}/ran'\n`,
          {
            mode: 0o755,
          },
        );
      }
    const seen = join(person.root, 'seen');
    await doTeamWork({
      ...person,
      env: { ...person.env, PATH: gitThat(person, `env >> '${seen}'`) },
    });
    expect(readFileSync(seen, 'utf8')).toContain('GIT_CONFIG_GLOBAL=/dev/null');
    expect(readFileSync(seen, 'utf8')).not.toContain('never-to-be-seen');
    expect(existsSync(join(person.root, 'ran'))).toBe(false);
  });
});

/** Returns a PATH with a git that first runs a script of its own. */
function gitThat(person: PersonRepository, script: string, after = ''): string {
  const folder = join(person.root, `bin-${readdirSync(person.root).length}`);
  mkdirSync(folder);
  const real = findOnPath('git', process.env);
  writeFileSync(
    join(folder, 'git'),
    `#!/bin/sh\n${script}\n'${real}' "$@"\nstatus=$?\n${after}\nexit $status\n`,
    { mode: 0o755 },
  );
  return `${folder}:${process.env.PATH}`;
}

const SCRIPT = join(import.meta.dirname, 'work.ts');

/** Runs `work.ts` in another process, and returns its output, or undefined if it failed or was killed. */
function workApart(person: PersonRepository, path?: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [SCRIPT, person.folder], {
      env: {
        ...person.env,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        PATH: path ?? person.env.PATH,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let out = '';
    child.stdout.on('data', (part: Buffer) => {
      out += part.toString();
    });
    child.on('close', (code) => resolve(code === 0 ? out : undefined));
  });
}

describe('kill -9 during work on a repository', () => {
  const timeout = LONG ? 3_600_000 : 120_000;
  it('changes none of the commits that the work makes when it is started again, and leaves no temporary file', {
    timeout,
  }, async () => {
    const counting = makeShop();
    const count = join(counting.root, 'count');
    const whole = await workApart(counting, gitThat(counting, `echo x >> '${count}'`));
    expect(whole).toMatch(/^[0-9a-f]{40} [0-9a-f]{40} [0-9a-f]{40}\n$/);
    const steps = readFileSync(count, 'utf8').split('\n').length - 1;
    expect(steps).toBeGreaterThan(20);

    const every = LONG ? 1 : 17;
    for (let step = 1; step <= steps; step += every) {
      const person = makeShop();
      const number = join(person.root, 'number');
      const isIt = `echo x >> '${number}'; test $(wc -l < '${number}') -eq ${step}`;
      const path =
        step % 2 === 0
          ? gitThat(person, `if ${isIt}; then kill -9 $PPID; exit 1; fi`)
          : gitThat(person, '', `if ${isIt}; then kill -9 $PPID; fi`);
      expect(await workApart(person, path)).toBeUndefined();
      expect(await workApart(person)).toBe(whole);
      expect(readdirSync(join(workshopFolder(person.env, RUN_ID), 'tmp'))).toEqual([]);
    }
  });

  it('does not block later calls by a lock file that git left', async () => {
    const person = makeShop();
    const { workshop, base } = await beginWorkshop(person);
    const commit = await commitOf(workshop, base, { 'a.ts': 'a\n' });
    const ref = join(
      workshopFolder(person.env, RUN_ID),
      'repository.git/refs/deliberate/commits',
      commit,
    );
    rmSync(ref);
    writeFileSync(`${ref}.lock`, '');
    utimesSync(`${ref}.lock`, 1, 1);
    expect(await commitOf(workshop, base, { 'a.ts': 'a\n' })).toBe(commit);
    // A new lock file may belong to a git that is still at work, so the program waits until the lock file
    // is removed.
    rmSync(ref);
    writeFileSync(`${ref}.lock`, '');
    setTimeout(() => rmSync(`${ref}.lock`), 500);
    expect(await commitOf(workshop, base, { 'a.ts': 'a\n' })).toBe(commit);
    expect(existsSync(ref)).toBe(true);
  });
});

describe('the folder with the files of a run', () => {
  it('is removed without removing a file of the person, even if a link in it leads to the checkout', async () => {
    const person = makeShop();
    const { workshop, base } = await beginWorkshop(person);
    await commitOf(workshop, base, { 'a.ts': 'a\n' });
    const folder = workshopFolder(person.env, RUN_ID);
    mkdirSync(join(folder, 'left/cache'), { recursive: true });
    writeFileSync(join(folder, 'left/cache/fixed'), 'x');
    symlinkSync(person.folder, join(folder, 'left/cache/link'));
    chmodSync(join(folder, 'left/cache'), 0o500);
    chmodSync(join(folder, 'left'), 0o500);
    const before = person.fingerprint();
    expect(statSync(folder).mode & 0o077).toBe(0);
    expect(removeRunFolder(person.env, RUN_ID)).toBe(true);
    expect(removeRunFolder(person.env, RUN_ID)).toBe(false);
    expect(existsSync(folder)).toBe(false);
    expect(person.fingerprint()).toBe(before);
    expect(() => removeRunFolder(person.env, '../../home')).toThrow('not a run');
    removeFolder(join(person.root, 'never-there'));
  });

  it('is cleared of temporary files at the next start, except those of running processes', async () => {
    const person = makeShop();
    await beginWorkshop(person);
    const tmp = join(workshopFolder(person.env, RUN_ID), 'tmp');
    const gone = spawn('true');
    await new Promise((resolve) => gone.on('close', resolve));
    for (const name of [`${gone.pid}-aa`, `${process.ppid}-bb`, 'odd'])
      mkdirSync(join(tmp, name), { recursive: true });
    const { workshop } = await beginWorkshop(person, workshopOf(person));
    expect(await workshop.treeOf(person.git('rev-parse', 'HEAD').trim())).toBeDefined();
    expect(readdirSync(tmp)).toEqual([`${process.ppid}-bb`]);
  });

  it('gets a complete copy of the repository if an earlier start left a part of one', async () => {
    const person = makeShop();
    const folder = workshopFolder(person.env, RUN_ID);
    mkdirSync(join(folder, 'repository.git/objects'), { recursive: true });
    const { base, workshop } = await beginWorkshop(person);
    expect(await commitOf(workshop, base, { 'a.ts': 'a\n' })).toMatch(/^[0-9a-f]{40}$/);
  });
});
