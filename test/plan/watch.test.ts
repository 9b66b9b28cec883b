/**
 * Tests `deliberate plan --watch`: topics of a branch are planned once each as they come, without touching
 * anybody's files.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { readFlags } from '../../src/app/flags.ts';
import type { Invocation } from '../../src/app/invocation.ts';
import { openWatched, planNew } from '../../src/protocols/plan/desk/watch.ts';
import { PROTOCOLS } from '../../src/protocols/registry/registry.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import type { Program } from '../e2e/program.ts';
import { findFreePort } from '../servers/free-ports.ts';
import { temporaryFolder } from '../store/folder.ts';
import { House, REHEARSE, SPEC, STATUS, TOPIC_FILE } from './house.ts';

const BRANCH = 'deliberate/plan/clock';

class Watched extends House {
  readonly state = temporaryFolder();

  constructor() {
    super();
    this.place.git('config', 'user.name', 'Ada');
    this.place.git('config', 'user.email', 'ada@example.com');
  }

  get branch(): string {
    return this.place.git('branch', '--show-current').trim();
  }

  keep(message: string): void {
    this.place.git('add', '--all');
    this.place.git('commit', '--quiet', '-m', message);
  }

  watch(speed = '1000'): Program {
    const rehearse = REHEARSE.map((word) => (word === '1000' ? speed : word));
    const args = ['plan', '--watch', '--branch', this.branch, ...rehearse];
    return this.start(args, { XDG_STATE_HOME: this.state });
  }

  /** Returns how many plans were made, by the store. */
  plans(): number {
    const store = Store.open(this.database, FACTS);
    try {
      return store.list().length;
    } finally {
      store.close();
    }
  }

  /** Looks at the branch once in this process, and returns what was printed. */
  async look(): Promise<string> {
    const said: string[] = [];
    const call = makeCall(this, said);
    const { signal } = new AbortController();
    await planNew(call, await openWatched(call, signal), signal);
    return said.join('');
  }
}

async function stopProgram(program: Program): Promise<void> {
  program.child.kill('SIGINT');
  expect((await program.ended).code).toBe(130);
}

it('with --watch, a topic file becomes a commit on a branch, and is planned again only after it has changed', async () => {
  const house = new Watched();
  const first = house.watch();
  await first.waitForStderr(/deliberate\/plan\/clock: \d+ files/);
  await stopProgram(first);
  expect(house.place.git('diff', '--name-only', house.branch, BRANCH)).toContain(SPEC);
  expect(house.place.git('log', '-1', '--format=%s', BRANCH)).toMatch(/^Plan Let sessions/);
  // Only the branch gets the plan: no file in the person's own checkout is added or changed.
  expect([house.has(SPEC), house.has(STATUS)]).toEqual([false, false]);
  expect(house.place.git('status', '--porcelain')).toBe('');

  const call = makeCall(house, []);
  const { signal } = new AbortController();
  for (let poll = 0; poll < 10; poll += 1)
    expect(await planNew(call, await openWatched(call, signal), signal)).toBe(0);
  expect(house.plans()).toBe(1);

  house.write(TOPIC_FILE, '# Let sessions and forms last for a day\n');
  house.keep('Change the topic');
  expect(await house.look()).toMatch(/deliberate\/plan\/clock: \d+ files/);
  expect(house.plans()).toBe(2);
});

it('--watch makes a plan of its own if the database already has another repository’s plan for the same topic', async () => {
  const house = new Watched();
  const other = new House({ 'docs/other.md': '# Other\n\nAnother project, of somebody else.\n' });
  const args = ['plan', TOPIC_FILE, ...REHEARSE];
  const { code } = await other.runHere(args, { DELIBERATE_DB: house.database });
  expect([code, house.plans()]).toEqual([0, 1]);
  expect(await house.look()).toMatch(/deliberate\/plan\/clock: \d+ files/);
  const here = house.place.git('rev-parse', '--short=12', house.branch).trim();
  expect(house.place.git('show', `${BRANCH}:${SPEC}`)).toContain(`commit ${here}.`);
  expect(house.plans()).toBe(2);
});

it('--watch plans two topic files with the same text separately', async () => {
  const house = new Watched();
  house.write('docs/planning/again/topic.md', house.read(TOPIC_FILE));
  house.keep('Ask for it twice');
  const said = await house.look();
  for (const name of ['again', 'clock'])
    expect(said).toMatch(new RegExp(`deliberate/plan/${name}: \\d+ files`));
  for (const name of ['again', 'clock']) {
    const changed = house.place
      .git('diff', '--name-only', house.branch, `deliberate/plan/${name}`)
      .trim()
      .split('\n');
    expect(changed).toContain(`docs/planning/${name}/status.json`);
    expect(changed).toContain(`docs/roadmap/${name}.spec.md`);
  }
});

it('with --watch, a plan whose process was killed continues at the commit that it recorded', async () => {
  const house = new Watched();
  const begun = house.place.git('rev-parse', '--short=12', house.branch).trim();
  const killed = house.watch('3');
  await killed.waitForStderr(/Chair has answered/);
  killed.child.kill('SIGKILL');
  await killed.ended;
  house.write('docs/later.md', '# Later\n\nWritten after the plan began.\n');
  house.keep('Go on');
  const again = house.watch();
  await again.waitForStderr(/deliberate\/plan\/clock: \d+ files/);
  await stopProgram(again);
  expect(house.plans()).toBe(1);
  expect(house.place.git('show', `${BRANCH}:${SPEC}`)).toContain(`commit ${begun}.`);
  expect(house.place.git('rev-parse', '--short=12', `${BRANCH}^`).trim()).toBe(begun);
});

it('--watch refuses what it cannot watch, with the reason', async () => {
  const house = new Watched();
  for (const [args, says] of [
    [['--watch', '--branch', 'nowhere'], /there is no branch nowhere/],
    [['--watch', '--repo', temporaryFolder()], /not a git repository/],
    [['--watch', TOPIC_FILE], /takes no topic/],
    [['--push', TOPIC_FILE], /--push requires --watch/],
  ] as const) {
    const { code, err } = await house.runHere(['plan', ...args], { XDG_STATE_HOME: house.state });
    expect([code, err]).toEqual([2, expect.stringMatching(says)]);
  }
});

/** A git remote like that of another machine, asked over the network. */
class Remote {
  readonly folder = temporaryFolder();
  readonly port: Promise<number>;
  readonly bare = join(this.folder, 'clock.git');
  #daemon: ChildProcess | undefined;

  constructor(house: House) {
    house.place.git('clone', '--quiet', '--bare', house.folder, this.bare);
    this.port = findFreePort();
  }

  async start(): Promise<void> {
    const port = await this.port;
    this.#daemon = spawn('git', [
      ...['daemon', '--export-all', '--enable=receive-pack', '--reuseaddr'],
      ...['--listen=127.0.0.1', `--port=${port}`, `--base-path=${this.folder}`, this.folder],
    ]);
    await expect.poll(() => isOpen(port)).toBe(true);
  }

  async stop(): Promise<void> {
    const daemon = this.#daemon;
    if (daemon === undefined || daemon.exitCode !== null) return;
    const gone = once(daemon, 'exit');
    // `git daemon` runs as a child of git. Git ends this child if git itself gets SIGTERM, but not if git is
    // killed.
    daemon.kill('SIGTERM');
    await gone;
  }
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

function makeCall(
  house: Watched,
  said: string[],
  { push = false, env = {} }: { readonly push?: boolean; readonly env?: NodeJS.ProcessEnv } = {},
): Invocation {
  const flags = readFlags({
    rehearse: true,
    rehearseSpeed: 1000,
    push,
    repo: house.folder,
    branch: house.branch,
    db: house.database,
  });
  const makeStream = (list: string[]): Writable =>
    new Writable({
      write(chunk, _encoding, done) {
        list.push(String(chunk));
        done();
      },
    });
  return {
    command: 'plan',
    words: [],
    stdin: process.stdin,
    flags,
    protocols: PROTOCOLS,
    env: { PATH: process.env.PATH, HOME: '/nonexistent', XDG_STATE_HOME: house.state, ...env },
    err: makeStream(said),
    out: makeStream([]),
  } as unknown as Invocation;
}

it('--watch pushes plans as soon as the remote is reachable, and overwrites no other commit', async ({
  onTestFinished,
}) => {
  const house = new Watched();
  const remote = new Remote(house);
  onTestFinished(() => remote.stop());
  const port = await remote.port;
  house.place.git('remote', 'add', 'origin', `git://127.0.0.1:${port}/clock.git`);
  const said: string[] = [];
  const call = makeCall(house, said, { push: true });
  const { signal } = new AbortController();
  const watched = await openWatched(call, signal);
  const planOnce = async (): Promise<string> => {
    said.length = 0;
    await planNew(call, watched, signal);
    return said.join('');
  };
  const readRemoteHead = (): string =>
    house.place.git('ls-remote', remote.bare, BRANCH).split('\t')[0] ?? '';
  const readLocalHead = (): string => house.place.git('rev-parse', BRANCH).trim();

  // The remote does not answer yet. The plan is made nevertheless, and the failed push is reported once.
  expect(await planOnce()).toMatch(/cannot push deliberate\/plan\/clock: .*(refused|unable)/);
  expect([await planOnce(), readRemoteHead()]).toEqual(['', '']);
  await remote.start();
  expect(await planOnce()).toBe(`pushed ${BRANCH}\n`);
  expect([await planOnce(), readRemoteHead()]).toEqual(['', readLocalHead()]);

  // A new plan of the same topic replaces the topic's earlier plan on the branch, also at the remote.
  house.write(TOPIC_FILE, '# Let sessions and forms last for a day\n');
  house.keep('Change the topic');
  house.place.git('push', '--quiet', 'origin', house.branch);
  expect(await planOnce()).toContain(`pushed ${BRANCH}\n`);
  expect(readRemoteHead()).toBe(readLocalHead());

  // Another person has pushed a commit to the branch, so the branch must not be replaced.
  const otherCommit = house.place
    .git('commit-tree', `${BRANCH}^{tree}`, '-p', BRANCH, '-m', 'Mine')
    .trim();
  house.place.git('push', '--quiet', remote.bare, `${otherCommit}:refs/heads/${BRANCH}`);
  house.write(TOPIC_FILE, '# Let sessions and forms last for a week\n');
  house.keep('Change the topic');
  house.place.git('push', '--quiet', 'origin', house.branch);
  expect(await planOnce()).toMatch(/cannot push deliberate\/plan\/clock/);
  expect(readRemoteHead()).toBe(otherCommit);
});

it('--watch pushes with the person’s ssh agent and never asks for a password', async () => {
  const house = new Watched();
  const bare = join(temporaryFolder(), 'clock.git');
  house.place.git('clone', '--quiet', '--bare', house.folder, bare);
  house.place.git('remote', 'add', 'origin', `ssh://example.com${bare}`);
  // The stand-in for ssh works only in batch mode and with the person's ssh agent. It then runs the given
  // command on this machine.
  const bin = temporaryFolder();
  const ssh = `#!/bin/sh
case "$*" in *BatchMode=yes*) ;; *) sleep 60;; esac
[ "$SSH_AUTH_SOCK" = /agent ] || { echo 'Permission denied (publickey).' >&2; exit 255; }
for last; do :; done
exec sh -c "$last"
`;
  writeFileSync(join(bin, 'ssh'), ssh, { mode: 0o755 });
  const said: string[] = [];
  const { signal } = new AbortController();
  const planOnce = async (agent?: string): Promise<string> => {
    said.length = 0;
    const env = { PATH: `${bin}:${process.env.PATH}`, SSH_AUTH_SOCK: agent };
    const call = makeCall(house, said, { push: true, env });
    await planNew(call, await openWatched(call, signal), signal);
    return said.join('');
  };
  expect(await planOnce()).toMatch(
    /git fetch failed: Permission denied[\s\S]*cannot push [^:]*: Permission denied/,
  );
  expect(await planOnce('/agent')).toContain(`pushed ${BRANCH}\n`);
  expect(house.place.git('ls-remote', bare, BRANCH)).toContain(BRANCH);
});
