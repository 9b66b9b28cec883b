/**
 * Tests that no secret of a named server (a key from its variable, what its command printed, the value of a
 * header, the password of a proxy) is anywhere but in the requests to it. One scene runs everything; a test
 * for each place then searches it.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Agent } from '../mcp/agent.ts';
import type { RecordedRequest } from '../servers/http.ts';
import { startAnthropic, startOllama, startOpenAI } from '../servers/index.ts';
import { startProxy } from '../servers/proxy.ts';
import { waitUntil } from '../until.ts';
import { runDeliberate } from './calls.ts';
import { answerRequest } from './deliberators.ts';
import { makeSecretSearch } from './leaks.ts';
import { Program } from './program.ts';
import { closeAfterTest, makeFolder } from './scene.ts';
import { Terminal } from './terminal.ts';

const SECRETS = {
  variable: 'canary+env/4d1b"aa01',
  printed: 'canary+cmd/77ce#bb02',
  header: 'canary-header/19f0.cc03',
  password: 'canary-proxy-55aa-dd04',
} as const;

const leaksIn = makeSecretSearch(Object.values(SECRETS));

/** What a server says that repeats everything it was sent to its model. */
function repeatHeaders({ headers }: RecordedRequest): string {
  const names = ['authorization', 'x-api-key', 'proxy-authorization'];
  return `I was given ${names.flatMap((name) => headers[name] ?? []).join(' and ')}.`;
}

const FORMATS = ['markdown', 'html', 'json', 'text', 'otlp', 'claims', 'csv', 'records'] as const;

/** The places that are searched, each with words that show that the scene got so far. */
const PLACES = {
  'the database, its log and everything else below the home folder': /SQLite format 3/,
  'the screen of a board that streams': /I was given (?:Bearer |Basic )?\[key\]/,
  'the screen of the home': /Recent/,
  'plain output': /I was given (?:Bearer |Basic )?\[key\]/,
  'JSON lines': /"type":"call\.completed"/,
  'error messages': /your key is/,
  'failures of a proxy': /through the proxy in HTTP_PROXY|not by \[key\]|HTTP 502/,
  'show, list and watch': /Should we\?/,
  'deliberate config': /envd, printed, headed, proxied/,
  'deliberate servers': /printed by \S*cat/,
  'deliberate models': /envd\/a/,
  'deliberate doctor': /envd\/a/,
  'names that a shell completes': /envd\/a/,
  'what other programs of the run are told': /PATH=/,
  'answers of the MCP server': /critic/,
  'an evaluation and its report': /headed\/a/,
  'the screen of the history': /Should we\?/,
  'the complaint about a configuration': /config\.yaml/,
  'traces that are sent': /"resourceSpans"/,
  'the message of a crash': /unexpected error: Error: defect with/,
  'the process list': /deliberate/,
  ...Object.fromEntries(FORMATS.map((format) => [`an export as ${format}`, /Should we\?|C-1-1/])),
} as const;
type Place = keyof typeof PLACES;

/** Returns what every process was started with, as anybody on the machine can read it. */
function processList(): string {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        // The process may have ended since its folder was listed.
        return '';
      }
    })
    .join('\n');
}

function listFiles(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

let played: Promise<ReadonlyMap<string, string>> | undefined;

async function collectTexts(): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const keep = (place: string, text: string): void => {
    found.set(place, `${found.get(place) ?? ''}${text}\n`);
  };
  const echo = { status: 400, echoKey: true, message: 'I said your key is' };
  const options = {
    models: ['a', 'echo', 'slow'],
    answer: (request: RecordedRequest) =>
      `${request.body?.format ? '' : `${repeatHeaders(request)}\n\n`}${answerRequest(request)}`,
    behaviours: { echo, slow: 'stall-mid-stream' },
  } as const;
  const envd = closeAfterTest(await startOpenAI(options));
  const printed = closeAfterTest(await startAnthropic(options));
  const headed = closeAfterTest(await startOllama(options));
  const proxy = await startProxy(envd.url);
  const refusing = await startProxy(envd.url, 502);
  const traces: string[] = [];
  const collector = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (text: string) => traces.push(text));
    request.on('end', () => response.writeHead(200).end('{}'));
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void collector.close());

  const home = makeFolder();
  const own = join(home, '.config', 'deliberate');
  mkdirSync(own, { recursive: true });
  const keyFile = join(makeFolder(), 'key');
  const told = join(makeFolder(), 'told');
  const teller = join(makeFolder(), 'teller');
  writeFileSync(teller, `#!/bin/sh\n{ env; echo "$@"; } >> "${told}"\n`, { mode: 0o755 });
  const command = join(makeFolder(), 'cat');
  writeFileSync(command, `#!/bin/sh\nexec cat "$1"\n`, { mode: 0o755 });
  writeFileSync(keyFile, `${SECRETS.printed}\n`);
  writeFileSync(
    join(own, 'config.yaml'),
    `servers:
  envd: { speaks: openai, url: "${envd.url}/v1", key_env: ENVD_KEY }
  printed: { speaks: anthropic, url: "${printed.url}", key_command: ["${command}", "${keyFile}"] }
  headed:
    speaks: ollama
    url: ${headed.url}
    headers: { Authorization: "Bearer ${SECRETS.header}", X-Team: platform }
  proxied: { speaks: openai, url: "http://models.invalid/v1" }
tools:
  teller: { command: ["${teller}"] }
  tracker: { url: "https://mcp.invalid/mcp", headers: { Authorization: "Bearer ${SECRETS.header}" } }
`,
  );
  const configured = new Set(listFiles(home));
  const addPassword = (url: string) => url.replace('://', `://me:${SECRETS.password}@`);
  const env = {
    HOME: home,
    ENVD_KEY: SECRETS.variable,
    HTTP_PROXY: addPassword(proxy.url),
    OLLAMA_HOST: 'http://127.0.0.1:9',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
  };
  const callAndKeep = async (place: string, args: readonly string[], more = {}): Promise<void> => {
    const { out, err } = await runDeliberate(args, { cwd: home, env: { ...env, ...more } });
    keep(place, out + err);
  };
  const SEATS = ['critic=envd', 'analyst=printed', 'advocate=headed', 'expert=proxied'];
  const boardOf = (model: string) => [
    ...['board', '--idle-timeout', '5s', '--synthesizer', 'headed/a'],
    ...SEATS.flatMap((seat) => ['--seat', `${seat}/${model}`]),
  ];

  await callAndKeep('plain output', [...boardOf('a'), '--plain', '--content', 'Should we?']);
  await callAndKeep('JSON lines', [...boardOf('a'), '--json', '--deltas', 'Should we?']);
  await callAndKeep('error messages', [...boardOf('echo'), '--plain', 'Should we?']);
  await callAndKeep(
    'failures of a proxy',
    ['board', '--model', 'proxied/a', '--plain', 'Should we?'],
    {
      HTTP_PROXY: addPassword(refusing.url),
    },
  );
  const rounds = ['rounds', '--model', 'headed/a', '--rounds', '1', '--stop-at', 'never'];
  await callAndKeep('plain output', [...rounds, '--plain', 'Should we?']);
  for (const format of FORMATS) {
    const to = join(home, `export-${format}${format === 'records' ? '' : '.txt'}`);
    const content = format === 'otlp' ? ['--content'] : [];
    await callAndKeep(`an export as ${format}`, [
      ...['export', 'latest', '--format', format, '--to', to, ...content],
    ]);
    const files = format === 'records' ? listFiles(to) : [to];
    keep(`an export as ${format}`, files.map((file) => readFileSync(file, 'utf8')).join('\n'));
  }
  for (const args of [['show'], ['list'], ['watch', '--plain', 'latest']])
    await callAndKeep('show, list and watch', args);
  await callAndKeep('deliberate config', ['config']);
  await callAndKeep('deliberate config', ['config', '--json']);
  await callAndKeep('deliberate servers', ['servers']);
  await callAndKeep('deliberate servers', ['servers', '--json']);
  await callAndKeep('deliberate models', ['models']);
  await callAndKeep('deliberate models', ['models', '--json']);
  const doctor = ['envd/a', 'printed/a', 'headed/echo', 'proxied/echo'];
  await callAndKeep('deliberate doctor', ['doctor', '--yes', '--quick', ...doctor]);
  await callAndKeep('names that a shell completes', ['completions', 'models']);
  const arms = ['--arms', 'single,board', '--size', '1', '--model', 'headed/a', '--yes'];
  await callAndKeep('an evaluation and its report', ['eval', 'puzzles', ...arms]);
  await callAndKeep('an evaluation and its report', [
    'eval',
    'puzzles',
    ...arms,
    '--format',
    'json',
  ]);
  // The program of the tool server `teller` writes its environment and its arguments to a file.
  await callAndKeep('what other programs of the run are told', [
    ...['board', '--tools', 'teller', '--seat', 'critic=headed/a', '--plain', 'Should we?'],
  ]);
  keep('what other programs of the run are told', readFileSync(told, 'utf8'));
  const agent = await Agent.start({ flags: [], env, cwd: home, db: join(home, 'mcp.db') });
  const convened = await agent.call('convene', {
    question: 'Should we?',
    seats: ['critic=envd/a', 'analyst=printed/echo'],
  });
  const seat = { run: 'latest', part: 'seat', seat: 'critic' };
  const inspected = await agent.call('inspect', seat);
  keep('answers of the MCP server', JSON.stringify([convened.result, inspected.result]));
  const bad = join(makeFolder(), 'config.yaml');
  const entry = `servers: { bad: { speaks: openai, url: "http://me:${SECRETS.password}@h", headers: { Authorization: "${SECRETS.header}\\r" }, key_command: "echo ${SECRETS.printed}" } }\n`;
  for (const text of [entry, `servers:\n  bad: { headers: { X: Bearer: ${SECRETS.header}: x\n`]) {
    writeFileSync(bad, text);
    await callAndKeep('the complaint about a configuration', ['config', 'check', '--config', bad]);
    await callAndKeep('the complaint about a configuration', ['models', '--config', bad]);
  }

  // Read the process list while calls of a run are in progress, and then kill the run.
  const killed = new Program([...boardOf('slow'), '--plain', 'Should we?'], { cwd: home, env });
  await waitUntil(
    () => headed.chats('slow').length > 0 && printed.chats('slow').length > 0,
    'request of each server',
  );
  keep('the process list', processList());
  killed.child.kill('SIGKILL');
  const ended = await killed.ended;
  keep('plain output', ended.out + ended.err);

  const defect = join(makeFolder(), 'defect.cjs');
  // The module `defect.cjs` throws its error only after the test has created the file `showing`, so that the
  // screen is drawn before the crash.
  const showing = join(makeFolder(), 'showing');
  writeFileSync(
    defect,
    `if (process.stdout.isTTY) setInterval(() => { if (require('node:fs').existsSync(${JSON.stringify(showing)})) throw new Error('defect with ' + ${JSON.stringify(Object.values(SECRETS).join(' '))}) }, 50);`,
  );
  const asked = printed.chats('slow').length;
  const crashed = new Terminal(boardOf('slow').concat('Should we?'), {
    cwd: home,
    env: { ...env, NODE_OPTIONS: `--require=${defect}` },
  });
  await crashed.until(/Should we\?/);
  // One server's key is printed by a command. Before the program has run the command, it does not know the key
  // and cannot mask it. So wait until it has sent a request with the key.
  await waitUntil(() => printed.chats('slow').length > asked, 'request with the printed key');
  writeFileSync(showing, '');
  expect(await crashed.exited).toBe(1);
  keep('the message of a crash', crashed.raw + (await crashed.screen()));

  const board = new Terminal([...boardOf('a'), 'Should we?'], { cwd: home, env });
  await board.until(/Done: \d of 4|✓ done/);
  keep('the screen of a board that streams', await board.screen());
  board.press('q');
  await board.exited;
  keep('the screen of a board that streams', board.raw);
  const start = new Terminal([], { cwd: home, env });
  await start.until(/Recent/);
  keep('the screen of the home', await start.screen());
  start.press('\u0003\u0003');
  await start.exited;
  keep('the screen of the home', start.raw);
  const history = new Terminal(['history'], { cwd: home, env });
  await history.until(/Should we\?/);
  keep('the screen of the history', await history.screen());
  history.press('q');
  await history.exited;
  keep('the screen of the history', history.raw);

  keep('traces that are sent', traces.join(''));
  for (const file of listFiles(home).filter((path) => !configured.has(path)))
    keep(
      'the database, its log and everything else below the home folder',
      readFileSync(file, 'utf8'),
    );
  const sent = JSON.stringify([
    ...[envd, printed, headed].map(({ chats }) => chats().map(({ headers }) => headers)),
  ]);
  // These three secrets were sent to a model server; otherwise their absence elsewhere would show nothing.
  for (const secret of [SECRETS.variable, SECRETS.printed, SECRETS.header])
    expect(makeSecretSearch([secret])(sent), secret).not.toEqual([]);
  expect(proxy.seen).toContain('POST http://models.invalid/v1/chat/completions');
  return found;
}

it.each(Object.keys(PLACES) as Place[])('no secret is in %s', async (place) => {
  played ??= collectTexts();
  const text = (await played).get(place) ?? '';
  expect(text).toMatch(PLACES[place]);
  expect(leaksIn(text)).toEqual([]);
});
