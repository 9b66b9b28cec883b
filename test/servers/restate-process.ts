/**
 * A real Restate server as a process. It can be killed and comes back with what it had on disk, on the
 * same ports. It sends no statistics.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { waitUntil } from '../until.ts';
import { findFreePorts } from './free-ports.ts';

/** Where its program is; undefined where there is none. */
export const RESTATE_PROGRAM = process.env.DELIBERATE_RESTATE_SERVER;

export class RestateProcess {
  readonly address: string;
  readonly admin: string;
  /** Where workers listen. */
  readonly listen: number;
  readonly home: string;
  readonly #env: Readonly<Record<string, string>>;
  #child: ChildProcess | undefined;

  /** `partitions`: what runs are spread over; the fewer there are, the less work is a start. */
  protected constructor(
    home: string,
    [ingress, admin, node, listen]: readonly number[],
    partitions = 4,
  ) {
    const toAddress = (port: number | undefined): string => `127.0.0.1:${port}`;
    this.home = home;
    this.address = `http://${toAddress(ingress)}`;
    this.admin = `http://${toAddress(admin)}`;
    this.listen = listen ?? 0;
    this.#env = {
      PATH: process.env.PATH ?? '',
      HOME: home,
      DO_NOT_TRACK: '1',
      RESTATE_DISABLE_TELEMETRY: 'true',
      RESTATE_LISTEN_MODE: 'tcp',
      RESTATE_LOG_FILTER: 'error',
      RESTATE_BIND_ADDRESS: toAddress(node),
      RESTATE_INGRESS__BIND_ADDRESS: toAddress(ingress),
      RESTATE_ADMIN__BIND_ADDRESS: toAddress(admin),
      RESTATE_DEFAULT_NUM_PARTITIONS: `${partitions}`,
      RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: '256MB',
    };
  }

  static async begin(home: string): Promise<RestateProcess> {
    const server = new RestateProcess(home, await findFreePorts(4));
    await server.restart();
    return server;
  }

  /** Dies as in a power cut. */
  async kill(): Promise<void> {
    const child = this.#child;
    const ended = new Promise((resolve) => child?.once('close', resolve));
    child?.kill('SIGKILL');
    await ended;
  }

  /** Without waiting for it. */
  killWithoutWaiting(): void {
    this.#child?.kill('SIGKILL');
  }

  /** Starts, with what it had on disk. */
  async restart(): Promise<void> {
    const options = ['--no-logo', '--base-dir', join(this.home, 'data')];
    this.#child = spawn(RESTATE_PROGRAM ?? '', options, { env: this.#env, stdio: 'ignore' });
    await waitUntil(
      () =>
        fetch(`${this.admin}/health`).then(
          ({ ok }) => ok,
          () => false,
        ),
      () => 'the Restate server does not start',
    );
  }

  /** What hands a run to it. */
  get flags(): string[] {
    return ['--engine', 'restate', '--restate', this.address];
  }

  /** How a worker of it is called. */
  get worker(): string[] {
    return ['worker', ...this.flags, '--restate-admin', this.admin];
  }
}
