/**
 * Tests the README's lines about servers, an agent and a search server, each with a server of the same
 * shape.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { serversOf } from '../../src/app/settings/servers.ts';
import { STAND_IN_PROGRAM } from '../coding-agents/orders.ts';
import { startOllama, startOpenAI } from '../servers/index.ts';
import { MCP_PROGRAM, SEARCH_SECRET } from '../servers/tool-servers.ts';
import { NO_BWRAP, needAll } from '../setup/needs.ts';
import { hasBwrap } from '../workshop/bench.ts';
import { runDeliberate } from './calls.ts';
import { factsIn } from './deliberators.ts';
import { closeAfterTest, makeFolder } from './scene.ts';

needAll(hasBwrap && !/^\/(?:tmp|var\/tmp|run|dev)\//.test(import.meta.dirname), NO_BWRAP);

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** Returns the words of the README's line with this text, after `npm start --`. */
function lineWith(text: string): string[] {
  const [, line = ''] =
    new RegExp(`^npm start -- (.*${text}.*?)(?: {2}#.*)?$`, 'm').exec(readme) ?? [];
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');
}

/**
 * Starts a server of chat completions at the path of a well-known one, which answers nowhere else, and not
 * without a key if it requires one. Returns its address and the keys that it was sent.
 */
async function likeWellKnown(name: string, models: readonly string[]) {
  const known = serversOf({}).find((server) => server.name === name);
  const base = new URL(known?.url ?? '').pathname;
  const inner = closeAfterTest(await startOpenAI({ models, answer: `Says ${name}.` }));
  const keys: (string | undefined)[] = [];
  const outer = createServer();
  outer.on('request', async (request, response) => {
    if (request.url?.startsWith(`${base}/`) !== true) return response.writeHead(404).end('no');
    keys.push(request.headers.authorization);
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { method = 'GET' } = request;
    const given = await fetch(`${inner.url}/v1${request.url.slice(base.length)}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(parts.length === 0 ? {} : { body: Buffer.concat(parts) }),
    });
    response.writeHead(given.status, { 'content-type': given.headers.get('content-type') ?? '' });
    return response.end(Buffer.from(await given.arrayBuffer()));
  });
  await new Promise<void>((resolve) => outer.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void outer.close());
  const url = `http://127.0.0.1:${(outer.address() as AddressInfo).port}${base}`;
  const entry = { speaks: known?.speaks, url, key_env: known?.keyEnv };
  return { entry: `  ${name}: ${JSON.stringify(entry)}\n`, keys };
}

function makePerson(config: string): { home: string; db: string } {
  const home = makeFolder();
  mkdirSync(join(home, '.config', 'deliberate'), { recursive: true });
  mkdirSync(join(home, 'work'));
  writeFileSync(join(home, '.config', 'deliberate', 'config.yaml'), config);
  return { home, db: join(home, 'runs.db') };
}

/** Returns the calls that were answered, by model. */
function textsIn(db: string): Map<string, string> {
  return new Map(
    factsIn(db).flatMap((fact) =>
      fact.type === 'call.completed' ? [[fact.model, fact.text] as const] : [],
    ),
  );
}

it('OpenRouter and Gemini answer as soon as their keys are set', async () => {
  const router = await likeWellKnown('openrouter', ['x-ai/grok-5']);
  const gemini = await likeWellKnown('gemini', ['gemini-2.5-flash']);
  const { home, db } = makePerson(`servers:\n${router.entry}${gemini.entry}`);
  const [keys = ''] = /^export OPENROUTER_API_KEY=.*$/m.exec(readme) ?? [];
  const variables = [...keys.matchAll(/(\w+)=/g)].map(([, name = '']) => name);
  expect(variables).toEqual(['OPENROUTER_API_KEY', 'GEMINI_API_KEY']);
  const env = Object.fromEntries(variables.map((name) => [name, `the-${name}`]));
  const { code, out, err } = await runDeliberate([...lineWith('openrouter/'), '--plain'], {
    cwd: join(home, 'work'),
    env: { HOME: home, DELIBERATE_DB: db, ...env },
  });
  expect(code, out + err).toBe(0);
  const texts = textsIn(db);
  expect(texts.get('openrouter/x-ai/grok-5')).toBe('Says openrouter.');
  expect(texts.get('gemini/gemini-2.5-flash')).toBe('Says gemini.');
  expect(new Set(router.keys)).toEqual(new Set(['Bearer the-OPENROUTER_API_KEY']));
  expect(new Set(gemini.keys)).toEqual(new Set(['Bearer the-GEMINI_API_KEY']));
});

it('LM Studio without a key and Claude Code answer as two seats of one board', async () => {
  const studio = await likeWellKnown('lmstudio', ['qwen/qwen3-8b']);
  const agent = { command: process.execPath, args: [STAND_IN_PROGRAM, 'say "Says the agent."'] };
  // Remove the names of key variables from the server's entry, because an entry with them requires a key.
  const entry = studio.entry.replace(/,"key_env":\[[^\]]*\]/, '');
  const { home, db } = makePerson(
    `servers:\n${entry}agents:\n  claude-code: ${JSON.stringify(agent)}\n`,
  );
  const { code, out, err } = await runDeliberate([...lineWith('lmstudio/'), '--plain'], {
    cwd: join(home, 'work'),
    env: { HOME: home, DELIBERATE_DB: db },
  });
  expect(code, out + err).toBe(0);
  const texts = textsIn(db);
  expect(texts.get('lmstudio/qwen/qwen3-8b')).toBe('Says lmstudio.');
  expect(texts.get('claude-code/default')).toBe('Says the agent.');
});

it('seats can search with a search server', async () => {
  const server = closeAfterTest(
    await startOllama({
      models: ['a'],
      takesTools: true,
      answer: 'None of them.',
      calls: (_request, results) =>
        results.length > 0
          ? undefined
          : { calls: [{ name: 'web__search', arguments: { query: 'queues' } }] },
    }),
  );
  const command = JSON.stringify([
    process.execPath,
    MCP_PROGRAM,
    'fine',
    join(makeFolder(), 'file'),
  ]);
  const { home, db } = makePerson(`tools:\n  web:\n    command: ${command}\n    env: [GIVEN]\n`);
  const { code, out, err } = await runDeliberate([...lineWith('--tools web'), '--plain'], {
    cwd: join(home, 'work'),
    env: { HOME: home, DELIBERATE_DB: db, OLLAMA_HOST: server.url, GIVEN: SEARCH_SECRET },
  });
  expect(code, out + err).toBe(0);
  expect(JSON.stringify(factsIn(db))).toContain('web__search');
});
