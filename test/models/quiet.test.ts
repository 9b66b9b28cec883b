/** What the libraries of providers would say on the console, and load without being needed. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { withSilentConsole } from '../../src/models/providers/quiet.ts';
import { type Behaviour, startAnthropic, startOllama, startOpenAI } from '../servers/index.ts';

interface Report {
  readonly statuses: readonly string[];
  readonly loaded: readonly string[];
}

async function runChild(
  env: Record<string, string>,
): Promise<Report & { readonly output: string }> {
  const child = fork(fileURLToPath(new URL('child.ts', import.meta.url)), ['noise'], {
    env: { ...process.env, ...env },
    silent: true,
    execArgv: [],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (data: Buffer) => {
      output += data.toString();
    });
  }
  let report: Report | undefined;
  child.on('message', (message) => {
    report = message as Report;
  });
  await new Promise((resolve) => child.on('close', resolve));
  if (!report) throw new Error(`the child died: ${output}`);
  return { ...report, output };
}

const NOISY: readonly Behaviour[] = [
  'ok',
  'malformed-line',
  'json-primitive',
  'truncated-line',
  'invalid-utf8',
  'error-event',
  'no-end',
  'reset',
  'reset-at-once',
  'web-page',
  { status: 404 },
  { status: 500, body: '{"error": broken' },
  { status: 500, body: '<html>' },
  { status: 400, message: 'temperature' },
];

test.concurrent('calls print nothing to standard output or standard error, even if a server sends broken streams, errors or warnings', async () => {
  const names = NOISY.map((_, index) => `m${index}`);
  const table = Object.fromEntries(NOISY.map((behaviour, index) => [`m${index}`, behaviour]));
  const ollama = await startOllama({ models: names, behaviours: table });
  const anthropic = await startAnthropic({
    models: [...names, 'claude-sonnet-4-5'],
    behaviours: table,
  });
  const openai = await startOpenAI({ models: names, behaviours: table });
  const report = await runChild({
    OLLAMA_HOST: ollama.url,
    ANTHROPIC_BASE_URL: anthropic.url,
    OPENAI_BASE_URL: `${openai.url}/v1`,
    // `ANTHROPIC_LOG` tells Anthropic's library to print messages. `OPENAI_LOG` has no effect, because the
    // program never loads OpenAI's library.
    ANTHROPIC_LOG: 'debug',
    OPENAI_LOG: 'nonsense',
    SPECS: [
      ...['ollama', 'anthropic', 'openai'].flatMap((name) =>
        names.map((model) => `${name}/${model}`),
      ),
      'anthropic/claude-sonnet-4-5',
    ].join(' '),
  });
  for (const server of [ollama, anthropic, openai]) await server.close();
  expect(report.output).toBe('');
  expect(report.statuses).toHaveLength(2 * (3 * NOISY.length + 1));
  expect(report.statuses.filter((status) => status === 'done').length).toBeGreaterThanOrEqual(4);
  expect(report.loaded).toEqual(['ollama', '@anthropic-ai/sdk']);
});

test.concurrent('a process that calls one provider does not load the libraries of the others', async () => {
  const ollama = await startOllama();
  expect(await runChild({ OLLAMA_HOST: ollama.url, SPECS: 'ollama/alpha' })).toMatchObject({
    loaded: ['ollama'],
  });
  await ollama.close();
  expect(await runChild({ SPECS: 'rehearsal/fails' })).toMatchObject({ loaded: [] });
});

test('withSilentConsole passes what a function prints with console.warn to a callback, and then restores console.warn', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const lines: string[] = [];
  expect(
    withSilentConsole(
      () => console.warn('%s is old', 'it'),
      (line) => {
        lines.push(line);
      },
    ),
  ).toBeUndefined();
  expect(() =>
    withSilentConsole(
      () => {
        throw new Error('no');
      },
      () => undefined,
    ),
  ).toThrow('no');
  console.warn('loud');
  expect(lines).toEqual(['it is old']);
  expect(warn.mock.calls).toEqual([['loud']]);
  warn.mockRestore();
});
