/**
 * Tests commits and joins: equal wishes give equal commits, a wish with a refused file is refused as a
 * whole, and conflicts are named.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Workshop } from '../../src/kernel/tools/workshop.ts';
import { workshopFolder } from '../../src/workshop/clean.ts';
import {
  beginWorkshop,
  commitOf,
  getCommit,
  makeShop,
  type PersonRepository,
  RUN_ID,
  signal,
  workshopOf,
} from './place.ts';

const joinCommits = async (
  workshop: Workshop,
  ...commits: string[]
): Promise<{ commit: string; tree: string; files: readonly string[] }> =>
  getCommit(await workshop.join(commits, 'Join', signal));

/** Returns a tree with files of any kind, as the program of a coding agent may leave one. */
function treeWith(person: PersonRepository, tree: string, make: (folder: string) => void): string {
  const folder = mkdtempSync(join(person.root, 'tree-'));
  const env = {
    ...person.env,
    GIT_DIR: join(workshopFolder(person.env, RUN_ID), 'repository.git'),
    GIT_WORK_TREE: folder,
    GIT_INDEX_FILE: join(person.root, 'index'),
  };
  const runGit = (...args: string[]): string =>
    execFileSync('git', args, { cwd: folder, env, encoding: 'utf8' });
  runGit('read-tree', tree);
  runGit('checkout-index', '-a');
  make(folder);
  runGit('add', '-A');
  return runGit('write-tree').trim();
}

describe("a commit of a task's work", () => {
  it('has the same hash if it is made again from the same tree, parents and message', async () => {
    const person = makeShop();
    const { workshop, base, tree } = await beginWorkshop(person);
    const next = await workshop.put(tree, 'src/list.ts', 'export {};\n', signal);
    const wish = { tree: next, parents: [base], message: 'Empty the list' };
    const first = getCommit(await workshop.commit(wish, signal));
    expect(first).toMatchObject({ tree: next, files: ['src/list.ts'] });
    expect(await workshop.commit(wish, signal)).toEqual(first);
    const elsewhere = workshopOf(person, { folder: join(person.root, 'elsewhere') });
    await beginWorkshop(person, elsewhere);
    expect(await elsewhere.put(tree, 'src/list.ts', 'export {};\n', signal)).toBe(next);
    expect(await elsewhere.commit(wish, signal)).toEqual(first);
    // The commit has the date of the run, and not that of the clock.
    const gitDir = join(workshopFolder(person.env, RUN_ID), 'repository.git');
    const shown = execFileSync('git', [
      '-C',
      gitDir,
      'show',
      '-s',
      '--format=%an <%ae> %at %ct %s',
      first.commit,
    ]);
    expect(shown.toString()).toBe(
      'deliberate <deliberate@localhost> 1770000000 1770000000 Empty the list\n',
    );
  });

  it('is rejected as a whole if it changes files outside its task', async () => {
    const { workshop, base, tree } = await beginWorkshop(makeShop());
    let next = await workshop.put(tree, 'src/list.ts', 'export {};\n', signal);
    next = await workshop.put(next, 'src/helper.ts', 'export {};\n', signal);
    next = await workshop.put(next, 'package.json', '{}\n', signal);
    next = await workshop.put(next, 'test/list.test.ts', undefined, signal);
    const wish = { tree: next, parents: [base], message: 'More' };
    expect(
      await workshop.commit(
        {
          ...wish,
          may: ['src/list.ts', 'package.json', 'test/**'],
          guarded: ['**/package.json'],
          locked: ['test/**'],
        },
        signal,
      ),
    ).toEqual({
      done: false,
      refused: [
        { path: 'package.json', why: 'guarded' },
        { path: 'src/helper.ts', why: 'outside' },
        { path: 'test/list.test.ts', why: 'locked' },
      ],
    });
    const wide = { ...wish, may: ['**'], guarded: ['**/package.json'] };
    expect(await workshop.commit({ ...wide, allowed: ['src/package.json'] }, signal)).toEqual({
      done: false,
      refused: [{ path: 'package.json', why: 'guarded' }],
    });
    expect(await workshop.commit({ ...wide, allowed: ['package.json'] }, signal)).toMatchObject({
      done: true,
    });
    expect(
      await workshop.commit({ ...wish, may: ['src/', 'test/*', 'package.json'] }, signal),
    ).toMatchObject({
      done: true,
      files: ['package.json', 'src/helper.ts', 'src/list.ts', 'test/list.test.ts'],
    });
    expect(await workshop.commit({ ...wish, tree }, signal)).toEqual({
      done: false,
      refused: [{ path: '', why: 'empty' }],
    });
  });

  it('is rejected if one of its files is a link or a submodule', async () => {
    const person = makeShop();
    const { workshop, base, tree } = await beginWorkshop(person);
    const next = treeWith(person, tree, (folder) => {
      symlinkSync('/etc/passwd', join(folder, 'src', 'passwd.ts'));
      writeFileSync(join(folder, 'src', 'ok.ts'), 'export {};\n');
      execFileSync('git', ['init', '--quiet', 'src/lib'], { cwd: folder, env: person.env });
      execFileSync(
        'git',
        [
          '-C',
          'src/lib',
          '-c',
          'user.name=a',
          '-c',
          'user.email=a@b',
          'commit',
          '-qm',
          'x',
          '--allow-empty',
        ],
        { cwd: folder, env: person.env },
      );
    });
    expect(
      await workshop.commit({ tree: next, parents: [base], message: 'L', may: ['src/**'] }, signal),
    ).toEqual({
      done: false,
      refused: [
        { path: 'src/lib', why: 'submodule' },
        { path: 'src/passwd.ts', why: 'link' },
      ],
    });
    const mode = treeWith(person, tree, (folder) => {
      execFileSync('chmod', ['+x', 'src/list.ts'], { cwd: folder });
    });
    expect(await workshop.changes(tree, mode, signal)).toEqual([
      { path: 'src/list.ts', kind: 'mode', added: 0, removed: 0 },
    ]);
  });

  it('fails with advice if the git tree to commit is not in the run’s copy of the repository', async () => {
    const { workshop, base } = await beginWorkshop(makeShop());
    const wish = { tree: 'a'.repeat(40), parents: [base], message: 'x' };
    await expect(workshop.commit(wish, signal)).rejects.toMatchObject({
      code: 'no-tree',
      next: expect.stringMatching(/\w/),
    });
    await expect(workshop.commit({ ...wish, tree: '--all' }, signal)).rejects.toThrow('not a hash');
  });
});

describe('a merge of commits', () => {
  it('gives the same tree in either order if no file overlaps', async () => {
    const person = makeShop();
    const { workshop, base } = await beginWorkshop(person);
    const a = await commitOf(workshop, base, { 'src/list.ts': 'a\n' });
    const b = await commitOf(workshop, base, { 'src/sum.ts': 'b\n' });
    const c = await commitOf(workshop, base, { 'new/c.ts': 'c\n', 'run.sh': undefined });
    const first = await joinCommits(workshop, a, b, c);
    const second = await joinCommits(workshop, c, b, a);
    expect(first.tree).toBe(second.tree);
    expect(first.commit).not.toBe(second.commit);
    expect(first.files).toEqual(['new/c.ts', 'run.sh', 'src/sum.ts']);
    expect(second.files).toEqual(['src/list.ts', 'src/sum.ts']);
    expect(await joinCommits(workshop, a, b, c)).toEqual(first);
    const gitDir = join(workshopFolder(person.env, RUN_ID), 'repository.git');
    const parents = execFileSync('git', ['-C', gitDir, 'show', '-s', '--format=%P', first.commit]);
    expect(parents.toString().trim().split(' ')).toEqual([a, b, c]);
    expect(await workshop.text(first.commit, 'src/sum.ts', signal)).toBe('b\n');
  });

  it('makes no new commit if one of the commits contains all others', async () => {
    const { workshop, base } = await beginWorkshop(makeShop());
    const a = await commitOf(workshop, base, { 'src/list.ts': 'a\n' });
    const b = await commitOf(workshop, a, { 'src/sum.ts': 'b\n' });
    expect(await joinCommits(workshop, a)).toMatchObject({ commit: a, files: ['src/list.ts'] });
    expect((await joinCommits(workshop, a, b)).commit).toBe(b);
    expect((await joinCommits(workshop, b, a)).commit).toBe(b);
    expect(await joinCommits(workshop, base)).toMatchObject({ commit: base, files: [] });
  });

  it('names every file that both sides changed in different ways', async () => {
    const person = makeShop();
    person.write('long.txt', Array.from({ length: 40 }, (_, at) => `line ${at}\n`).join(''));
    person.git('add', 'long.txt');
    person.git('commit', '--quiet', '-m', 'Long');
    const { workshop, base } = await beginWorkshop(person);
    const text = person.read('long.txt');
    const a = await commitOf(workshop, base, {
      'long.txt': text.replace('line 1\n', 'one\n'),
      'src/list.ts': 'a\n',
      'both.ts': 'the same\n',
    });
    const b = await commitOf(workshop, base, {
      'long.txt': text.replace('line 38\n', 'thirty-eight\n'),
      'src/list.ts': undefined,
      'both.ts': 'the same\n',
    });
    expect(await workshop.join([a, b], 'Join', signal)).toEqual({
      done: false,
      conflicts: ['long.txt', 'src/list.ts'],
    });
    // The same change on both sides is no conflict.
    const c = await commitOf(workshop, base, { 'both.ts': 'the same\n', 'c.ts': 'c\n' });
    const d = await commitOf(workshop, base, { 'both.ts': 'the same\n', 'd.ts': 'd\n' });
    expect(await workshop.join([c, d], 'Join', signal)).toMatchObject({ done: true });
  });

  it('does not follow renames: a new file stays in its folder, an edit of a moved file conflicts', async () => {
    const { workshop, base } = await beginWorkshop(makeShop());
    const list = await workshop.text(base, 'src/list.ts', signal);
    const sum = await workshop.text(base, 'src/sum.ts', signal);
    const moved = await commitOf(workshop, base, {
      'src/list.ts': undefined,
      'src/sum.ts': undefined,
      'lib/list.ts': list,
      'lib/sum.ts': sum,
    });
    const added = await commitOf(workshop, base, { 'src/new.ts': 'new\n' });
    const both = await joinCommits(workshop, moved, added);
    expect(await workshop.text(both.commit, 'src/new.ts', signal)).toBe('new\n');
    const edited = await commitOf(workshop, base, { 'src/list.ts': `${list}// more\n` });
    expect(await workshop.join([moved, edited], 'Join', signal)).toEqual({
      done: false,
      conflicts: ['src/list.ts'],
    });
  });

  it('reports a file and a folder with the same path as a conflict', async () => {
    const { workshop, base } = await beginWorkshop(makeShop());
    const a = await commitOf(workshop, base, { tools: 'a file\n' });
    const b = await commitOf(workshop, base, { 'tools/x.ts': 'a folder\n' });
    const answer = await workshop.join([a, b], 'Join', signal);
    expect(answer).toMatchObject({ done: false });
    expect(JSON.stringify(answer)).toContain('tools');
  });

  it('accepts commits that were merged before', async () => {
    const { workshop, base } = await beginWorkshop(makeShop());
    const a = await commitOf(workshop, base, { 'a.ts': 'a\n' });
    const b = await commitOf(workshop, base, { 'b.ts': 'b\n' });
    const ab = await joinCommits(workshop, a, b);
    const ba = await joinCommits(workshop, b, a);
    const more = await commitOf(workshop, ab.commit, { 'b.ts': 'more\n' });
    const all = await joinCommits(workshop, more, ba.commit);
    expect(await workshop.text(all.commit, 'b.ts', signal)).toBe('more\n');
    const c = await commitOf(workshop, ba.commit, { 'c.ts': 'c\n' });
    expect(await joinCommits(workshop, more, c)).toMatchObject({ files: ['c.ts'] });
  });
});

describe('comparing and reading trees', () => {
  it('returns a diff of limited size without files that contain keys', async () => {
    const person = makeShop();
    person.write('.env', 'KEY=hunter2hunter2\n');
    person.git('add', '-f', '.');
    person.git('commit', '--quiet', '-m', 'Key');
    const { workshop, base } = await beginWorkshop(person);
    const next = await commitOf(workshop, base, {
      'src/list.ts': 'short\n',
      'with space/ünï cödé.txt': 'there\n',
      'big.txt': 'x\n'.repeat(200_000),
    });
    const diff = await workshop.diff(base, next, ['src', 'with space/ünï cödé.txt'], signal);
    expect(diff).toContain('-export const LIST = [];\n-export function list() {}\n+short\n');
    expect(diff).toContain('+++ b/with space/ünï cödé.txt');
    const whole = await workshop.diff(base, next, [], signal);
    expect(whole).toContain('(cut here: the diff is longer than 200 KB)');
    expect(whole.length).toBeLessThan(210_000);
    expect(await workshop.diff(base, next, ['nowhere'], signal)).toBe('');
    const gone = treeWith(person, await workshop.treeOf(base), (folder) => {
      writeFileSync(join(folder, '.env'), 'KEY=other-key-of-mine\n');
    });
    expect(await workshop.diff(base, gone, [], signal)).toBe(
      '(.env is not shown: it looks like a file of keys or passwords)\n',
    );
  });

  it('returns the text of a text file, and undefined for any other path', async () => {
    const person = makeShop();
    person.write('logo.png', Buffer.from([0x89, 0x50, 0, 1]));
    person.git('add', 'logo.png');
    person.git('commit', '--quiet', '-m', 'Logo');
    const { workshop, base } = await beginWorkshop(person);
    for (const path of ['logo.png', 'inside.md', 'src', 'nowhere', '', '../x', '/etc/passwd'])
      expect(await workshop.text(base, path, signal)).toBeUndefined();
    expect(await workshop.text(base, 'dos.txt', signal)).toBe('one\r\ntwo\r\nthree\r\n');
  });
});
