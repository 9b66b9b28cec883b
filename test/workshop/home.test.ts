/** Tests the delivery of the work: the only write to the person's repository, and when it is refused. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Delivery, DeliveryResult, Workshop } from '../../src/kernel/tools/workshop.ts';
import {
  beginWorkshop,
  callTool,
  commitOf,
  getCommit,
  makeShop,
  type PersonRepository,
  RUN_BRANCH,
  signal,
  workshopOf,
} from './place.ts';

const deliverCommit = (
  workshop: Workshop,
  how: Delivery,
  base: string,
  commit: string,
): Promise<DeliveryResult> =>
  workshop.deliver({ how, base, commit, title: 'Work', body: 'What was done' }, signal);

/** Returns a person whose git settings would run programs, or fail without a terminal. */
function makeTrappedPerson(): PersonRepository {
  const person = makeShop({
    config:
      '[commit]\n\tgpgSign = true\n[gpg]\n\tprogram = /nonexistent\n[merge]\n\tverifySignatures = true\n\tautoStash = true\n[core]\n\tautocrlf = true\n[user]\n\tuseConfigOnly = true\n[fetch]\n\tprune = true\n\twriteCommitGraph = true\n',
  });
  for (const hook of [
    ...['post-checkout', 'pre-commit', 'post-commit', 'post-merge', 'pre-merge-commit'],
    ...['reference-transaction', 'post-index-change', 'post-rewrite', 'commit-msg', 'update'],
  ])
    for (const folder of ['.git/hooks', '.own-hooks'])
      person.write(
        `${folder}/${hook}`,
        `#!/bin/sh\nenv > '${person.root}/ran-${hook}'\nexit 1\n`,
        0o755,
      );
  person.git('config', 'core.hooksPath', '.own-hooks');
  person.write('.git/info/exclude', '.own-hooks\n');
  return person;
}

const hooksRan = (person: PersonRepository): boolean =>
  ['post-checkout', 'post-merge', 'reference-transaction', 'post-index-change', 'pre-commit'].some(
    (hook) => existsSync(join(person.root, `ran-${hook}`)),
  );

describe('the work of a run before its delivery', () => {
  it('leaves the person’s repository unchanged byte by byte', async () => {
    const person = makeTrappedPerson();
    person.git('branch', 'deliberate');
    person.git('branch', 'other/x');
    person.write('src/sum.ts', 'stashed\n');
    person.git('-c', 'user.name=a', '-c', 'user.email=a@b', 'stash');
    person.write('src/sum.ts', 'dirty\n');
    person.write('staged.txt', 'staged\n');
    person.git('add', 'staged.txt');
    person.write('untracked.txt', 'untracked\n');
    person.git('worktree', 'add', '--quiet', '../beside');
    const before = person.fingerprint();
    const workshop = workshopOf(person);
    const { base } = await workshop.survey(signal);
    const { tree } = await workshop.prepare(base, { folders: [], files: [] }, signal);
    const edited = await callTool(workshop, tree, 'write', { path: 'src/sum.ts', text: 'new\n' });
    const wish = { tree: edited.state ?? '', parents: [base], message: 'Sum' };
    const { commit } = getCommit(await workshop.commit(wish, signal));
    const other = await commitOf(workshop, base, { 'b.ts': 'b\n' });
    getCommit(await workshop.join([commit, other], 'Join', signal));
    await workshop.diff(base, commit, [], signal);
    expect(await workshop.look(base, commit, signal)).toEqual({
      head: base,
      moved: false,
      dirty: ['src/sum.ts'],
    });
    expect(await deliverCommit(workshop, 'forward', base, commit)).toMatchObject({ done: false });
    expect(person.fingerprint()).toBe(before);
    expect(hooksRan(person)).toBe(false);
  });
});

describe('delivery as a branch', () => {
  it('adds one branch to the person’s repository and changes nothing else', async () => {
    const person = makeTrappedPerson();
    person.write('src/sum.ts', 'dirty\n');
    person.git('branch', 'deliberate');
    const { workshop, base } = await beginWorkshop(person);
    const commit = await commitOf(workshop, base, { 'src/sum.ts': 'new\n' });
    const refs = person.git('for-each-ref');
    const readState = (): string =>
      [
        person.git('status', '--porcelain'),
        person.git('config', '--list'),
        person.read('.git/HEAD'),
      ].join();
    const before = readState();
    expect(await deliverCommit(workshop, 'branch', base, commit)).toEqual({
      done: true,
      how: 'branch',
      branch: RUN_BRANCH,
      commit,
    });
    expect(person.git('for-each-ref')).toBe(
      refs.replace(
        /^(.*refs\/heads\/deliberate\n)/m,
        `$1${commit} commit\trefs/heads/${RUN_BRANCH}\n`,
      ),
    );
    expect(readState()).toBe(before);
    expect(existsSync(join(person.folder, '.git/FETCH_HEAD'))).toBe(false);
    expect(hooksRan(person)).toBe(false);
    // Delivering the same commit again does no harm; another commit is refused.
    expect(await deliverCommit(workshop, 'branch', base, commit)).toMatchObject({ done: true });
    const other = await commitOf(workshop, base, { 'src/sum.ts': 'other\n' });
    expect(await deliverCommit(workshop, 'branch', base, other)).toEqual({
      done: false,
      why: `branch ${RUN_BRANCH} exists with another commit: ${commit.slice(0, 10)}`,
    });
    expect(person.git('rev-parse', RUN_BRANCH).trim()).toBe(commit);
  });

  it('works beside branches named deliberate/x, but not beside a branch below its own name', async () => {
    const person = makeShop();
    person.git('branch', 'deliberate/x');
    const { workshop, base } = await beginWorkshop(person);
    const commit = await commitOf(workshop, base, { 'a.ts': 'a\n' });
    expect(await deliverCommit(workshop, 'branch', base, commit)).toMatchObject({ done: true });
    const two = makeShop();
    two.git('branch', `${RUN_BRANCH}/x`);
    const second = await beginWorkshop(two);
    const next = await commitOf(second.workshop, second.base, { 'a.ts': 'a\n' });
    const refused = await deliverCommit(second.workshop, 'branch', second.base, next);
    expect(refused).toMatchObject({ done: false, why: expect.stringContaining('git refused') });
  });
});

describe('delivery as a pull request', () => {
  it('hands branch, commit, target branch and push address to what opens the request, and is refused without a remote', async () => {
    const person = makeShop();
    const asked: unknown[] = [];
    const workshop = workshopOf(person, {
      request: async (place, wish) => {
        asked.push(place, wish);
        const { branch, commit } = wish;
        return { done: true, how: 'request', branch, commit, url: 'https://example.com/pull/1' };
      },
    });
    const { base } = await beginWorkshop(person, workshop);
    const commit = await commitOf(workshop, base, { 'a.ts': 'a\n' });
    expect(await deliverCommit(workshop, 'request', base, commit)).toEqual({
      done: false,
      why: 'no remote origin to push to',
    });
    person.git('remote', 'add', 'mine', 'git@example.com:ada/shop.git');
    person.git('config', 'remote.mine.pushurl', 'git@example.com:ada/push.git');
    person.git('config', 'branch.main.remote', 'mine');
    person.git('config', 'branch.main.merge', 'refs/heads/trunk');
    const before = person.fingerprint();
    expect(await deliverCommit(workshop, 'request', base, commit)).toMatchObject({
      done: true,
      url: 'https://example.com/pull/1',
    });
    expect(asked).toMatchObject([
      { repository: person.folder, gitDir: expect.stringContaining('repository.git') },
      {
        remote: 'git@example.com:ada/push.git',
        onto: 'trunk',
        branch: RUN_BRANCH,
        commit,
        title: 'Work',
      },
    ]);
    expect(person.fingerprint()).toBe(before);
    expect(await deliverCommit(workshopOf(person), 'request', base, commit)).toEqual({
      done: false,
      why: 'pull requests cannot be opened here',
    });
  });
});

describe('the delivered history', () => {
  /** Joins a commit with tests and the commits of two parallel tasks, of which the first has two commits. */
  async function makeJoinedWork(person: PersonRepository) {
    const { workshop, base } = await beginWorkshop(person);
    const tests = await commitOf(workshop, base, { 'test/new.ts': 'tests\n' });
    const [first, second] = [
      await commitOf(workshop, base, { 'a.ts': 'half\n' }),
      await commitOf(workshop, base, { 'b.ts': 'b\n', 'src/sum.ts': undefined }),
    ];
    const rest = await commitOf(workshop, first, { 'a.ts': 'whole\n' });
    const joined = getCommit(await workshop.join([tests, rest, second], 'Join', signal));
    const history = [
      { commit: tests, part: 'b', message: 'Add b\n\nTask: b' },
      { commit: first, part: 'a', message: 'Add a' },
      { commit: rest, part: 'a', message: 'Add a' },
      { commit: second, part: 'b', message: 'Add b\n\nTask: b' },
    ];
    const wish = {
      how: 'branch' as const,
      base,
      commit: joined.commit,
      title: 'Work',
      body: '',
      history,
    };
    return { workshop, base, joined, wish };
  }
  const readLog = (person: PersonRepository, format: string): string =>
    person.git('log', `--format=${format}`, '--topo-order', '--reverse', `main..${RUN_BRANCH}`);

  it('has one commit for each task, with the person as author', async () => {
    const person = makeShop();
    person.git('config', 'user.name', 'Ada');
    person.git('config', 'user.email', 'ada@example.com');
    const { workshop, joined, wish } = await makeJoinedWork(person);
    const delivered = await workshop.deliver({ ...wish, author: 'person' }, signal);
    expect(delivered).toMatchObject({ done: true, branch: RUN_BRANCH });
    expect(readLog(person, '%s|%an <%ae>|%cn').split('\n').filter(Boolean).sort()).toEqual([
      'Add a|Ada <ada@example.com>|Ada',
      'Add b|Ada <ada@example.com>|Ada',
    ]);
    expect(readLog(person, '%p').split(/\s+/).filter(Boolean)).toHaveLength(2);
    expect(person.git('rev-parse', `${RUN_BRANCH}^{tree}`).trim()).toBe(joined.tree);
    const files = person.git('log', '--format=', '--name-status', '-1', '--grep=Add b', RUN_BRANCH);
    expect(files.trim().split('\n').sort()).toEqual(['A\tb.ts', 'A\ttest/new.ts', 'D\tsrc/sum.ts']);
    // Delivering again gives the same result.
    expect(await workshop.deliver({ ...wish, author: 'person' }, signal)).toEqual(delivered);
  });

  it('has this program as its author on request', async () => {
    const person = makeShop();
    const { workshop, joined, wish } = await makeJoinedWork(person);
    const history = wish.history.slice(1);
    expect(
      await workshop.deliver({ ...wish, history, author: 'deliberate' }, signal),
    ).toMatchObject({ done: true });
    expect(readLog(person, '%an').split('\n').filter(Boolean)).toEqual([
      'deliberate',
      'deliberate',
    ]);
    expect(person.git('rev-parse', `${RUN_BRANCH}^{tree}`).trim()).toBe(joined.tree);
  });

  it('goes to a branch, with a command to type, if the program that opens pull requests is missing', async () => {
    const person = makeShop();
    const { base, wish } = await makeJoinedWork(person);
    person.git('remote', 'add', 'origin', 'git@github.com:ada/shop.git');
    const asking = workshopOf(person, {
      request: async () => ({ done: false, next: 'git push origin x && gh pr create' }),
    });
    const delivered = await asking.deliver({ ...wish, how: 'request' }, signal);
    expect(delivered).toMatchObject({
      done: true,
      how: 'branch',
      branch: RUN_BRANCH,
      next: 'git push origin x && gh pr create',
    });
    expect(person.git('merge-base', RUN_BRANCH, 'main').trim()).toBe(base);
  });
});

describe('delivery by fast-forwarding the current branch', () => {
  it('updates the branch and its files, with line ends as the person’s git settings say', async () => {
    const person = makeTrappedPerson();
    person.write('notes.txt', 'untracked, and not touched\n');
    person.write('README.md', 'dirty, and not touched\n');
    const { workshop, base } = await beginWorkshop(person);
    const commit = await commitOf(workshop, base, {
      'src/list.ts': 'new\n',
      'a/b/c.txt': 'c\n',
      'run.sh': undefined,
    });
    expect(await deliverCommit(workshop, 'forward', base, commit)).toEqual({
      done: true,
      how: 'forward',
      branch: 'main',
      commit,
    });
    expect(person.git('rev-parse', 'main', 'HEAD')).toBe(`${commit}\n${commit}\n`);
    expect(person.git('branch', '--list', 'deliberate*')).toBe('');
    expect(person.read('src/list.ts')).toBe('new\r\n');
    expect(person.read('README.md')).toBe('dirty, and not touched\n');
    expect(existsSync(join(person.folder, 'run.sh'))).toBe(false);
    expect(person.git('status', '--porcelain')).toBe(' M README.md\n?? notes.txt\n');
    expect(person.git('stash', 'list')).toBe('');
    expect(hooksRan(person)).toBe(false);
    expect(await deliverCommit(workshop, 'forward', base, commit)).toMatchObject({ done: true });
  });

  it.each([
    [
      'a changed file',
      (person: PersonRepository) => person.write('src/list.ts', 'mine\n'),
      'src/list.ts',
    ],
    [
      'a staged file',
      (person: PersonRepository) => {
        person.write('src/list.ts', 'mine\n');
        person.git('add', '.');
      },
      'src/list.ts',
    ],
    [
      'a removed file',
      (person: PersonRepository) => person.git('rm', '--quiet', 'src/list.ts'),
      'src/list.ts',
    ],
    [
      'an untracked file',
      (person: PersonRepository) => person.write('new/n.txt', 'mine\n'),
      'new/n.txt',
    ],
    ['an ignored file', (person: PersonRepository) => person.write('out.log', 'mine\n'), 'out.log'],
    [
      'a file where a folder goes',
      (person: PersonRepository) => person.write('new', 'mine\n'),
      'new',
    ],
    ['a link where a folder goes', (person: PersonRepository) => person.link('new', '/tmp'), 'new'],
  ])(
    'is refused if %s of the person is in its way, and changes nothing',
    async (_what, dirty, path) => {
      const person = makeShop();
      person.write('.gitignore', '*.log\n');
      person.git('add', '.');
      person.git('commit', '--quiet', '-m', 'Ignore');
      const { workshop, base } = await beginWorkshop(person);
      const commit = await commitOf(workshop, base, {
        'src/list.ts': 'new\n',
        'new/n.txt': 'n\n',
        'out.log': 'log\n',
      });
      dirty(person);
      const before = person.fingerprint();
      expect((await workshop.look(base, commit, signal)).dirty).toEqual([path]);
      expect(await deliverCommit(workshop, 'forward', base, commit)).toEqual({
        done: false,
        why: `changed or untracked in the checkout: ${path}`,
      });
      expect(person.fingerprint()).toBe(before);
    },
  );

  it('is refused if the branch has newer commits, or if HEAD is on another branch or detached', async () => {
    const person = makeShop();
    const { workshop, base } = await beginWorkshop(person);
    const commit = await commitOf(workshop, base, { 'src/list.ts': 'new\n' });
    person.git('checkout', '--quiet', '-b', 'other');
    expect(await deliverCommit(workshop, 'forward', base, commit)).toEqual({
      done: false,
      why: 'the checkout is on other; the work began on main',
    });
    person.git('checkout', '--quiet', '--detach');
    expect(await deliverCommit(workshop, 'forward', base, commit)).toMatchObject({
      why: 'HEAD is detached: no branch to move',
    });
    person.git('checkout', '--quiet', 'main');
    person.git('commit', '--quiet', '--allow-empty', '-m', 'Move');
    const head = person.git('rev-parse', 'HEAD').trim();
    expect(await deliverCommit(workshop, 'forward', base, commit)).toMatchObject({
      why: `main has moved on to ${head.slice(0, 10)}`,
    });
  });

  it('is possible after newer commits are merged with the work', async () => {
    const person = makeShop();
    const { workshop, base } = await beginWorkshop(person);
    const commit = await commitOf(workshop, base, { 'src/list.ts': 'new\n' });
    person.write('src/sum.ts', 'theirs\n');
    person.git('commit', '--quiet', '-am', 'Theirs');
    const before = person.fingerprint();
    const { head, moved, dirty } = await workshop.look(base, commit, signal);
    expect({ moved, dirty }).toEqual({ moved: true, dirty: [] });
    const joined = getCommit(await workshop.join([head, commit], 'Join', signal));
    expect(joined.files).toEqual(['src/list.ts']);
    expect(person.fingerprint()).toBe(before);
    expect(await deliverCommit(workshop, 'forward', head, joined.commit)).toMatchObject({
      done: true,
    });
    expect(person.read('src/list.ts')).toBe('new\n');
    expect(person.read('src/sum.ts')).toBe('theirs\n');
  });

  it('names the files of newer commits that conflict with the work', async () => {
    const person = makeShop();
    const { workshop, base } = await beginWorkshop(person);
    const commit = await commitOf(workshop, base, { 'src/list.ts': 'new\n', 'b.ts': 'b\n' });
    person.write('src/list.ts', 'theirs\n');
    person.git('commit', '--quiet', '-am', 'Theirs');
    const { head } = await workshop.look(base, commit, signal);
    expect(await workshop.join([head, commit], 'Join', signal)).toEqual({
      done: false,
      conflicts: ['src/list.ts'],
    });
  });

  it('quotes git’s message if another git operation is unfinished', async () => {
    const person = makeShop();
    const { workshop, base } = await beginWorkshop(person);
    const commit = await commitOf(workshop, base, { 'src/list.ts': 'new\n' });
    mkdirSync(join(person.folder, '.git'), { recursive: true });
    writeFileSync(join(person.folder, '.git/index.lock'), '');
    const refused = await deliverCommit(workshop, 'forward', base, commit);
    expect(refused).toMatchObject({ done: false, why: expect.stringContaining('index.lock') });
    expect(person.git('rev-parse', 'main').trim()).toBe(base);
  });
});
