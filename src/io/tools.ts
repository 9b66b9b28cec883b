/**
 * Runs small programs of the system: without a shell, with bytes on standard input, and with a time limit.
 */
import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import type { Env } from '../platform/environment.ts';
import { ownGroupOptions } from '../platform/processes.ts';
import { DESKTOP_VARIABLES, filterEnvironment } from './environment.ts';

export type { Env } from '../platform/environment.ts';
export { findOnPath } from '../platform/programs.ts';

/** The time limit in milliseconds; a tool that takes longer hangs. */
const TOOK_MS = 3_000;

/**
 * Runs a program with `input` on its standard input, and resolves when the program ends. Except on Windows, the
 * program has a process group of its own: what it leaves running, such as the owner of a clipboard, outlives
 * this process.
 *
 * @throws Error that names the program if it cannot be started, fails, or takes longer than 3 seconds; it is
 *   then killed
 */
export function runWithInput(
  file: string,
  args: readonly string[],
  input: Buffer,
  env: Env,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const name = basename(file);
    const child = spawn(file, args, {
      stdio: ['pipe', 'ignore', 'ignore'],
      env: filterEnvironment(env, DESKTOP_VARIABLES),
      ...ownGroupOptions(),
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
    // The started program may end before it has read all of its input, so that writing to it fails. Ignore this
    // error: the program's exit code shows whether it did its work.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}
