/** Tests on a real Restate server, where there is one: DELIBERATE_RESTATE_SERVER names its program. */
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Program } from '../e2e/program.ts';
import { makeFolder } from '../e2e/scene.ts';
import { findFreePorts } from './free-ports.ts';
import { RestateProcess } from './restate-process.ts';

/** Why tests on a Restate server are skipped. */
export const NO_RESTATE = 'DELIBERATE_RESTATE_SERVER names no Restate server (see CONTRIBUTING.md)';

export class RestateServer extends RestateProcess {
  #workers = 0;

  static async start(partitions = 1): Promise<RestateServer> {
    const server = new RestateServer(makeFolder(), await findFreePorts(4), partitions);
    onTestFinished(() => server.killWithoutWaiting());
    await server.restart();
    return server;
  }

  /** Resolves when it has registered. */
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
