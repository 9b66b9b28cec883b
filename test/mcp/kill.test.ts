/**
 * Promise: client and server can be killed at any moment and started again. The run goes on, nobody who
 * has answered is asked again, and every call answers within 50 s.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Standing } from '../../src/mcp/standing.ts';
import { deliberate, factsIn, identityOf } from '../e2e/deliberators.ts';
import { database, folder, serve, viewIn } from '../e2e/scene.ts';
import { startOllama, type TestServer } from '../servers/index.ts';
import { type Child, startScript } from '../store/child.ts';
import { Agent, ERAS, type Era, killWorkers, startOf, workersOf } from './agent.ts';

const BOARD = {
  question: 'Should we split the monolith?',
  seats: ['advocate=ollama/a', 'critic=ollama/b', 'analyst=ollama/c'],
};
const ROUNDS = {
  question: 'Should we split it?',
  kind: 'rounds',
  rounds: 1,
  seats: ['action=ollama/a', 'guardian=ollama/b', 'observer=ollama/c', 'critic=ollama/a'],
};
const LONGEST_MS = 50_000;

interface Scene {
  readonly server: TestServer;
  readonly db: string;
  readonly env: Record<string, string>;
}

async function scene(tokensPerSecond: number): Promise<Scene> {
  const server = serve(
    await startOllama({ models: ['a', 'b', 'c'], answer: deliberate, tokensPerSecond }),
  );
  const db = database();
  onTestFinished(() => killWorkers(db));
  const env = { OLLAMA_HOST: server.url, DELIBERATE_DB: db, HOME: folder() };
  return { server, db, env };
}

/** A client that calls a tool once, with a server of its own. */
class Life {
  readonly child: Child;
  readonly server: Promise<number>;

  constructor(era: Era, { env }: Scene, name: string, given: object) {
    const start = [process.execPath, ...startOf([])];
    this.child = startScript(
      import.meta.url,
      './client.ts',
      [era, ...start, '--', name, JSON.stringify(given)],
      { env: { PATH: process.env.PATH ?? '', ...env }, cwd: env.HOME ?? '' },
    );
    this.server = this.child.says<{ server: number }>().then(({ server }) => server);
  }

  async kill(): Promise<void> {
    try {
      process.kill(await this.server, 'SIGKILL');
    } catch (error) {
      // It has answered, and its client has ended it.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
    await this.child.kill();
  }

  async answer(): Promise<Standing> {
    await this.server;
    const { result, took } = await this.child.says<{
      result: { structuredContent: Standing };
      took: number;
    }>();
    expect(took).toBeLessThan(LONGEST_MS);
    return result.structuredContent;
  }
}

/** One run, in which every request was sent once and answered once. */
function checkPaidOnce({ server, db }: Scene): void {
  const asked = server.chats().map(identityOf);
  expect(new Set(asked).size).toBe(asked.length);
  expect(server.chats().every(({ closedAt }) => closedAt === undefined)).toBe(true);
  const facts = factsIn(db);
  expect(facts.filter(({ type }) => type === 'run.resumed')).toEqual([]);
  expect(facts.filter(({ type }) => type === 'call.completed')).toHaveLength(asked.length);
}

describe.each(ERAS)('in the %s era', (era) => {
  it.each([
    ['board', BOARD, [1, 3, 4, 5], 60],
    ['rounds', ROUNDS, [1, 4, 8, 14, 20], 400],
  ] as const)(
    'a %s goes on while client and server are killed in every phase',
    async (_, wish, moments, rate) => {
      const around = await scene(rate);
      for (const moment of moments) {
        const life = new Life(era, around, 'convene', { ...wish, wait_seconds: 45 });
        await Promise.all([life.server, around.server.chat(moment)]);
        await life.kill();
      }
      let standing = await new Life(era, around, 'convene', wish).answer();
      while (standing.status === 'running')
        standing = await new Life(era, around, 'wait', { run: standing.run }).answer();
      expect(standing).toMatchObject({ status: 'done', seats: { missing: [] } });
      checkPaidOnce(around);
    },
  );

  it('nothing is paid twice where they are killed while a run is begun', async () => {
    for (const ms of [0, 60, 120, 180, 240, 320, 450]) {
      const around = await scene(0);
      const life = new Life(era, around, 'convene', { ...BOARD, wait_seconds: 0 });
      await life.server;
      await sleep(ms);
      await life.kill();
      const agent = await Agent.start({
        era,
        flags: [],
        cwd: around.env.HOME ?? '',
        env: around.env,
        db: around.db,
      });
      let told = await agent.call('convene', BOARD);
      // Recorded, and nobody had begun to work on it.
      if (told.is.status === 'interrupted')
        told = await agent.call('wait', { run: told.is.run, resume: true });
      expect(told.is.status, `after ${ms} ms`).toBe('done');
      const asked = around.server.chats().map(identityOf);
      expect(new Set(asked).size, `after ${ms} ms`).toBe(asked.length);
    }
  });

  it('a run whose own process was killed goes on where it was', async () => {
    const around = await scene(60);
    const agent = await Agent.start({
      era,
      flags: [],
      cwd: around.env.HOME ?? '',
      env: around.env,
      db: around.db,
    });
    const begun = await agent.call('convene', { ...BOARD, wait_seconds: 0 });
    const { run } = begun.is;
    await around.server.chat(4);
    const [worker] = workersOf(around.db).values();
    process.kill(worker ?? 0, 'SIGKILL');
    const waited = await agent.call('wait', { run, wait_seconds: 20 });
    expect(waited.is.status).toBe('interrupted');
    const answered = Object.values(viewIn(around.db).calls).filter(({ state }) => state === 'done');
    expect(answered.length).toBeGreaterThan(0);
    const done = await agent.call('wait', { run, resume: true });
    expect(done.is).toMatchObject({ status: 'done', seats: { answered: 3, of: 3 } });
    const again = around.server.chats().map(identityOf);
    // What was on its way when it was killed is asked again, and nothing else.
    expect(again.length - new Set(again).size).toBeLessThanOrEqual(1);
  });
});
