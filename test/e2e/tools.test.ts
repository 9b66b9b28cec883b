/**
 * Tests tools of MCP servers through the real program: who may name them, and what a run records of them.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sourcesOf } from '../../src/kernel/tools/sources.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { startOllama } from '../servers/index.ts';
import { MCP_PROGRAM, SEARCH_SECRET } from '../servers/tool-servers.ts';
import { waitUntil } from '../until.ts';
import { runDeliberate } from './calls.ts';
import { Program } from './program.ts';
import { closeAfterTest, makeDatabasePath, makeFolder } from './scene.ts';

const READS = { readOnlyHint: true };
const SEARCH = { calls: [{ name: 'search__search', arguments: { query: 'queues' } }] };

/**
 * Creates a home whose configuration names the test program in this mode, and a model that uses its tool.
 */
async function makeScene(
  mode: string,
  behaviours: readonly ('ok' | 'stall-mid-stream')[] = ['ok'],
) {
  const home = makeFolder();
  const file = join(home, 'started');
  mkdirSync(join(home, '.config/deliberate'), { recursive: true });
  const command = JSON.stringify([process.execPath, MCP_PROGRAM, mode, file]);
  const settings = `tools:\n  search:\n    command: ${command}\n    env: [GIVEN]\n`;
  writeFileSync(join(home, '.config/deliberate/config.yaml'), settings);
  const server = closeAfterTest(
    await startOllama({
      models: ['a', 'chair'],
      takesTools: true,
      answer: 'It holds forty (S-1#L2).',
      calls: (_request, results) => (results.length === 0 ? SEARCH : undefined),
      behaviours: { a: behaviours },
    }),
  );
  const db = makeDatabasePath();
  const env = { HOME: home, OLLAMA_HOST: server.url, DELIBERATE_DB: db, GIVEN: SEARCH_SECRET };
  const seats = ['--seat', 'critic=ollama/a', '--synthesizer', 'ollama/chair', '--no-vote'];
  return { home, file, db, env, server, board: ['board', ...seats, '--plain'] };
}

function readSources(db: string, run = 'latest') {
  const store = Store.open(db, FACTS);
  try {
    return sourcesOf(store.facts(store.find(run)));
  } finally {
    store.close();
  }
}

const countStarts = (file: string): number => readFileSync(file, 'utf8').split('\n').length - 1;

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return true;
  }
}

/** A person's own protocol whose call may use tools. */
const OWN = `import { protocol } from 'deliberate/protocol';
export default protocol({ name: 'mine', seats: { a: 'You look.' },
  run: async ({ question, ask, conclude }) => conclude(await ask('one', 'a', question, { look: true })) });
`;

describe('a rehearsal with --tools', () => {
  /** Returns, for each protocol, the tools that its runs used, with their arguments. */
  function readUsedTools(db: string): Map<string, Set<string>> {
    const store = Store.open(db, FACTS);
    try {
      const lines = store
        .list()
        .flatMap(({ id, protocol }) =>
          sourcesOf(store.facts(id)).map(
            ({ tool, about }) => [protocol, `${tool} ${about}`] as const,
          ),
        );
      return new Map(
        [...Map.groupBy(lines, ([protocol]) => protocol)].map(([name, all]) => [
          name,
          new Set(all.map(([, line]) => line)),
        ]),
      );
    } finally {
      store.close();
    }
  }

  it('calls the server’s tool in boards, debates, rounds, agents, plans, own protocols and evaluations, and a board cites the result', async () => {
    const { home, db, env, file } = await makeScene('counts');
    writeFileSync(join(home, 'mine.ts'), OWN);
    const callWithTools = async (...args: string[]) => {
      const words = ['--rehearse', '--rehearse-speed', '1000', '--tools', 'search', '--plain'];
      return runDeliberate([...args, ...words], { env, cwd: home });
    };
    const question = 'Should we split the monolith?';
    const board = await callWithTools('board', question);
    expect([board.code, board.out]).toEqual([0, expect.stringContaining('Looked at S-1#L1.')]);
    for (const args of [
      ['run', 'mine.ts', question],
      ['debate', '--method', 'standard', question],
      ['rounds', '--rounds', '1', question],
      // The agent `design-team` leads a team of agents, but its run is no run of the protocol `team`.
      ['agent', 'design-team', question],
      ['plan', '--yes'],
    ])
      expect([args[0], (await callWithTools(...args)).code]).toEqual([args[0], 0]);
    const tools = readUsedTools(db);
    expect([...tools.keys()].sort()).toEqual(
      ['agent', 'board', 'debate', 'mine', 'plan', 'rounds'].sort(),
    );
    for (const [name, lines] of tools)
      expect([
        name,
        [...lines].filter((line) => line.startsWith('search__search query: "')),
      ]).toEqual([name, [expect.stringMatching(/^search__search query: "[\w ]+"$/)]]);
    const outcomes = join(home, 'answers.jsonl');
    const evaluation = [
      ...['eval', 'puzzles', '--arms', 'single,board', '--size', '1', '--seed', '3'],
      ...[
        '--rehearse',
        '--rehearse-speed',
        '1000',
        '--tools',
        'search',
        '--plain',
        '--to',
        outcomes,
      ],
    ];
    expect(await runDeliberate([...evaluation, '--format', 'json'], { env })).toMatchObject({
      code: 0,
    });
    const arms = readFileSync(outcomes, 'utf8').trim().split('\n');
    expect(arms.length).toBeGreaterThan(1);
    for (const row of arms)
      expect(readSources(db, JSON.parse(row).run).map(({ tool }) => tool)).toContain(
        'search__search',
      );
    // The tool server is started once for each run or evaluation, and not for an estimate.
    expect(countStarts(file)).toBe(7);
    expect((await callWithTools('plan', '--estimate')).code).toBe(0);
    const [, ...planned] = evaluation;
    expect((await runDeliberate(['eval', 'plan', ...planned.slice(0, -2)], { env })).code).toBe(0);
    expect(countStarts(file)).toBe(7);
  });
});

describe('--tools', () => {
  it('lets a seat use a person’s own tool server, whose key is not recorded', async () => {
    const { db, env, board } = await makeScene('environment');
    const { code, err } = await runDeliberate([...board, '--tools', 'search', 'How many?'], {
      env,
    });
    expect(code).toBe(0);
    expect(err).toContain(
      'search: seats may use search, peek; 1 other not offered: only those with plain names that are marked read-only or allowed, at most 40',
    );
    expect(err).toContain('Critic: S-1 search__search query: "queues"');
    const { out } = await runDeliberate(['export', 'latest', '--format', 'markdown'], { env });
    expect(out).toMatch(
      /As a server answered then[\s\S]*- S-1: search \(test-search 1\.0\) on \d{4}-\d\d-\d\d at \d\d:\d\d UTC/,
    );
    expect(readSources(db)[0]?.text).toContain('"GIVEN":"[key]"');
    expect(readFileSync(db, 'latin1')).not.toContain(SEARCH_SECRET);
  });

  it('repeats no tool call if the program is killed between two turns', async () => {
    const { db, env, board, file, server } = await makeScene('counts', [
      'ok',
      'stall-mid-stream',
      'ok',
    ]);
    const begun = new Program([...board, '--tools', 'search', 'How many?'], { env });
    await server.waitForChat(2);
    await begun.waitForStderr(/S-1 search__search/);
    const pid = Number(readFileSync(file, 'utf8'));
    begun.child.kill('SIGKILL');
    await begun.ended;
    await waitUntil(() => isGone(pid), 'end of the server');
    const resumed = await runDeliberate(['resume', 'latest', '--plain'], { env });
    expect([resumed.code, resumed.out]).toEqual([0, expect.stringContaining('It holds forty')]);
    // The resumed run did not start the tool server again, because the only result that it needs from this
    // server is on record.
    expect(countStarts(file)).toBe(1);
    expect(readSources(db).map(({ text }) => text)).toEqual(['call 1']);
    const forked = ['fork', 'latest', '--at', 'synthesis/1', '--set', 'synthesizer=ollama/a'];
    expect((await runDeliberate([...forked, '--plain'], { env })).code).toBe(0);
    expect((await runDeliberate(['replay', 'latest', '--plain'], { env })).err).toContain(
      'S-1 search',
    );
    expect(countStarts(file)).toBe(1);

    // In another database, as on another machine, nobody has named the tool server for the imported run, so a
    // follow-up question is refused.
    const { out } = await runDeliberate(['export', 'latest', '--format', 'json'], { env });
    const there = { ...env, DELIBERATE_DB: makeDatabasePath() };
    await runDeliberate(['import', '-'], { env: there, input: out });
    const refused = await runDeliberate(['ask', 'latest', 'And now?', '--plain'], { env: there });
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining('the tool server search, which nobody has named for it'),
    ]);
    const named = ['ask', 'latest', 'And now?', '--plain', '--tools', 'search'];
    expect((await runDeliberate(named, { env: there })).code).toBe(0);
  });

  it('is refused before any model is asked if the server is unknown, named twice, or lacks an environment variable', async () => {
    const { home, env, board, file, server } = await makeScene('counts');
    writeFileSync(
      join(home, 'mcp.json'),
      JSON.stringify({
        mcpServers: { Search_It: { command: process.execPath, args: [MCP_PROGRAM, `\${MODE}`] } },
      }),
    );
    const tryFlags = async (...flags: string[]): Promise<readonly [number | null, string]> => {
      const { code, err } = await runDeliberate([...board, ...flags, 'How many?'], {
        env,
        cwd: home,
      });
      return [code, err];
    };
    const cases: readonly (readonly [readonly string[], number, string])[] = [
      [['--tools', 'serch'], 2, 'your configuration has no such server\nDid you mean search?'],
      [['--tools', 'constructor'], 2, 'your configuration has no such server'],
      [['--tools', 'search', '--tools', 'search'], 2, '--tools names search twice'],
      [['--tools', 'no.json#x'], 2, 'no.json: no such file'],
      [['--tools', 'mcp.json'], 2, 'name one of its servers\nExample: --tools mcp.json#Search_It'],
      [['--tools', 'mcp.json#toString'], 2, 'the file has no such server'],
      [['--tools', 'mcp.json#Search_It'], 2, 'MODE is not set in your environment'],
    ];
    for (const [flags, code, why] of cases)
      expect(await tryFlags(...flags)).toEqual([code, expect.stringContaining(why)]);
    expect(existsSync(file)).toBe(false);
    expect(server.chats()).toEqual([]);
    const filled = await runDeliberate([...board, '--tools', 'mcp.json#Search_It', 'How many?'], {
      env: { ...env, MODE: 'well' },
      cwd: home,
    });
    expect(filled.err).toContain('search-it: seats may use search, peek');
    const unset = await runDeliberate([...board, '--tools', 'search', 'How many?'], {
      env: { ...env, GIVEN: '' },
    });
    expect(unset.err).toContain('tools search: GIVEN is not set in your environment');
    // An estimate starts no tool server.
    const estimate = await runDeliberate([...board, '--tools', 'search', '--estimate', 'Why?'], {
      env,
    });
    expect(estimate.code).toBe(0);
    expect(existsSync(file)).toBe(false);
  });

  it('ends with an error before any model is asked if the server does not start', async () => {
    const { env, board, server } = await makeScene('broken');
    const { code, err } = await runDeliberate([...board, '--tools', 'search', 'How many?'], {
      env,
    });
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(
        'tool server search: its program ended with 2. It said: SEARCH_API_KEY is missing',
      ),
    ]);
    expect(server.chats()).toEqual([]);
    const doctor = await runDeliberate(['doctor', '--quick'], { env });
    expect(doctor.out).toContain('fail  tools search: its program ended with 2');
  });

  it('reveals no secret of a server’s headers, address or arguments', async () => {
    const { home, env, db } = await makeScene('well');
    const repeats = createServer(async (request, response) => {
      let body = '';
      for await (const part of request) body += String(part);
      const { id, method, params } = JSON.parse(body || '{}');
      const text = JSON.stringify([request.headers, request.url]);
      const result = {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: text, version: '1' },
        content: [{ type: 'text', text }],
        tools: [
          { name: 'say', description: text, inputSchema: { type: 'object' }, annotations: READS },
        ],
      };
      const message = JSON.stringify({ jsonrpc: '2.0', id, result });
      response.writeHead(request.method !== 'POST' ? 405 : id === undefined ? 202 : 200, {
        'content-type': 'application/json',
      });
      response.end(method === undefined || id === undefined ? '' : message);
    });
    await new Promise<void>((resolve) => repeats.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void repeats.close());
    const { port } = repeats.address() as AddressInfo;
    const secrets = ['hdr-5f0e1c2d3b4a', 'qry-99aa88bb77cc', 'arg-0011223344ff'];
    const [inHeader, inQuery, inArgument] = secrets;
    const command = [process.execPath, MCP_PROGRAM, 'argv', '--api-key', inArgument];
    writeFileSync(
      join(home, '.config/deliberate/config.yaml'),
      [
        'tools:',
        '  there:',
        `    url: "http://127.0.0.1:${port}/mcp?api_key=${inQuery}"`,
        `    headers: { X-Api-Key: ${inHeader}, X-Team: platform }`,
        '  here:',
        `    command: ${JSON.stringify(command)}`,
        '',
      ].join('\n'),
    );
    const ended = [
      await runDeliberate(
        [
          'board',
          '--rehearse',
          '--rehearse-speed',
          '1000',
          '--tools',
          'there',
          '--tools',
          'here',
        ].concat(['--json', 'Why not?']),
        { env },
      ),
      await runDeliberate(['doctor', '--quick'], { env }),
      await runDeliberate(['config'], { env }),
      await runDeliberate(['config', '--json'], { env }),
      await runDeliberate(['export', 'latest', '--format', 'json'], { env }),
    ];
    expect([ended[0]?.code, ended[0]?.err]).toEqual([0, expect.any(String)]);
    const texts = readSources(db).map(({ text }) => text);
    expect(texts.join()).toContain('"x-team":"platform"');
    expect(texts.join()).toContain('--api-key');
    for (const secret of secrets) {
      for (const { out, err } of ended) expect(out + err).not.toContain(secret);
      expect(readFileSync(db, 'latin1')).not.toContain(secret);
    }
  });

  it('is refused if a project’s config.yaml defines the server', async () => {
    const { home, env } = await makeScene('well');
    mkdirSync(join(home, 'project/.deliberate'), { recursive: true });
    writeFileSync(
      join(home, 'project/.deliberate/config.yaml'),
      'tools:\n  search:\n    command: [touch, started]\n',
    );
    const ended = await runDeliberate(['board', '--rehearse', '--tools', 'search', 'Why?'], {
      cwd: join(home, 'project'),
      env,
    });
    expect([ended.code, ended.err]).toEqual([
      1,
      expect.stringContaining('tools: only your own file may set this'),
    ]);
  });
});
