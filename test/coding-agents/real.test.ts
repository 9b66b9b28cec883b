/**
 * Real agents against a model server of ours whose model wants to write a file: the long test, by hand.
 * `DELIBERATE_REAL_AGENTS` names a folder in whose `node_modules` some of them are installed.
 */
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CodingAgent } from '../../src/coding-agents/agent.ts';
import { builtInAgents } from '../../src/coding-agents/built-in.ts';
import { measureAgent } from '../../src/coding-agents/probe.ts';
import { startAnthropic } from '../servers/anthropic.ts';
import type { RecordedRequest, ServerOptions, TestServer } from '../servers/http.ts';
import { startOpenAI } from '../servers/openai.ts';
import { startResponses } from '../servers/responses.ts';
import { needAll } from '../setup/needs.ts';
import { hasBwrap } from '../workshop/bench.ts';
import { type AgentPlace, makeAgentPlace, seatOf, writeFile } from './seat.ts';

const FOLDER = process.env.DELIBERATE_REAL_AGENTS ?? '';
const BIN = join(FOLDER, 'node_modules/.bin');

/**
 * How each real agent is directed to a test server: the protocol, the environment variables and the
 * settings.
 */
const WAYS: ReadonlyMap<
  string,
  {
    readonly start: (options: ServerOptions) => Promise<TestServer>;
    readonly env: (url: string) => Record<string, string>;
    readonly settings?: (url: string) => readonly [path: string, text: string];
  }
> = new Map([
  [
    'claude-code',
    {
      start: startAnthropic,
      env: (url: string) => ({
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_AUTH_TOKEN: 'token-of-the-test',
        ANTHROPIC_MODEL: 'm1',
        ANTHROPIC_SMALL_FAST_MODEL: 'm1',
      }),
    },
  ],
  [
    'codex',
    {
      start: startResponses,
      env: () => ({ LOCAL_KEY: 'token-of-the-test' }),
      settings: (url: string) => [
        '.codex/config.toml',
        `model = "m1"\nmodel_provider = "local"\n[model_providers.local]\nname = "local"\nbase_url = "${url}/v1"\nenv_key = "LOCAL_KEY"\nwire_api = "responses"\n`,
      ],
    },
  ],
  [
    'opencode',
    {
      start: startOpenAI,
      env: () => ({}),
      settings: (url: string) => [
        '.config/opencode/opencode.json',
        JSON.stringify({
          model: 'local/m1',
          small_model: 'local/m1',
          provider: {
            local: {
              npm: '@ai-sdk/openai-compatible',
              name: 'Local',
              models: { m1: { name: 'm1' } },
              options: { baseURL: `${url}/v1`, apiKey: 'token-of-the-test' },
            },
          },
        }),
      ],
    },
  ],
  [
    'qwen-code',
    {
      start: startOpenAI,
      env: (url: string) => ({
        OPENAI_BASE_URL: `${url}/v1`,
        OPENAI_API_KEY: 'token-of-the-test',
        OPENAI_MODEL: 'm1',
      }),
    },
  ],
]);

needAll(FOLDER !== '' && hasBwrap, 'DELIBERATE_REAL_AGENTS names no folder with real agents');

const installed = builtInAgents().filter(
  ({ name, command }) => WAYS.has(name) && FOLDER !== '' && existsSync(join(BIN, command)),
);

it.skipIf(installed.length === 0)(
  'at least one real coding agent is installed (skipped if there is none)',
  () => {
    expect(installed.length).toBeGreaterThan(0);
  },
);

describe.each(installed.map((agent) => [agent.name, agent] as const))(
  'The installed agent %s',
  (name, known) => {
    it("passes the doctor's test in a sandbox, with an answer in the form of the schema", async () => {
      const { place, agent, server } = await prepareAgent(name, known);
      const measured = await measureAgent(agent, {
        env: place.env,
        unsandboxed: false,
        quick: false,
        idleMs: 120_000,
      });
      console.log(JSON.stringify(measured), `${server.chats().length} requests`);
      expect(measured).toMatchObject({ sandbox: 'bwrap', followsSchema: true });
      expect(measured.failure).toBeUndefined();
      await server.close();
    }, 300_000);

    it('changes nothing in the folder that it reads, even if its model tries to write', async () => {
      const { place, agent, server } = await prepareAgent(name, known);
      const { ask, provider } = seatOf(place, agent);
      const messages = [{ role: 'user' as const, parts: [{ text: 'Write probe.txt now.' }] }];
      const { attempt, text } = await ask({ messages }, { idleMs: 120_000 });
      console.log(JSON.stringify({ text, attempt }));
      expect(attempt.ok).toBe(true);
      expect(readdirSync(place.folder).sort()).toEqual(['.git', 'a.txt']);
      await provider.endRun?.('run');
      await server.close();
    }, 300_000);
  },
);

async function prepareAgent(
  name: string,
  known: CodingAgent,
): Promise<{ place: AgentPlace; agent: CodingAgent; server: TestServer }> {
  const way = WAYS.get(name);
  if (way === undefined) throw new Error(name);
  const place = makeAgentPlace();
  const server = await way.start({
    models: ['m1'],
    tokensPerSecond: 50,
    answer: (request) =>
      asksFor(request, 'Name a color')
        ? '{"color":"blue","number":7}'
        : 'It builds software again and again, the same way each time.',
    calls: (request, results) =>
      asksFor(request, 'probe.txt') && results.length === 0 ? writeCall(request, place) : undefined,
  });
  const own = way.env(server.url);
  Object.assign(place.env, own, { PATH: `${BIN}${delimiter}${place.env.PATH ?? ''}` });
  const [path, text] = way.settings?.(server.url) ?? [];
  if (path !== undefined && text !== undefined) writeFile(join(place.home, path), text);
  const agent = { ...known, env: Object.keys(own) };
  return { place, agent, server };
}

function asksFor({ body }: RecordedRequest, words: string): boolean {
  return JSON.stringify(body).includes(words);
}

/**
 * Returns a call that writes the file `probe.txt`, by the first tool in the request that can write files.
 * Undefined if the request has no such tool.
 */
function writeCall({ body }: RecordedRequest, place: AgentPlace) {
  const tools = (body?.tools ?? []) as readonly Record<string, unknown>[];
  const described = tools.map((tool) => (tool.function ?? tool) as Record<string, unknown>);
  const names = [
    'Write',
    'write',
    'write_file',
    'exec_command',
    'shell',
    'shell_command',
    'bash',
    'Bash',
  ];
  const tool = names
    .map((wanted) => described.find(({ name }) => name === wanted))
    .find((tool) => tool !== undefined);
  if (tool === undefined) return undefined;
  const schema = (tool.parameters ?? tool.input_schema ?? {}) as {
    properties?: Record<string, { type?: string }>;
  };
  const folder =
    /\/[^\s"\\]*\/agents\/[a-z-]+-\w{6}\/work/.exec(JSON.stringify(body))?.[0] ?? place.folder;
  const args = Object.fromEntries(
    Object.entries(schema.properties ?? {}).flatMap(([key, { type }]): [string, unknown][] => {
      if (/path/i.test(key)) return [[key, join(folder, 'probe.txt')]];
      if (key === 'content') return [[key, 'probe']];
      if (key === 'command' && type === 'array')
        return [[key, ['sh', '-c', 'echo probe > probe.txt']]];
      if (key === 'command' || key === 'cmd')
        return [[key, `echo probe > ${join(folder, 'probe.txt')}`]];
      return [];
    }),
  );
  return { calls: [{ name: String(tool.name), arguments: args }] };
}
