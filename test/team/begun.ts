/**
 * Shares the beginning of a run among the tests of one file: the run is made once, up to its first call of a
 * given task, and each test continues a copy with its own script.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { makeStopped } from '../kernel/scripted-models.ts';
import { temporaryFolder } from '../store/folder.ts';
import { openPersonRepository, type PersonRepository } from '../workshop/place.ts';
import { makeScriptedModels, TeamRunner, type TeamRunOptions } from './harness.ts';

/**
 * Returns a function that copies a run which was stopped at its first call of a task. The run is made once,
 * when the first test needs it. Each copy has its own repository and database, and can be resumed. Call
 * `runUntilCall` at the top of a test file: the first run is removed after all tests of the file.
 *
 * @param until The name of the task, such as `work`, without `team/`.
 * @param options How the first run is begun.
 * @param made Creates the person's repository in the given folder.
 */
export function runUntilCall(
  until: string,
  { script, ...options }: TeamRunOptions,
  made: (root: string) => PersonRepository,
): () => Promise<TeamRunner> {
  const root = mkdtempSync(join(tmpdir(), 'deliberate-begun-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  let first: Promise<TeamRunner> | undefined;
  return async () => {
    first ??= holdFirstRun();
    const { person, database, run } = await first;
    const copied = temporaryFolder();
    cpSync(person.root, copied, { recursive: true, verbatimSymlinks: true });
    const movePath = (path: string) => path.replaceAll(person.root, copied);
    const env = Object.fromEntries(
      Object.entries(person.env).map(([name, value]) => [name, value && movePath(value)]),
    );
    const runner = new TeamRunner(
      openPersonRepository(copied, movePath(person.folder), env),
      movePath(database),
    );
    runner.run = run;
    return runner;
  };

  async function holdFirstRun(): Promise<TeamRunner> {
    const top = join(root, 'first');
    mkdirSync(top);
    const person = made(top);
    const runner = new TeamRunner(person, join(top, 'runs.db'));
    const models = makeScriptedModels({
      ...script,
      [until]: () => {
        runner.stop();
        return makeStopped('');
      },
    });
    const { ending } = await runner.begin({ ...options, models });
    expect(ending.status).toBe('stopped');
    expect(models.requests.at(-1)?.task).toBe(`team/${until}`);
    return runner;
  }
}
