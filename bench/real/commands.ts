/** Runs the tools that `setup` builds with, and says in a sentence why one of them failed. */
import { spawn } from 'node:child_process';
import { accessSync, constants, createWriteStream, mkdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { finished } from 'node:stream/promises';
import { CACHE } from './cache.ts';

/**
 * An error whose message is one sentence for the person who runs `npm run real`, such as why a server or a model
 * could not be installed.
 */
export class SetupError extends Error {}

/** Words in which pip, npm, go and git say that they did not reach a registry. */
const UNREACHED =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|no such host|dial tcp|Could not resolve|Connection refused|NewConnectionError|timed out|Network is unreachable/i;
/** Words in which they say that the registry does not have a package or version. */
const REFUSED =
  /No matching distribution|403 Forbidden|404 Not Found|E404|ETARGET|unknown revision|not available/i;
/** Lines in which a tool says what is wrong. */
const WRONG = /\b(error|fatal|failed|cannot|not found)\b/i;

const children = new Set<() => void>();

/** Returns the path of a program, or undefined if no folder of `PATH` has it. */
export function findTool(name: string): string | undefined {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const file = join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // This folder of `PATH` does not have the program as an executable file, so try the next folder.
    }
  }
  return undefined;
}

/**
 * Runs a command to its end, with its output in a log file of the cache.
 *
 * @param log name of the log file, without folder and extension; later commands are appended to it
 * @throws {SetupError} if the command cannot be started or fails
 */
export async function runCommand(
  log: string,
  [program = '', ...args]: readonly string[],
  { cwd = CACHE, env = {} }: { cwd?: string; env?: Record<string, string> } = {},
): Promise<void> {
  mkdirSync(join(CACHE, 'logs'), { recursive: true });
  const file = join(CACHE, 'logs', `${log}.txt`);
  const output = createWriteStream(file, { flags: 'a' });
  const start = logLength(file);
  output.write(`$ ${[program, ...args].join(' ')}\n`);
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = (): boolean => child.kill();
  children.add(stop);
  child.stdout.pipe(output, { end: false });
  child.stderr.pipe(output, { end: false });
  const code = await new Promise<number | undefined>((resolve) => {
    child.on('error', () => resolve(undefined));
    child.on('close', (code) => resolve(code ?? -1));
  });
  children.delete(stop);
  output.end();
  await finished(output);
  if (code === undefined) throw new SetupError(`${program} could not be started`);
  if (code !== 0)
    throw new SetupError(explainFailure(program, readFileSync(file, 'utf8').slice(start), file));
}

/** Sends SIGTERM to the commands of `runCommand` that still run. */
export function stopCommands(): void {
  for (const stop of children) stop();
}

function logLength(file: string): number {
  try {
    return readFileSync(file, 'utf8').length;
  } catch {
    return 0;
  }
}

/**
 * Says in one sentence why a command failed: the registry lacks the package, the registry was not reached, or
 * the last line of the output that speaks of an error. Without such a line, the last line of all is quoted.
 * @param file the path of the command's log, for the sentence with a line of the output
 */
export function explainFailure(program: string, output: string, file: string): string {
  if (REFUSED.test(output))
    return `${program}'s registry does not hold the package in this version`;
  if (UNREACHED.test(output)) return `${program} did not reach its registry`;
  const lines = output.split('\n').map((line) => line.trim());
  const line = lines.findLast((text) => WRONG.test(text)) ?? lines.findLast((text) => text !== '');
  return `${program} failed with "${(line ?? '').slice(0, 160)}" (log: ${file})`;
}
