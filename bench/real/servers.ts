/** Starts the real servers, and says what `deliberate` needs to know to use each. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CACHE, PATHS } from './cache.ts';
import { SetupError } from './commands.ts';
import { ggufOf } from './download.ts';
import { MODELS, type RealModel } from './models.ts';

/**
 * The number of threads of a server. With more, each waits for the others after every layer, which makes a
 * token take a hundred times as long if other programs use the same cores.
 */
export const THREADS = 1;
/** Milliseconds that a server may take until it answers. */
const READY_MS = 180_000;
/** Milliseconds between two checks whether a server answers. */
const POLL_MS = 100;
/** Milliseconds that a server may take to stop before it is killed. */
const STOP_MS = 5_000;

/** The name of a kind of server. `llama-router` is llama.cpp's server that loads each model when it is needed. */
export type ServerName = 'llama-server' | 'llama-router' | 'llama-cpp-python' | 'ollama';

/** A model server that was started for `npm run real`. */
export interface RunningServer {
  readonly name: ServerName;
  /** The address of the server, without a path: `http://127.0.0.1:PORT`. */
  readonly baseUrl: string;
  readonly models: readonly RealModel[];
  readonly port: number;
  /**
   * The environment variables by which `deliberate` finds the server, one set for each of its protocols.
   */
  readonly environments: readonly Environment[];
  /** The process id; -1 if the process could not be started. */
  readonly pid: number;
  /** The path of the file with the server's output. */
  readonly log: string;
  /** Stops the server; kills it if it still runs after 5 seconds. */
  readonly stop: () => Promise<void>;
  /** Kills the server with SIGKILL, as a crash would end it. */
  readonly kill: () => Promise<void>;
}

/** The network protocols by which models are called. */
export const PROTOCOLS = ['openai', 'openai-responses', 'anthropic', 'ollama'] as const;
/** A network protocol by which models are called. */
export type Protocol = (typeof PROTOCOLS)[number];

/** A network protocol of a server, and the environment variables by which `deliberate` uses it. */
export interface Environment {
  readonly protocol: Protocol;
  readonly variables: Readonly<Record<string, string>>;
}

/** How a model server is started. */
export interface ServerOptions {
  /** The model, for a server that has only one. Default: the smallest. */
  readonly model?: RealModel;
  /** The size of the context in tokens. Default: 8192. */
  readonly window?: number;
  /** The most tokens of an answer, for servers with such an option. Default: no limit. */
  readonly predict?: number | undefined;
  /** Whether to return before the server is ready, to see how a client handles that. */
  readonly early?: boolean;
  /** The port of the server. Default: a free one. */
  readonly port?: number;
  /** How many requests the server answers at once, each with a whole context. Default: 1. */
  readonly parallel?: number;
}

interface Launch {
  readonly model: RealModel;
  readonly window: number;
  readonly port: number;
  readonly predict: number | undefined;
  readonly parallel: number;
}

/** How a kind of server is started. */
interface ServerKind {
  /** The part of the cache that the server needs. */
  readonly part: string;
  /** Whether the server has only the model that it was started with, or every model. */
  readonly holds: 'one' | 'all';
  readonly command: (launch: Launch) => readonly string[];
  readonly env?: (launch: Launch) => Readonly<Record<string, string>>;
  /** A path that answers with success once requests can be served. */
  readonly ready: string;
  readonly environments: (baseUrl: string) => readonly Environment[];
}

const LLAMA_CPP = (baseUrl: string): Environment[] => [
  {
    protocol: 'openai',
    variables: { OPENAI_BASE_URL: `${baseUrl}/v1`, OPENAI_API_KEY: 'none' },
  },
  {
    protocol: 'openai-responses',
    variables: {
      OPENAI_BASE_URL: `${baseUrl}/v1`,
      OPENAI_API_KEY: 'none',
      OPENAI_WIRE_API: 'responses',
    },
  },
  {
    protocol: 'anthropic',
    variables: { ANTHROPIC_BASE_URL: baseUrl, ANTHROPIC_API_KEY: 'none' },
  },
];

/** How each kind of model server is started. */
export const SERVERS: Readonly<Record<ServerName, ServerKind>> = {
  'llama-server': {
    part: 'llama-server',
    holds: 'one',
    command: ({ model, window, port, predict, parallel }) => [
      ...[PATHS.llamaServer, '--host', '127.0.0.1', '--port', String(port)],
      ...['--model', ggufOf(model), '--alias', model.name, '--threads', String(THREADS)],
      ...['--ctx-size', String(window * parallel), '--parallel', String(parallel)],
      ...(model.kind === 'embedding' ? ['--embeddings'] : []),
      ...(predict === undefined ? [] : ['--predict', String(predict)]),
    ],
    ready: '/health',
    environments: LLAMA_CPP,
  },
  'llama-router': {
    part: 'llama-server',
    holds: 'all',
    command: ({ window, port }) => [
      ...[PATHS.llamaServer, '--host', '127.0.0.1', '--port', String(port)],
      ...['--models-preset', writePresets(window), '--models-max', '2'],
      ...['--threads', String(THREADS)],
    ],
    ready: '/health',
    environments: LLAMA_CPP,
  },
  'llama-cpp-python': {
    part: 'llama-cpp-python',
    holds: 'one',
    command: ({ model, window, port }) => [
      ...[PATHS.python, '-m', 'llama_cpp.server', '--host', '127.0.0.1', '--port', String(port)],
      ...['--model', ggufOf(model), '--model_alias', model.name, '--n_ctx', String(window)],
      ...['--n_threads', String(THREADS), '--n_threads_batch', String(THREADS)],
      ...(model.kind === 'embedding' ? ['--embedding', 'true'] : []),
    ],
    ready: '/v1/models',
    environments: (baseUrl) => LLAMA_CPP(baseUrl).slice(0, 1),
  },
  ollama: {
    part: 'ollama',
    holds: 'all',
    command: () => [PATHS.ollama, 'serve'],
    env: ({ window, port, parallel }) => ({
      // Keep Ollama's key and history beside its models, away from the person's own.
      HOME: join(CACHE, 'ollama'),
      OLLAMA_MODELS: PATHS.ollamaModels,
      OLLAMA_HOST: `127.0.0.1:${port}`,
      OLLAMA_CONTEXT_LENGTH: String(window),
      OLLAMA_NUM_PARALLEL: String(parallel),
      // Without OLLAMA_NO_CLOUD, Ollama would request recommendations from its maker.
      OLLAMA_NO_CLOUD: '1',
    }),
    ready: '/api/version',
    environments: (baseUrl) => [{ protocol: 'ollama', variables: { OLLAMA_HOST: baseUrl } }],
  },
};

const running = new Set<ChildProcess>();
process.on('exit', () => {
  // Use SIGTERM instead of SIGKILL, because Ollama has to end the process that runs its model.
  for (const child of running) child.kill('SIGTERM');
});

/**
 * Starts a server on the loopback address and waits until it answers, unless `early` is set.
 *
 * @throws {SetupError} if the server ends, or does not answer within 180 seconds
 */
export async function startServer(
  name: ServerName,
  options: ServerOptions = {},
): Promise<RunningServer> {
  const { model = MODELS[0], window = 8_192, early = false, predict, parallel = 1 } = options;
  if (model === undefined) throw new SetupError('there is no model');
  const kind = SERVERS[name];
  const port = options.port ?? (await findFreePort());
  const launch = { model, window, port, predict, parallel };
  const [program = '', ...args] = kind.command(launch);
  mkdirSync(join(CACHE, 'logs'), { recursive: true });
  const log = join(CACHE, 'logs', `${name}-${port}.txt`);
  const file = openSync(log, 'w');
  const child = spawn(program, args, {
    cwd: CACHE,
    env: { ...process.env, ...kind.env?.(launch) },
    stdio: ['ignore', file, file],
  });
  running.add(child);
  const ended = new Promise<void>((resolve) => {
    child.on('error', () => resolve());
    child.on('exit', () => resolve());
  }).finally(() => running.delete(child));
  const baseUrl = `http://127.0.0.1:${port}`;
  const server: RunningServer = {
    name,
    baseUrl,
    models: kind.holds === 'all' ? MODELS : [model],
    port,
    environments: kind.environments(baseUrl),
    pid: child.pid ?? -1,
    log,
    stop: () => stopChild(child, ended),
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
  if (!early) await waitUntilReady(server, kind.ready, ended);
  return server;
}

async function waitUntilReady(
  server: RunningServer,
  path: string,
  ended: Promise<void>,
): Promise<void> {
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  const until = Date.now() + READY_MS;
  while (Date.now() < until) {
    if (isOver) throw new SetupError(`${server.name} ended: ${lastLine(server.log)}`);
    const reply = await fetch(`${server.baseUrl}${path}`, {
      signal: AbortSignal.timeout(STOP_MS),
    }).catch(() => undefined);
    await reply?.body?.cancel();
    if (reply?.ok) return;
    await sleep(POLL_MS);
  }
  await server.stop();
  throw new SetupError(`${server.name} did not answer within ${READY_MS / 1000} s`);
}

async function stopChild(child: ChildProcess, ended: Promise<void>): Promise<void> {
  child.kill('SIGTERM');
  const killing = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(killing);
}

function lastLine(file: string): string {
  return readFileSync(file, 'utf8').trim().split('\n').at(-1)?.slice(0, 160) ?? '';
}

/** Writes the file that tells llama.cpp's router all models, and returns its path. */
function writePresets(window: number): string {
  const file = join(CACHE, 'router.ini');
  const sections = MODELS.map((model) =>
    [
      `[${model.name}]`,
      `model = ${ggufOf(model)}`,
      ...(model.kind === 'embedding' ? ['embeddings = true'] : [`ctx-size = ${window}`]),
      'parallel = 1',
    ].join('\n'),
  );
  writeFileSync(file, `version = 1\n\n${sections.join('\n\n')}\n`);
  return file;
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
