/** Opens a file with the platform's default program, such as a report in a browser. */
import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import { ownGroupOptions } from '../platform/processes.ts';
import { cmdCommand, type ProgramStart } from '../platform/programs.ts';
import { SYSTEM, type System } from '../platform/system.ts';
import { DESKTOP_VARIABLES, filterEnvironment } from './environment.ts';
import { type Env, findOnPath } from './tools.ts';

/** The programs that open files, in order of preference. */
const OPENERS = ['xdg-open', 'wslview', 'open'] as const;

interface Opener extends ProgramStart {
  readonly name: string;
}

/**
 * Returns the program and arguments that open a file on the desktop. Returns undefined if there is
 * no such program.
 *
 * @param file the file's path
 */
export function findOpener(file: string, env: Env, system: System = SYSTEM): Opener | undefined {
  // Put an empty text before the file, since `start` takes its first quoted argument as the title of a window.
  if (system === 'windows') return { name: 'start', ...cmdCommand(`start "" "${file}"`, env) };
  const program = OPENERS.map((name) => findOnPath(name, env)).find((found) => found !== undefined);
  return program === undefined
    ? undefined
    : { name: basename(program), file: program, args: [file] };
}

/**
 * Milliseconds within which an opener that fails does so. An opener may run as long as the program that it
 * opened.
 */
const FAILS_WITHIN_MS = 1_500;

/**
 * Opens a file on the desktop, as a double-click does. Resolves to the name of the program that
 * opens files, such as `xdg-open`, or to undefined if there is no such program.
 *
 * @param file an absolute path
 * @throws Error that names the program if the program fails within 1.5 seconds
 */
export function openFile(file: string, env: Env): Promise<string | undefined> {
  const opener = findOpener(file, env);
  if (opener === undefined) return Promise.resolve(undefined);
  const { name, file: program, args, ...how } = opener;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: 'ignore',
      env: filterEnvironment(env, [...DESKTOP_VARIABLES, 'BROWSER']),
      ...ownGroupOptions(),
      ...how,
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
