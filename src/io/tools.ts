/**
 * Runs small programs of the system: without a shell, with bytes on standard input, and with a time limit.
 */
import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import type { Env } from '../platform/environment.ts';
import { ofItsOwn } from '../platform/processes.ts';
import { admit, DESKTOP } from './environment.ts';

export type { Env } from '../platform/environment.ts';
export { onPath } from '../platform/programs.ts';

/** They are done at once; one that is not is stuck. */
const TOOK_MS = 3_000;

/** Runs a program with these bytes as its input, in a session of its own: it may have to outlive us. */
export function feed(
  file: string,
  args: readonly string[],
  input: Buffer,
  env: Env,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const name = basename(file);
    const child = spawn(file, args, {
      stdio: ['pipe', 'ignore', 'ignore'],
      env: admit(env, DESKTOP),
      ...ofItsOwn(),
    });
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`${name} did not finish`));
    }, TOOK_MS);
    child.on('error', (error) => {
      clearTimeout(timer);
      reject(new Error(`${name}: ${error.message}`));
    });
    child.on('exit', (code) => {
      clearTimeout(timer);
      if (code === 0) resolve();
      else reject(new Error(`${name} failed`));
    });
    // It may be gone before it has read everything: its exit code says so.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}
