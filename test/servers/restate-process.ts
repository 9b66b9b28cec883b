/**
 * A real Restate server in a process. It can be killed and started again at the same ports, with the data
 * that it had on disk. It sends no statistics.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { waitUntil } from '../until.ts';
import { findFreePorts } from './free-ports.ts';

/** The path of the Restate server's program, from the environment; undefined if the variable is not set. */
export const RESTATE_PROGRAM = process.env.DELIBERATE_RESTATE_SERVER;

/** A Restate server in a process, with addresses and a folder that stay the same over restarts. */
export class RestateProcess {
  /** The URL at which runs are handed to the server. */
  readonly address: string;
  /** The URL at which workers register. */
  readonly admin: string;
  /** The port at which a worker listens. */
  readonly listen: number;
  /** The folder with everything that the server keeps. */
  readonly home: string;
  readonly #env: Readonly<Record<string, string>>;
  #child: ChildProcess | undefined;

  /**
   * Sets up a server without starting it. Runs are spread over `partitions`; a server with fewer of them
   * starts faster.
   */
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

  /** Starts a server that keeps its data in the folder `home`. The caller ends the server. */
  static async begin(home: string): Promise<RestateProcess> {
    const server = new RestateProcess(home, await findFreePorts(4));
    await server.restart();
    return server;
  }

  /** Kills the server as a power cut would, and resolves when its process has ended. */
  async kill(): Promise<void> {
    const child = this.#child;
    const ended = new Promise((resolve) => child?.once('close', resolve));
    child?.kill('SIGKILL');
    await ended;
  }

  /** Kills the server without waiting until its process has ended. */
  killWithoutWaiting(): void {
    this.#child?.kill('SIGKILL');
  }

  /** Starts the server with the data that it had on disk, and resolves when it answers. */
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

  /** Returns the flags of the program that hand a run to this server. */
  get flags(): string[] {
    return ['--engine', 'restate', '--restate', this.address];
  }

  /** Returns the arguments of the program that start a worker of this server. */
  get worker(): string[] {
    return ['worker', ...this.flags, '--restate-admin', this.admin];
  }
}
