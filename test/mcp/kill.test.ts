/**
 * Promise: client and server can be killed at any moment and started again. The run goes on, no seat that
 * has answered is asked again, and every call answers within 50 s. To its server, a client that was killed
 * is a client whose pipes are closed. Each kind of run is tried in one version of the protocol, and every
 * second moment in each; the long form tries every kind at every moment in both.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answerRequest, factsIn, identityOf } from '../e2e/deliberators.ts';
import { closeAfterTest, makeDatabasePath, makeFolder, viewIn } from '../e2e/scene.ts';
import { LONG } from '../long.ts';
import { startOllama, type TestServer } from '../servers/index.ts';
import { Agent, ERAS, killWorkers, type McpVersion, workersOf } from './agent.ts';

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

interface Scene {
  readonly server: TestServer;
  readonly db: string;
  readonly env: Record<string, string>;
}

async function makeScene(tokensPerSecond: number): Promise<Scene> {
  const server = closeAfterTest(
    await startOllama({ models: ['a', 'b', 'c'], answer: answerRequest, tokensPerSecond }),
  );
  const db = makeDatabasePath();
  onTestFinished(() => killWorkers(db));
  return { server, db, env: { OLLAMA_HOST: server.url } };
}

/**
 * Starts an agent with a seed with which the votes differ. Two votes in equal words would be one question to
 * the model that groups them.
 */
const startIn = ({ db, env }: Scene, era: McpVersion, cwd: string): Promise<Agent> =>
  Agent.start({ era, db, env, cwd, flags: ['--seed', '1'] });

/** A client with a server of its own whose call is cut off, because the server or the client dies. */
class Life {
  readonly agent: Agent;
  readonly #call: Promise<unknown>;

  constructor(agent: Agent, given: Readonly<Record<string, unknown>>) {
    this.agent = agent;
    this.#call = agent.call('convene', given).catch(() => undefined);
  }

  async end(side: 'client' | 'server'): Promise<void> {
    const { transport, client } = this.agent;
    if (side === 'server') cutOff(transport.pid);
    else await client.close();
    await this.#call;
  }
}

/** Kills a process. An id of 0, which would mean the whole group, is refused. */
function cutOff(pid: number | null | undefined): void {
  if (!pid) throw new Error('it has ended before it could be killed');
  process.kill(pid, 'SIGKILL');
}

/** Checks that there is one run, in which every request was sent once and answered once. */
function checkPaidOnce({ server, db }: Scene): void {
  const asked = server.chats().map(identityOf);
  expect(new Set(asked).size).toBe(asked.length);
  expect(server.chats().every(({ closedAt }) => closedAt === undefined)).toBe(true);
  const facts = factsIn(db);
  expect(facts.filter(({ type }) => type === 'run.resumed')).toEqual([]);
  expect(facts.filter(({ type }) => type === 'call.completed')).toHaveLength(asked.length);
}

const PHASES = [
  { kind: 'board', wish: BOARD, moments: LONG ? [1, 3, 4, 5] : [1, 4, 5], rate: 60 },
  { kind: 'rounds', wish: ROUNDS, moments: LONG ? [1, 4, 8, 14, 20] : [2, 8, 20], rate: 400 },
];
/** Milliseconds after a call by which a run is begun: each era has every second. */
const BEGINNING = [0, 60, 120, 180, 240, 320, 450];

describe.each(ERAS)('in the %s version of the Model Context Protocol', (era) => {
  const isTried = (at: number): boolean => LONG || at % 2 === (era === 'legacy' ? 0 : 1);

  it.each(PHASES.filter((_, at) => isTried(at)))(
    'a run of the kind $kind is completed, and no request is sent twice, although `deliberate mcp` is killed or its client closed at several moments',
    async ({ wish, moments, rate }) => {
      const around = await makeScene(rate);
      const cwd = makeFolder();
      for (const [at, moment] of moments.entries()) {
        const agent = await startIn(around, era, cwd);
        const life = new Life(agent, { ...wish, wait_seconds: 45 });
        await around.server.waitForChat(moment);
        await life.end(at % 2 === 0 ? 'server' : 'client');
      }
      const agent = await startIn(around, era, cwd);
      let told = await agent.call('convene', wish);
      while (told.standing.status === 'running')
        told = await agent.call('wait', { run: told.standing.run });
      expect(told.standing).toMatchObject({ status: 'done', seats: { missing: [] } });
      checkPaidOnce(around);
    },
  );

  it('no call is paid for twice if `deliberate mcp` is killed at the start of a run', async () => {
    const around = await makeScene(0);
    const cwd = makeFolder();
    const next = await startIn(around, era, cwd);
    for (const [at, ms] of BEGINNING.entries()) {
      if (!isTried(at)) continue;
      const wish = { ...BOARD, question: `Should we split part ${at}?` };
      const life = new Life(await startIn(around, era, cwd), { ...wish, wait_seconds: 0 });
      await sleep(ms);
      await life.end('server');
      let told = await next.call('convene', wish);
      // The status `interrupted` means that no process works on the run, or that one is only about to start.
      // Resume the run in both cases.
      if (told.standing.status === 'interrupted') {
        const { run } = told.standing;
        told = await next.call('wait', { run, resume: true });
      }
      expect(told.standing.status, `after ${ms} ms`).toBe('done');
      const asked = around.server.chats().map(identityOf);
      expect(new Set(asked).size, `after ${ms} ms`).toBe(asked.length);
    }
  });
});

it('an MCP client can resume a run whose process was killed, from the last recorded step', async () => {
  const around = await makeScene(60);
  const agent = await startIn(around, 'legacy', makeFolder());
  const begun = await agent.call('convene', { ...BOARD, wait_seconds: 0 });
  const { run } = begun.standing;
  await around.server.waitForChat(4);
  const [worker] = workersOf(around.db).values();
  cutOff(worker);
  const waited = await agent.call('wait', { run, wait_seconds: 20 });
  expect(waited.standing.status).toBe('interrupted');
  const answered = Object.values(viewIn(around.db).calls).filter(({ state }) => state === 'done');
  expect(answered.length).toBeGreaterThan(0);
  const done = await agent.call('wait', { run, resume: true });
  expect(done.standing).toMatchObject({ status: 'done', seats: { answered: 3, of: 3 } });
  const again = around.server.chats().map(identityOf);
  // Only the call that was running at the kill is asked again.
  expect(again.length - new Set(again).size).toBeLessThanOrEqual(1);
});

it('if several MCP clients resume one run at the same moment, only one of them continues the run', async () => {
  const around = await makeScene(60);
  const cwd = makeFolder();
  const agents = await Promise.all([1, 2, 3].map(() => startIn(around, 'modern', cwd)));
  const begun = await agents[0]?.call('convene', { ...BOARD, wait_seconds: 0 });
  const run = begun?.standing.run;
  await around.server.waitForChat(4);
  for (const worker of workersOf(around.db).values()) cutOff(worker);
  const told = await Promise.all(agents.map((agent) => agent.call('wait', { run, resume: true })));
  for (const answer of told)
    expect(answer.standing, answer.text).toMatchObject({ run, status: 'done' });
  const again = around.server.chats().map(identityOf);
  expect(again.length - new Set(again).size).toBeLessThanOrEqual(1);
});
