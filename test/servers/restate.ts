/**
 * A real Restate server, where there is one: DELIBERATE_RESTATE_SERVER names its program. It can be killed
 * and comes back with what it had on disk, on the same ports. It sends no statistics.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { it, onTestFinished } from 'vitest';
import { Program } from '../e2e/program.ts';
import { folder } from '../e2e/scene.ts';

const PROGRAM = process.env.DELIBERATE_RESTATE_SERVER;
const STARTS_MS = 60_000;

/** Of tests that need the server: passed over without it, in words. */
export const withRestate = PROGRAM === undefined ? it.skip : it;
if (PROGRAM === undefined)
  console.info(
    'Skipped: tests on Restate. DELIBERATE_RESTATE_SERVER names its server to hold them.',
  );

export class RestateServer {
  readonly address: string;
  readonly admin: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #home = folder();
  readonly #listen: number;
  #child: ChildProcess | undefined;
  #workers = 0;

  private constructor([ingress, admin, node, listen]: readonly number[]) {
    const at = (port: number | undefined): string => `127.0.0.1:${port}`;
    this.address = `http://${at(ingress)}`;
    this.admin = `http://${at(admin)}`;
    this.#listen = listen ?? 0;
    this.#env = {
      PATH: process.env.PATH ?? '',
      HOME: this.#home,
      DO_NOT_TRACK: '1',
      RESTATE_DISABLE_TELEMETRY: 'true',
      RESTATE_LISTEN_MODE: 'tcp',
      RESTATE_LOG_FILTER: 'error',
      RESTATE_BIND_ADDRESS: at(node),
      RESTATE_INGRESS__BIND_ADDRESS: at(ingress),
      RESTATE_ADMIN__BIND_ADDRESS: at(admin),
      RESTATE_DEFAULT_NUM_PARTITIONS: '4',
      RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: '256MB',
    };
    onTestFinished(() => void this.#child?.kill('SIGKILL'));
  }

  static async start(): Promise<RestateServer> {
    const server = new RestateServer(await freePorts(4));
    await server.comeBack();
    return server;
  }

  /** Dies as in a power cut. */
  async kill(): Promise<void> {
    const child = this.#child;
    const ended = new Promise((resolve) => child?.once('close', resolve));
    child?.kill('SIGKILL');
    await ended;
  }

  /** Starts, with what it had on disk. */
  async comeBack(): Promise<void> {
    const options = ['--no-logo', '--base-dir', join(this.#home, 'data')];
    this.#child = spawn(PROGRAM ?? '', options, { env: this.#env, stdio: 'ignore' });
    for (const end = performance.now() + STARTS_MS; ; await sleep(50)) {
      const isUp = await fetch(`${this.admin}/health`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isUp) return;
      if (performance.now() > end) throw new Error('the Restate server does not start');
    }
  }

  /** What hands a run to it. */
  get flags(): string[] {
    return ['--engine', 'restate', '--restate', this.address];
  }

  /** All workers listen on one port. Resolves when it has registered. */
  async startWorker(
    env: Readonly<Record<string, string>> = {},
    flags: readonly string[] = [],
  ): Promise<Program> {
    const worker = this.worker(env, flags);
    await worker.says(/^Working for Restate/m);
    return worker;
  }

  worker(env: Readonly<Record<string, string>> = {}, flags: readonly string[] = []): Program {
    this.#workers += 1;
    const words = ['worker', ...this.flags, '--restate-admin', this.admin];
    return new Program([...words, '--listen', `${this.#listen}`, ...flags], {
      env: { ...env, DELIBERATE_DB: join(this.#home, `worker-${this.#workers}.db`) },
    });
  }
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return server;
    }),
  );
  return Promise.all(
    servers.map(async (server) => {
      const { port } = server.address() as { port: number };
      await new Promise((resolve) => server.close(resolve));
      return port;
    }),
  );
}
