/** The topics of a branch are planned as they come, once each, where nobody works. */
import { expect, it } from 'vitest';
import { readFlags } from '../../src/app/flags.ts';
import type { Invocation } from '../../src/app/invocation.ts';
import { openWatched, planNew } from '../../src/protocols/plan/desk/watch.ts';
import type { Program } from '../e2e/program.ts';
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

  /** How often a plan was made, by the store. */
  async plans(): Promise<number> {
    const { out } = await this.call(['list', '--json']);
    return out.split('\n').filter(Boolean).length;
  }
}

async function stop(program: Program): Promise<void> {
  program.child.kill('SIGINT');
  expect((await program.ended).code).toBe(130);
}

it('a topic becomes a commit on a branch of its own, and is not planned again', async () => {
  const house = new Watched();
  const first = house.watch();
  await first.says(/deliberate\/plan\/clock: \d+ files/);
  await stop(first);
  expect(house.place.git('diff', '--name-only', house.branch, BRANCH)).toContain(SPEC);
  expect(house.place.git('log', '-1', '--format=%s', BRANCH)).toMatch(/^Plan Let sessions/);
  // Nobody's own files are touched.
  expect([house.has(SPEC), house.has(STATUS)]).toEqual([false, false]);
  expect(house.place.git('status', '--porcelain')).toBe('');

  const call = {
    ...{ command: 'plan', words: [], stdin: process.stdin },
    flags: readFlags({
      rehearse: true,
      repo: house.folder,
      branch: house.branch,
      db: house.database,
    }),
    env: { PATH: process.env.PATH, HOME: '/nonexistent', XDG_STATE_HOME: house.state },
    err: { write: () => true },
    out: { write: () => true },
  } as unknown as Invocation;
  const { signal } = new AbortController();
  for (let poll = 0; poll < 10; poll += 1)
    expect(await planNew(call, await openWatched(call, signal), signal)).toBe(0);
  expect(await house.plans()).toBe(1);

  house.write(TOPIC_FILE, '# Let sessions and forms last for a day\n');
  house.keep('Change the topic');
  const second = house.watch();
  await second.says(/deliberate\/plan\/clock: \d+ files/);
  await stop(second);
  expect(await house.plans()).toBe(2);
});

it('a plan whose process was killed is gone on with', async () => {
  const house = new Watched();
  const killed = house.watch('3');
  await killed.says(/Chair has answered/);
  killed.child.kill('SIGKILL');
  await killed.ended;
  const again = house.watch();
  await again.says(/deliberate\/plan\/clock: \d+ files/);
  await stop(again);
  expect(await house.plans()).toBe(1);
});

it('says what it cannot watch', async () => {
  const house = new Watched();
  for (const [args, says] of [
    [['--watch', '--branch', 'nowhere'], /there is no branch nowhere/],
    [['--watch', '--repo', temporaryFolder()], /this is no git repository/],
    [['--watch', TOPIC_FILE], /takes no topic/],
    [['--push', TOPIC_FILE], /--push requires --watch/],
  ] as const) {
    const { code, err } = await house.call(['plan', ...args], { XDG_STATE_HOME: house.state });
    expect([code, err]).toEqual([2, expect.stringMatching(says)]);
  }
});
