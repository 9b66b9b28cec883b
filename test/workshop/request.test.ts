/** Pull requests, with a bare remote and a script called gh. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Delivered } from '../../src/kernel/tools/workshop.ts';
import { openRequest, type RequestWish } from '../../src/workshop/request.ts';
import { type Bench, makeBench, withoutSandbox } from './bench.ts';
import { NEVER } from './wishes.ts';

const URL = 'https://example.com/a/b/pull/7';

interface Desk {
  readonly place: Bench;
  readonly remote: string;
  readonly log: string;
  readonly commit: string;
  readonly branches: () => string[];
  readonly open: (wish?: Partial<RequestWish>) => Promise<Delivered>;
}

/** @param gh what the script does after it has written down what it was called with. */
function makeDesk(gh: string | undefined): Desk {
  const made = makeBench();
  const top = dirname(made.folder);
  const [remote, bin, log] = ['remote.git', 'bin', 'gh.log'].map((name) => join(top, name)) as [
    string,
    string,
    string,
  ];
  execFileSync('git', ['init', '-q', '--bare', remote]);
  mkdirSync(bin);
  if (gh !== undefined) {
    writeFileSync(
      join(bin, 'gh'),
      `#!/bin/sh\nfor one in "$@"; do printf '%s\\n' "$one"; done >> '${log}'\nenv >> '${log}.env'\n${gh}\n`,
    );
    chmodSync(join(bin, 'gh'), 0o755);
  }
  const env = withoutSandbox({ ...made.env, GH_TOKEN: 'gh-secret', GITHUB_TOKEN: 'x' });
  const place = { ...made, env: { ...env, PATH: `${bin}:${env.PATH}` } };
  const commit = made.inCopy('rev-parse', 'main');
  return {
    ...{ place, remote, log, commit },
    branches: () =>
      execFileSync('git', ['-C', remote, 'for-each-ref', '--format=%(refname) %(objectname)'], {
        encoding: 'utf8',
      })
        .split('\n')
        .filter((line) => line !== ''),
    open: (wish = {}) =>
      openRequest(
        place,
        {
          ...{ remote, branch: 'deliberate-1a2b', commit, onto: 'main' },
          ...{ title: '--title $(id)', body: 'Body\nof it', ...wish },
        },
        NEVER,
      ),
  };
}

const CREATES = `case "$2" in view) exit 1;; create) cat >> "$0.body"; echo "Creating…" >&2; echo ${URL};; esac`;

test('the branch is pushed and the request opened, without a key', async () => {
  const desk = makeDesk(CREATES);
  writeFileSync(
    join(desk.place.gitDir, 'hooks/pre-push'),
    `#!/bin/sh\ntouch '${desk.log}.hook'\n`,
    {
      mode: 0o755,
    },
  );
  expect(await desk.open()).toEqual({
    ...{ done: true, how: 'request', branch: 'deliberate-1a2b', commit: desk.commit, url: URL },
  });
  expect(desk.branches()).toEqual([`refs/heads/deliberate-1a2b ${desk.commit}`]);
  expect(readFileSync(desk.log, 'utf8')).toContain(
    'pr\ncreate\n--head\ndeliberate-1a2b\n--base\nmain\n--title\n--title $(id)\n--body-file\n-\n',
  );
  expect(readFileSync(join(dirname(desk.log), 'bin/gh.body'), 'utf8')).toBe('Body\nof it');
  expect(readFileSync(`${desk.log}.env`, 'utf8')).not.toMatch(/TOKEN|gh-secret/);
  expect(existsSync(`${desk.log}.hook`)).toBe(false);
});

test('once more is the same request', async () => {
  const desk = makeDesk(`case "$2" in view) echo ${URL};; *) exit 9;; esac`);
  expect(await desk.open()).toMatchObject({ done: true, url: URL });
  expect(await desk.open()).toMatchObject({ done: true, url: URL });
  expect(desk.branches()).toHaveLength(1);
});

test.each<[string, string | undefined, Partial<RequestWish>, RegExp, number]>([
  ['no gh', undefined, {}, /^gh is not installed/, 0],
  [
    'a remote that is not there',
    CREATES,
    { remote: '/nowhere/at/all.git' },
    /^the remote cannot be read: fatal: /,
    0,
  ],
  ['a remote that is a program', CREATES, { remote: 'ext::sh -c touch% /tmp/x' }, /not allowed/, 0],
  [
    'gh that is not signed in',
    'echo "To get started with GitHub CLI, run: gh auth login" >&2; exit 4',
    {},
    /^the branch is pushed, but gh failed: .*gh auth login/,
    1,
  ],
])('%s is said', async (_what, gh, wish, wanted, branches) => {
  const desk = makeDesk(gh);
  const delivered = await desk.open(wish);
  expect(delivered).toMatchObject({ done: false });
  expect(delivered.done ? '' : delivered.why).toMatch(wanted);
  expect(desk.branches()).toHaveLength(branches);
});

test('a branch with another commit stays as it is', async () => {
  const desk = makeDesk(CREATES);
  await desk.open();
  desk.place.treeWith({ 'b.txt': 'b' });
  const other = desk.place.inCopy('rev-parse', 'more');
  const delivered = await desk.open({ commit: other });
  expect(delivered).toEqual({
    done: false,
    why: 'the remote has a branch deliberate-1a2b with another commit',
  });
  expect(desk.branches()).toEqual([`refs/heads/deliberate-1a2b ${desk.commit}`]);
});
