/** Opens a file in whatever the platform opens it with: a report in a browser. */
import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import { admit, DESKTOP } from './environment.ts';
import { type Env, onPath } from './tools.ts';

/** The first that is here is used. */
const OPENERS = ['xdg-open', 'wslview', 'open'] as const;

/** It may stay as long as what it opened; one that cannot open anything says so before. */
const FAILS_WITHIN_MS = 1_500;

/**
 * Resolves to the opener's name; undefined where there is none. `file`: an absolute path.
 * @throws Error that names the opener, where it fails.
 */
export function openFile(file: string, env: Env): Promise<string | undefined> {
  const program = OPENERS.map((name) => onPath(name, env)).find((found) => found !== undefined);
  if (program === undefined) return Promise.resolve(undefined);
  const name = basename(program);
  return new Promise((resolve, reject) => {
    const child = spawn(program, [file], {
      stdio: 'ignore',
      env: admit(env, [...DESKTOP, 'BROWSER']),
      detached: true,
    });
    const timer = setTimeout(() => {
      child.unref();
      resolve(name);
    }, FAILS_WITHIN_MS);
    child.on('error', (error) => {
      clearTimeout(timer);
      reject(new Error(`${name}: ${error.message}`));
    });
    child.on('exit', (code) => {
      clearTimeout(timer);
      if (code === 0) resolve(name);
      else reject(new Error(`${name} failed`));
    });
  });
}
