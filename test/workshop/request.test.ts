/** Tests requests to merge, with a bare remote and scripts named gh, glab and tea. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { forgeOf } from '../../src/workshop/forges.ts';
import {
  openRequest,
  type PullRequestResult,
  type RequestWish,
} from '../../src/workshop/request.ts';
import { makeBench, makeEnvWithoutSandbox, type RunFoldersWithCopy } from './bench.ts';
import { NEVER_ABORTED } from './wishes.ts';

const URL = 'https://example.com/a/b/pull/7';

interface Desk {
  readonly place: RunFoldersWithCopy;
  readonly remote: string;
  readonly log: string;
  readonly commit: string;
  readonly branches: () => string[];
  readonly open: (wish?: Partial<RequestWish>) => Promise<PullRequestResult>;
}

/**
 * @param gh The rest of the script `gh`, after it has recorded its arguments; undefined if there is no such
 * program.
 */
function makeDesk(gh: string | undefined, program = 'gh'): Desk {
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
      join(bin, program),
      `#!/bin/sh\nfor one in "$@"; do printf '%s\\n' "$one"; done >> '${log}'\nenv >> '${log}.env'\n${gh}\n`,
    );
    chmodSync(join(bin, program), 0o755);
  }
  const env = makeEnvWithoutSandbox({ ...made.env, GH_TOKEN: 'gh-secret', GITHUB_TOKEN: 'x' });
  // On the PATH below, only these programs and the stand-in for `program`, such as `gh`, are found. A real `gh` is not.
  for (const name of ['git', 'sh', 'env', 'cat', 'touch'])
    symlinkSync(execFileSync('which', [name], { encoding: 'utf8' }).trim(), join(bin, name));
  const place = { ...made, env: { ...env, PATH: bin } };
  const commit = made.inCopy('rev-parse', 'main');
  return {
    place,
    remote,
    log,
    commit,
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
          remote,
          branch: 'deliberate-1a2b',
          commit,
          onto: 'main',
          name: 'origin',
          forge: 'github',
          title: '--title $(id)',
          body: 'Body\nof it',
          ...wish,
        },
        NEVER_ABORTED,
      ),
  };
}

const CREATES = `case "$2" in list) ;; create) cat >> "$0.body"; echo "Creating…" >&2; echo ${URL};; esac`;

test('opening a pull request pushes the branch, runs no hook, and passes no token from the environment to gh', async () => {
  const desk = makeDesk(CREATES);
  writeFileSync(
    join(desk.place.gitDir, 'hooks/pre-push'),
    `#!/bin/sh\ntouch '${desk.log}.hook'\n`,
    {
      mode: 0o755,
    },
  );
  expect(await desk.open()).toEqual({
    done: true,
    how: 'request',
    branch: 'deliberate-1a2b',
    commit: desk.commit,
    url: URL,
  });
  expect(desk.branches()).toEqual([`refs/heads/deliberate-1a2b ${desk.commit}`]);
  expect(readFileSync(desk.log, 'utf8')).toContain(
    'pr\ncreate\n--head\ndeliberate-1a2b\n--base\nmain\n--title\n--title $(id)\n--body-file\n-\n',
  );
  expect(readFileSync(join(dirname(desk.log), 'bin/gh.body'), 'utf8')).toBe('Body\nof it');
  expect(readFileSync(`${desk.log}.env`, 'utf8')).not.toMatch(/TOKEN|gh-secret/);
  expect(existsSync(`${desk.log}.hook`)).toBe(false);
});

test('opening a pull request returns the one that gh lists as open for the branch, and creates none', async () => {
  const desk = makeDesk(`case "$2" in list) echo ${URL};; *) exit 9;; esac`);
  expect(await desk.open()).toMatchObject({ done: true, url: URL });
  expect(await desk.open()).toMatchObject({ done: true, url: URL });
  expect(readFileSync(desk.log, 'utf8')).toContain('--head\ndeliberate-1a2b\n--state\nopen\n');
  expect(desk.branches()).toHaveLength(1);
});

test.each<[string, string | undefined, Partial<RequestWish>, RegExp, number]>([
  [
    'the hosting service cannot be told from the address',
    CREATES,
    { forge: undefined },
    /^nobody can tell which forge the remote is: name it with --forge/,
    0,
  ],
  [
    'the remote does not exist',
    CREATES,
    { remote: '/nowhere/at/all.git' },
    /^the remote cannot be read: fatal: /,
    0,
  ],
  [
    'the remote is a program to run',
    CREATES,
    { remote: 'ext::sh -c touch% /tmp/x' },
    /not allowed/,
    0,
  ],
  [
    'the program gh is not signed in',
    'echo "To get started with GitHub CLI, run: gh auth login" >&2; exit 4',
    {},
    /^the branch is pushed, but gh failed: .*gh auth login/,
    1,
  ],
])(
  'a pull request that cannot be opened is reported with the reason: %s',
  async (_what, gh, wish, wanted, branches) => {
    const desk = makeDesk(gh);
    const delivered = await desk.open(wish);
    expect(delivered).toMatchObject({ done: false });
    expect('why' in delivered ? delivered.why : '').toMatch(wanted);
    expect(desk.branches()).toHaveLength(branches);
  },
);

test('opening a pull request never overwrites a branch that has another commit', async () => {
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

test('a merge request on GitLab is opened with glab', async () => {
  const url = 'https://gitlab.example.com/a/b/-/merge_requests/7';
  const says = `case "$2" in view) [ -e "$0.open" ] || exit 1; printf 'title:\\tWork\\nurl:\\t${url}\\n';; create) touch "$0.open"; echo '!7 Work (deliberate-1a2b)'; echo ' ${url}';; esac`;
  const desk = makeDesk(says, 'glab');
  const wanted = { done: true, how: 'request', branch: 'deliberate-1a2b', url };
  expect(await desk.open({ forge: 'gitlab' })).toMatchObject(wanted);
  expect(readFileSync(desk.log, 'utf8')).toBe(
    [
      ...['mr', 'view', 'deliberate-1a2b'],
      ...['mr', 'create', '--source-branch', 'deliberate-1a2b', '--target-branch', 'main'],
      ...['--title', '--title $(id)', '--yes', '--description', 'Body\nof it', ''],
    ].join('\n'),
  );
  expect(readFileSync(`${desk.log}.env`, 'utf8')).not.toMatch(/TOKEN|gh-secret/);
  expect(await desk.open({ forge: 'gitlab' })).toMatchObject(wanted);
  expect(readFileSync(desk.log, 'utf8').split('create\n')).toHaveLength(2);
});

test.each(['closed', 'merged'])(
  'a merge request on GitLab that is %s does not count as open',
  async (state) => {
    const made = 'https://gitlab.example.com/a/b/-/merge_requests/8';
    const says = `case "$2" in view) printf 'title:\\tWork\\nstate:\\t${state}\\nurl:\\thttps://gitlab.example.com/a/b/-/merge_requests/7\\n';; create) echo ' ${made}';; esac`;
    const desk = makeDesk(says, 'glab');
    expect(await desk.open({ forge: 'gitlab' })).toMatchObject({ done: true, url: made });
  },
);

test('a pull request on Gitea is opened with tea', async () => {
  const url = 'https://codeberg.org/a/b/pulls/7';
  const says = `case "$2" in list) printf '"head"\\t"url"\\n"other"\\t"https://codeberg.org/a/b/pulls/1"\\n'; [ ! -e "$0.open" ] || printf '"deliberate-1a2b"\\t"${url}"\\n';; create) touch "$0.open"; echo '# #7 Work'; echo ${url};; esac`;
  const desk = makeDesk(says, 'tea');
  const wanted = { done: true, how: 'request', branch: 'deliberate-1a2b', url };
  expect(await desk.open({ forge: 'gitea' })).toMatchObject(wanted);
  expect(readFileSync(desk.log, 'utf8')).toContain(
    [
      ...['pulls', 'create', '--remote', 'origin', '--head', 'deliberate-1a2b', '--base', 'main'],
      ...['--title', '--title $(id)', '--description', 'Body\nof it', ''],
    ].join('\n'),
  );
  expect(await desk.open({ forge: 'gitea' })).toMatchObject(wanted);
  expect(readFileSync(desk.log, 'utf8').split('create\n')).toHaveLength(2);
});

test.each([
  [
    'github',
    `gh pr create --head deliberate-1a2b --base main --title '--title $(id)' --body-file FILE`,
  ],
  [
    'gitlab',
    `glab mr create --source-branch deliberate-1a2b --target-branch main --title '--title $(id)' --yes --description "$(cat FILE)"`,
  ],
  [
    'gitea',
    `tea pulls create --remote origin --head deliberate-1a2b --base main --title '--title $(id)' --description "$(cat FILE)"`,
  ],
] as const)(
  'if the program for %s is missing, its command is shown and nothing is pushed',
  async (forge, command) => {
    const desk = makeDesk(undefined);
    const asked = await desk.open({ forge });
    const file = join(desk.place.folder, 'request.md');
    expect(asked).toEqual({
      done: false,
      next: `git push origin deliberate-1a2b && ${command.replace('FILE', file)}`,
    });
    expect(readFileSync(file, 'utf8')).toBe('Body\nof it');
    expect(desk.branches()).toEqual([]);
  },
);

test.each([
  ['https://github.com/a/b.git', 'github'],
  ['git@github.example.com:a/b.git', 'github'],
  ['ssh://git@gitlab.example.com:2222/a/b', 'gitlab'],
  ['https://user:pass@gitlab.com/a/b', 'gitlab'],
  ['https://codeberg.org/a/b', 'gitea'],
  ['git@gitea.example.com:a/b', 'gitea'],
  ['https://forgejo.example.com/a/b', 'gitea'],
  ['https://example.com/github/b', undefined],
  ['https://notgithub.com/a/b', undefined],
  ['/srv/github.com/a.git', undefined],
  ['../b', undefined],
])('the host of the remote %s is recognised as %s', (remote, forge) => {
  expect(forgeOf(remote)).toBe(forge);
});
