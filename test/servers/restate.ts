/** Tests on a real Restate server, whose program DELIBERATE_RESTATE_SERVER names. */
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Program } from '../e2e/program.ts';
import { makeFolder } from '../e2e/scene.ts';
import { findFreePorts } from './free-ports.ts';
import { RestateProcess } from './restate-process.ts';

/** The reason why tests on a Restate server are skipped. */
export const NO_RESTATE = 'DELIBERATE_RESTATE_SERVER names no Restate server (see CONTRIBUTING.md)';

/** A Restate server of one test, and its workers. */
export class RestateServer extends RestateProcess {
  #workers = 0;

  /** Starts a server in a new temporary folder. Both are removed after the test. */
  static async start(partitions = 1): Promise<RestateServer> {
    const server = new RestateServer(makeFolder(), await findFreePorts(4), partitions);
    onTestFinished(() => server.killWithoutWaiting());
    await server.restart();
    return server;
  }

  /**
   * Starts a worker of this server and resolves when the worker has registered. Each worker has a database
   * of its own, and is killed after the test.
   */
  async startWorker(
    env: Readonly<Record<string, string>> = {},
    flags: readonly string[] = [],
    listen: readonly string[] = ['--listen', `${this.listen}`],
  ): Promise<Program> {
    this.#workers += 1;
    const db = join(this.home, `worker-${this.#workers}.db`);
    const worker = new Program([...this.worker, ...listen, ...flags], {
      env: { ...env, DELIBERATE_DB: db },
    });
    await worker.waitForStderr(/^Working for Restate/m);
    return worker;
  }
}
