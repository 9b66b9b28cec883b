/**
 * Tests a panel whose five seats are at Ollama, at Anthropic's protocol behind a gateway, at a server of
 * one's own whose key a command prints, at a market with prices behind a proxy, and in a coding agent. No
 * answer is paid for twice.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isCall } from '../../src/kernel/call.ts';
import { STAND_IN_PROGRAM } from '../coding-agents/orders.ts';
import { startAnthropic, startOllama, startOpenAI, type TestServer } from '../servers/index.ts';
import { startProxy } from '../servers/proxy.ts';
import { NO_BWRAP, needAll } from '../setup/needs.ts';
import { waitUntil } from '../until.ts';
import { hasBwrap } from '../workshop/bench.ts';
import { answerAnyRequest } from './any-deliberator.ts';
import { runDeliberate } from './calls.ts';
import { factsIn } from './deliberators.ts';
import { Program } from './program.ts';
import { closeAfterTest, makeFolder, viewIn } from './scene.ts';
import { Terminal } from './terminal.ts';

// Files below these folders are hidden in a sandbox.
const isHidden = /^\/(?:tmp|var\/tmp|run|dev)\//.test(import.meta.dirname);
needAll(hasBwrap && !isHidden, NO_BWRAP);

const QUESTION = 'Should we split the monolith, or keep it?';
const PLACES = ['ollama/a', 'gate/a', 'vault/a', 'market/org/a', 'helper/default'] as const;

interface Scene {
  readonly env: Record<string, string>;
  readonly home: string;
  readonly db: string;
  readonly servers: Readonly<Record<'ollama' | 'gate' | 'vault' | 'market', TestServer>>;
  /** Returns how many answers each server was asked for. */
  counts(): Record<string, number>;
}

async function fivePlaces(): Promise<Scene> {
  const options = { models: ['a', 'b', 'org/a'], answer: answerAnyRequest };
  const servers = {
    ollama: closeAfterTest(await startOllama(options)),
    gate: closeAfterTest(await startAnthropic({ ...options, described: 'missing' })),
    vault: closeAfterTest(await startOpenAI(options)),
    market: closeAfterTest(
      await startOpenAI({
        ...options,
        described: {
          pricing: { prompt: '0.000003', completion: '0.000015' },
          context_length: 65_536,
        },
      }),
    ),
  };
  const proxy = await startProxy(servers.market.url);
  const home = makeFolder();
  const own = join(home, '.config', 'deliberate');
  mkdirSync(own, { recursive: true });
  writeFileSync(join(home, 'key'), 'key-of-the-vault\n');
  writeFileSync(
    join(own, 'config.yaml'),
    `servers:
  gate: { speaks: anthropic, url: "${servers.gate.url}", key_env: GATE_KEY }
  vault: { speaks: openai, url: "${servers.vault.url}/v1", key_command: [cat, "${join(home, 'key')}"] }
  market: { speaks: openai, url: "http://market.invalid/v1", key_env: MARKET_KEY }
agents:
  helper: { command: "${process.execPath}", args: ["${STAND_IN_PROGRAM}", "deliberate"] }
`,
  );
  const work = join(home, 'work');
  mkdirSync(work);
  const db = join(home, 'runs.db');
  return {
    home: work,
    db,
    servers,
    env: {
      HOME: home,
      DELIBERATE_DB: db,
      OLLAMA_HOST: servers.ollama.url,
      GATE_KEY: 'key-of-the-gate',
      MARKET_KEY: 'key-of-the-market',
      HTTP_PROXY: proxy.url,
    },
    counts: () =>
      Object.fromEntries(
        Object.entries(servers).map(([name, server]) => [name, server.chats().length]),
      ),
  };
}

const ROLES = ['advocate', 'critic', 'analyst', 'expert', 'generalist'] as const;
const seats = ROLES.flatMap((role, index) => ['--seat', `${role}=${PLACES[index]}`]);

/** Returns how many recorded calls were answered, by seat. */
function countAnswered(db: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const fact of factsIn(db))
    if (isCall(fact) && fact.type === 'call.completed' && fact.inherited !== true)
      counts.set(fact.seat, (counts.get(fact.seat) ?? 0) + 1);
  return counts;
}

it('a board with models at four servers and in a coding agent pays for each answer once, even if killed and resumed', async () => {
  const { env, home, db, servers, counts } = await fivePlaces();
  servers.gate.setBehaviour('a', ['stall-mid-stream', 'stall-mid-stream', 'ok']);
  const board = ['board', ...seats, '--synthesizer', 'market/org/a', '--no-vote'];
  const terminal = new Terminal([...board, QUESTION], { env, cwd: home, columns: 200 });
  await terminal.until(/4 of 5 seats have answered/);
  expect(await terminal.screen()).toMatch(/Advocate.*Critic.*Analyst.*Expert.*Generalist/);
  terminal.press('s');
  await terminal.until(/stopped/i);
  terminal.press('q');
  await terminal.exited;
  expect(servers.gate.chats()[0]?.closedAt).toBeDefined();

  const paid = { ollama: 1, vault: 1, market: 1 };
  expect(counts()).toEqual({ ...paid, gate: 1 });
  const resumed = new Program(['resume', 'latest', '--plain'], { env, cwd: home });
  await waitUntil(() => servers.gate.chats().length === 2, 'second request to the gate');
  resumed.child.kill('SIGKILL');
  await resumed.ended;
  expect(counts()).toEqual({ ...paid, gate: 2 });
  const done = await runDeliberate(['resume', 'latest', '--plain'], { env, cwd: home });
  expect(done.code, done.out + done.err).toBe(0);
  // The second `resume` asked only two models: that of the one seat without an answer, at the server `gate`,
  // and the synthesizer's, at the server `market`.
  expect(counts()).toEqual({ ...paid, market: 2, gate: 3 });
  expect([...countAnswered(db)].sort()).toEqual(
    [...ROLES, 'synthesizer'].map((seat) => [seat, 1]).sort(),
  );
  const parent = viewIn(db).id;

  const toPath = (name: string) => join(home, name);
  await runDeliberate(['export', 'latest', toPath('run.html')], { env, cwd: home });
  await runDeliberate(['export', 'latest', toPath('run.json')], { env, cwd: home });
  const page = readFileSync(toPath('run.html'), 'utf8');
  const whole = readFileSync(toPath('run.json'), 'utf8');
  for (const model of PLACES) {
    expect(page).toContain(model);
    expect(whole).toContain(model);
  }
  // Do not compare the day, because midnight may pass during the test.
  expect(page).toMatch(
    /Prices of market\/org\/a: the models of http:\/\/market\.invalid\/v1, \d{4}-/,
  );
  expect(whole).toMatch(/"source": ?"the models of http:\/\/market\.invalid\/v1"/);
  const shown = await runDeliberate(['show', 'latest'], { env, cwd: home });
  expect(shown.out).toContain('Prices of market/org/a: the models of http://market.invalid/v1');

  const forked = await runDeliberate(
    ['fork', parent, '--at', 'seat/analyst', '--set', 'seat.analyst.model=vault/b', '--plain'],
    { env, cwd: home },
  );
  expect(forked.code, forked.out + forked.err).toBe(0);
  expect(counts()).toEqual({ ollama: 1, vault: 2, market: 3, gate: 3 });
  expect([...countAnswered(db)].sort()).toEqual([
    ['analyst', 1],
    ['synthesizer', 1],
  ]);
  const before = counts();
  const replayed = await runDeliberate(['replay', parent, '--speed', '1000', '--plain'], {
    env,
    cwd: home,
  });
  expect(replayed.code, replayed.out + replayed.err).toBe(0);
  for (const model of PLACES) expect(replayed.out).toContain(`(${model})`);
  expect(counts()).toEqual(before);
});

const FIVE = ['action', 'guardian', 'observer', 'critic'].flatMap((role, index) => [
  ...['--seat', `${role}=${PLACES[index + 1]}`],
]);

it.each([
  [
    'rounds',
    [
      ...['rounds', ...FIVE, '--verifier', 'ollama/a', '--rounds', '1', '--stop-at', 'never'],
      ...['--plain', QUESTION],
    ],
  ],
  [
    'a debate',
    [
      ...[
        'debate',
        '--method',
        'standard',
        ...PLACES.flatMap((place) => ['--seat', `seat=${place}`]),
      ],
      ...['--plain', QUESTION],
    ],
  ],
  [
    'a plan',
    [
      ...['plan', '--synthesizer', 'market/org/a', '--model', 'ollama/a', '--yes', '--plain'],
      ...['platform=gate/a', 'interface=vault/a', 'domain-model=helper'].flatMap((seat) => [
        ...['--seat', seat, '--call-in', seat.split('=')[0] ?? ''],
      ]),
      ...['--call-in', 'product-designer', '--rounds', '1', QUESTION],
    ],
  ],
])('%s with models at four servers and in a coding agent asks all five', async (_what, args) => {
  const { env, home, db, counts } = await fivePlaces();
  const { out, err } = await runDeliberate(args, { env, cwd: home });
  const asked = Object.entries(counts()).filter(([, count]) => count > 0);
  expect(asked.map(([name]) => name).sort(), out + err).toEqual([
    'gate',
    'market',
    'ollama',
    'vault',
  ]);
  expect(out + err + JSON.stringify(factsIn(db))).toContain('helper/default');
});

interface Answer {
  readonly arm?: string;
  readonly models?: readonly string[];
  readonly state?: string;
}

/**
 * Parses the answers of an evaluation from JSON lines, without the versions of models that Ollama reports.
 */
function answersIn(out: string): Answer[] {
  return out
    .trim()
    .split('\n')
    .map((row) => JSON.parse(row) as Answer)
    .filter(({ arm }) => arm !== undefined)
    .map((row) => ({
      ...row,
      models: (row.models ?? []).map((model) => model.split(' ', 1)[0] ?? ''),
    }));
}

it('an evaluation compares a panel of models at four servers and in a coding agent with a model at one server', async () => {
  const { env, home, counts } = await fivePlaces();
  const arms = ['--arms', 'board:full-board,single', '--size', '1', '--model', 'vault/b'];
  const { code, out, err } = await runDeliberate(
    ['eval', 'puzzles', ...arms, '--panel', PLACES.join(','), '--format', 'json', '--yes'],
    { env, cwd: home },
  );
  expect(code, out + err).toBe(0);
  expect(Object.values(counts()).every((count) => count > 0)).toBe(true);
  const answers = answersIn(out);
  const panels = answers.filter(({ arm }) => arm === 'board:full-board');
  expect(panels.map(({ state }) => state)).toEqual(['answered']);
  for (const place of PLACES) expect(panels[0]?.models).toContain(place);
  const alone = answers.filter(({ arm }) => arm === 'single');
  expect(alone.length).toBeGreaterThan(0);
  for (const { models } of alone) expect(models).toEqual(['vault/b']);
});

it.each(PLACES)(
  'an evaluation asks only the model of --model, alone and as every seat of a board, at each kind of server: %s',
  async (place) => {
    const { env, home, counts } = await fivePlaces();
    const arms = ['--arms', 'single,board', '--size', '1', '--model', place];
    const { code, out, err } = await runDeliberate(
      ['eval', 'puzzles', ...arms, '--format', 'json', '--yes'],
      {
        env,
        cwd: home,
      },
    );
    expect(code, out + err).toBe(0);
    const answers = answersIn(out);
    expect(answers.map(({ arm, state }) => [arm, state])).toEqual(
      expect.arrayContaining([
        ['single', 'answered'],
        ['board', 'answered'],
      ]),
    );
    for (const { models } of answers) expect(models).toEqual([place]);
    const [server] = place.split('/');
    for (const [name, count] of Object.entries(counts()))
      expect(count > 0, name).toBe(name === server);
  },
);
