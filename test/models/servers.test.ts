/** Servers with a name of their own: asked in every protocol, each with its own key and no other. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { NamedServer } from '../../src/kernel/providers/servers.ts';
import { createModels } from '../../src/models/gateway.ts';
import { runKeyCommand } from '../../src/models/providers/key-command.ts';
import { makeRedactor } from '../../src/models/redact.ts';
import {
  ANSWER,
  type ServerOptions,
  startAnthropic,
  startOllama,
  startOpenAI,
  startResponses,
  type TestServer,
} from '../servers/index.ts';
import { callModel, getFailure } from './ask.ts';

const FAST = { idleMs: 2_000, retry: { attempts: 1 } } as const;

/** Each protocol with a test server of it, the path of its base address, and the header of its key. */
const WIRES = {
  openai: { start: startOpenAI, base: '/v1', header: 'authorization' },
  'openai-responses': { start: startResponses, base: '/v1', header: 'authorization' },
  anthropic: { start: startAnthropic, base: '', header: 'x-api-key' },
  ollama: { start: startOllama, base: '', header: 'authorization' },
} as const;
type Wire = keyof typeof WIRES;
const NAMES = Object.keys(WIRES) as Wire[];

async function startServer(wire: Wire, options: ServerOptions = {}): Promise<TestServer> {
  const server = await WIRES[wire].start({ models: ['org/alpha'], ...options });
  onTestFinished(() => server.close());
  return server;
}

function makeNamedServer(wire: Wire, url: string, more: Partial<NamedServer> = {}): NamedServer {
  return {
    name: 'lab',
    speaks: wire,
    url: `${url}${WIRES[wire].base}`,
    keyEnv: [],
    isOwn: true,
    ...more,
  };
}

describe.each(NAMES)('a server that speaks %s', (wire) => {
  test('gets its own key and headers, and no other key', async () => {
    const server = await startServer(wire);
    const models = createModels({
      ...FAST,
      env: {
        OLLAMA_HOST: 'http://127.0.0.1:9',
        OPENAI_API_KEY: 'canary-of-openai',
        ANTHROPIC_API_KEY: 'canary-of-anthropic',
        OLLAMA_API_KEY: 'canary-of-ollama',
        LAB_KEY: 'canary-of-the-lab\n',
      },
      servers: [
        makeNamedServer(wire, server.url, {
          keyEnv: ['UNSET', 'LAB_KEY'],
          headers: { 'X-Team': 'platform' },
        }),
      ],
    });
    const { result } = await callModel(models, 'lab/org/alpha');
    expect(result).toMatchObject({ status: 'done', text: ANSWER.trimEnd() });
    const [asked] = server.chats();
    expect(asked?.model).toBe('org/alpha');
    expect(asked?.headers['x-team']).toBe('platform');
    expect(asked?.headers[WIRES[wire].header]).toContain('canary-of-the-lab');
    const sent = JSON.stringify(server.requests.map(({ headers }) => headers));
    expect(sent).not.toMatch(/canary-of-(?:openai|anthropic|ollama)/);
    const listed = (await models.list()).find(({ name }) => name === 'lab');
    expect(listed?.models.map(({ spec }) => spec)).toEqual(['lab/org/alpha']);
  });

  test('is named in the failures for a refused key and for a missing model', async () => {
    const server = await startServer(wire, {
      behaviours: { 'org/alpha': [{ status: 401, message: 'who are you?' }, 'not-installed'] },
    });
    const models = createModels({
      ...FAST,
      env: { LAB_KEY: 'canary-of-the-lab' },
      servers: [makeNamedServer(wire, server.url, { keyEnv: ['LAB_KEY'] })],
    });
    const refused = getFailure((await callModel(models, 'lab/org/alpha')).result);
    expect(refused).toMatchObject({ code: 'auth', next: 'Check LAB_KEY' });
    expect(refused.message).toMatch(/^lab: who are you\? /);
    const missing = getFailure((await callModel(models, 'lab/org/alpha')).result);
    expect(missing.message).toMatch(/^lab: .*"org\/alpha"/);
  });

  test('gets no call if its key is not set', async () => {
    const server = await startServer(wire);
    const models = createModels({
      ...FAST,
      env: { OTHER: 'x' },
      servers: [makeNamedServer(wire, server.url, { keyEnv: ['LAB_KEY', 'LAB_TOKEN'] })],
    });
    expect(getFailure((await callModel(models, 'lab/org/alpha')).result)).toMatchObject({
      code: 'auth',
      message: 'lab: there is no API key',
      next: 'Set LAB_KEY or LAB_TOKEN',
      attempts: 1,
    });
    expect(server.requests.filter(({ headers }) => headers.authorization)).toEqual([]);
    expect(server.chats()).toEqual([]);
  });

  test('has its key and headers sent to no other host, even if it redirects there', async () => {
    const there = await startServer(wire);
    const here = await startServer(wire, {
      redirect: ({ path }) => ({ status: 307, location: `${there.url}${path}` }),
    });
    const models = createModels({
      ...FAST,
      env: { LAB_KEY: 'canary-of-the-lab' },
      servers: [
        makeNamedServer(wire, here.url, {
          keyEnv: ['LAB_KEY'],
          headers: { 'X-Key': 'canary-too' },
        }),
      ],
    });
    expect(getFailure((await callModel(models, 'lab/org/alpha')).result)).toMatchObject({
      code: 'redirected',
      next: `If you trust ${there.url}, set servers.lab.url to it`,
    });
    expect(there.requests).toEqual([]);
  });
});

test.each([
  ['two lines', 'two\nlines', 'a line break'],
  ['a letter that no header holds', 'schlüssel', 'characters that no header can hold'],
])('a key with %s is rejected, and the message names its variable', async (_what, key, said) => {
  const models = createModels({
    ...FAST,
    env: { LAB_KEY: key },
    servers: [makeNamedServer('openai', 'http://127.0.0.1:9', { keyEnv: ['LAB_KEY'] })],
  });
  const refused = getFailure((await callModel(models, 'lab/x')).result);
  expect(refused.message).toBe(`lab: the key in LAB_KEY has ${said}`);
  expect(JSON.stringify(refused)).not.toContain(key);
});

describe('a server that is not configured', () => {
  test('is asked only if a person names the server or every server is searched', async () => {
    const server = await startServer('openai');
    const models = createModels({
      ...FAST,
      env: { OLLAMA_HOST: 'http://127.0.0.1:9' },
      servers: [
        makeNamedServer('openai', server.url, {
          name: 'desk',
          isOwn: false,
          keyEnv: ['DESK_TOKEN'],
        }),
        makeNamedServer('openai', 'http://127.0.0.1:9', { name: 'away', isOwn: false }),
        makeNamedServer('openai', 'https://far.invalid', {
          name: 'far',
          isOwn: false,
          keyEnv: ['FAR_KEY'],
        }),
      ],
    });
    expect((await models.list()).map(({ name }) => name)).toEqual([
      'ollama',
      'anthropic',
      'openai',
    ]);
    expect(server.requests).toEqual([]);
    const everywhere = await models.list({ everywhere: true });
    expect(everywhere.map(({ name }) => name)).toEqual(['ollama', 'anthropic', 'openai', 'desk']);
    expect((await callModel(models, 'desk/org/alpha')).result.status).toBe('done');
  });
});

/** Returns the command that runs some code in Node. */
function makeNodeCommand(code: string): string[] {
  return [process.execPath, '-e', code];
}

describe('in the settings of a server', () => {
  const env = { PATH: process.env.PATH };

  test('key_command provides the key of two servers, and the key is replaced by [key] in what they answer', async () => {
    const server = await startServer('openai', { answer: 'I was given canary-printed-77 to use.' });
    const keyCommand = makeNodeCommand('console.log("canary-printed-77")');
    const redact = makeRedactor({});
    const models = createModels({
      ...FAST,
      env,
      servers: [
        makeNamedServer('openai', server.url, { keyCommand }),
        makeNamedServer('openai', server.url, { name: 'twin', keyCommand }),
      ],
    });
    const [one, two] = await Promise.all([
      callModel(models, 'lab/org/alpha'),
      callModel(models, 'twin/org/alpha'),
    ]);
    for (const asked of [one, two]) {
      expect(asked.result).toMatchObject({ status: 'done', text: 'I was given [key] to use.' });
      expect(JSON.stringify(asked)).not.toContain('canary-printed-77');
    }
    expect(server.chats().map(({ headers }) => headers.authorization)).toEqual([
      'Bearer canary-printed-77',
      'Bearer canary-printed-77',
    ]);
    // The function `redact` was made before `key_command` printed this key. It must mask the key nevertheless.
    expect(redact('it is canary-printed-77')).toBe('it is [key]');
  });

  test.each([
    [
      'fails',
      'console.error("not signed in"); process.exit(3)',
      'failed with code 3: not signed in',
    ],
    [
      'fails and prints a key',
      'console.error("no: sk-canary-1234567890"); process.exit(3)',
      'failed with code 3: no: [key]',
    ],
    ['prints nothing', 'console.log()', 'printed nothing'],
    ['prints two lines', 'console.log("a\\nb")', 'printed more than one line'],
    ['prints a book', 'console.log("x".repeat(99999))', 'printed more than a key'],
  ])(
    'key_command makes a call fail, with the reason, if the command %s',
    async (_how, code, said) => {
      const models = createModels({
        ...FAST,
        env,
        servers: [
          makeNamedServer('openai', 'http://127.0.0.1:9', { keyCommand: makeNodeCommand(code) }),
        ],
      });
      expect(getFailure((await callModel(models, 'lab/x')).result)).toMatchObject({
        code: 'auth',
        message: `lab: its key_command ${said}`,
        attempts: 1,
      });
    },
  );

  test('key_command is named in the failure if its program is not installed', async () => {
    await expect(runKeyCommand('lab', ['no-such-program-at-all'], env)).rejects.toThrow(
      'lab: its key_command is not installed: no-such-program-at-all',
    );
  });

  test('key_command fails if it does not end in time, even if a process that it started keeps its output open', async () => {
    const code = `require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => 1, 1e6)'], { stdio: 'inherit' }); setInterval(() => 1, 1e6)`;
    await expect(runKeyCommand('lab', makeNodeCommand(code), env, 500)).rejects.toThrow(
      'lab: its key_command did not end within 0.5 s',
    );
  });

  test('the values of headers are redacted in answers if they are secrets, but not if they are ordinary words', async () => {
    const server = await startServer('openai', {
      answer: 'The platform team said canary-bearer-1, canary.token+22.',
    });
    const models = createModels({
      ...FAST,
      env,
      servers: [
        makeNamedServer('openai', server.url, {
          headers: {
            Authorization: 'Bearer canary-bearer-1',
            'X-Gateway': 'canary.token+22',
            'X-Team': 'platform',
          },
        }),
      ],
    });
    const { result } = await callModel(models, 'lab/org/alpha');
    expect(result).toMatchObject({ text: 'The platform team said [key], [key].' });
    expect(server.chats()[0]?.headers.authorization).toBe('Bearer canary-bearer-1');
  });
});

describe("content of chat completions beyond OpenAI's format", () => {
  const startLab = async (options: Parameters<typeof startOpenAI>[0]) => {
    const server = await startOpenAI({ models: ['alpha'], ...options });
    onTestFinished(() => server.close());
    return createModels({ ...FAST, env: {}, servers: [makeNamedServer('openai', server.url)] });
  };
  const makeChunk = (content: unknown, finish: string | null = null) => ({
    choices: [{ index: 0, delta: { content }, finish_reason: finish }],
  });

  test('may be a list of parts, with text and thinking in separate parts', async () => {
    const records = [
      makeChunk([{ type: 'thinking', thinking: [{ type: 'text', text: 'Let me ' }] }]),
      makeChunk([{ type: 'thinking', thinking: [{ type: 'text', text: 'see.' }], closed: true }]),
      makeChunk([
        { type: 'text', text: 'Split ' },
        { type: 'reference', reference_ids: [1] },
        7,
        null,
      ]),
      makeChunk('it.', 'stop'),
    ];
    const models = await startLab({ behaviours: { alpha: { records, alone: true } } });
    const { result } = await callModel(models, 'lab/alpha');
    expect(result).toMatchObject({ status: 'done', text: 'Split it.', thinking: 'Let me see.' });
  });
});
