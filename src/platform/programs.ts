/**
 * Finds programs and builds their command lines. On Windows a bare name would be looked for in the working
 * folder first, where a stranger's repository may have a program of that name: programs are started there
 * by their full path.
 */
import { accessSync, constants, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { type Env, variableOf } from './environment.ts';
import { SYSTEM, type System } from './system.ts';

/**
 * An executable file and its arguments. With `windowsVerbatimArguments`, the arguments are already
 * quoted.
 */
export interface ProgramStart {
  readonly file: string;
  readonly args: readonly string[];
  readonly windowsVerbatimArguments?: true;
}

/** Extensions of files that Windows starts by itself. */
const ENDINGS = ['.exe', '.com'];

/** Extensions of scripts for cmd. npm installs itself, `npx` and all commands of packages as such scripts. */
const SCRIPT_ENDINGS = ['.cmd', '.bat'];

/**
 * Characters that a script for cmd may read otherwise than they were passed: within quotes, cmd still ends the
 * quotes at a quote and the command at a line break, and replaces variables between percent signs.
 */
const CHANGED_BY_CMD = /["%\r\n]/;

/**
 * Returns the full path of a program on PATH; undefined if there is none. Relative entries of PATH
 * are ignored, since they would start programs from the working folder.
 * @param isProgram returns whether a file exists and can be started
 * @param endings the file extensions that are tried on Windows, in order, if `program` has none of them
 */
export function findOnPath(
  program: string,
  env: Env,
  system: System = SYSTEM,
  isProgram: (file: string) => boolean = canStart,
  endings: readonly string[] = ENDINGS,
): string | undefined {
  const { delimiter, isAbsolute, join } = system === 'windows' ? win32 : posix;
  const isWhole = endings.some((ending) => program.toLowerCase().endsWith(ending));
  const names =
    system !== 'windows' || isWhole ? [program] : endings.map((ending) => program + ending);
  for (const folder of (variableOf(env, 'PATH', system) ?? '').split(delimiter)) {
    // On Windows, a folder in PATH may be in quotes.
    const clean = system === 'windows' ? folder.replaceAll('"', '') : folder;
    if (!isAbsolute(clean)) continue;
    const found = names.map((name) => join(clean, name)).find(isProgram);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Returns the full path of a program on PATH as `findOnPath` does; on Windows, also of a script for cmd. Start it
 * with `commandToStart`.
 */
export function findOnPathOrScript(
  program: string,
  env: Env,
  system: System = SYSTEM,
  isProgram: (file: string) => boolean = canStart,
): string | undefined {
  return findOnPath(program, env, system, isProgram, [...ENDINGS, ...SCRIPT_ENDINGS]);
}

/**
 * Returns the executable file and the arguments with which to start a program. On Windows, a script
 * is started by cmd. Returns a sentence with the reason if cmd would change an argument on the way to
 * the script.
 */
export function commandToStart(
  file: string,
  args: readonly string[],
  env: Env,
  system: System = SYSTEM,
): ProgramStart | string {
  const isScript =
    system === 'windows' && SCRIPT_ENDINGS.some((ending) => file.toLowerCase().endsWith(ending));
  if (!isScript) return { file, args };
  const changed = [file, ...args].find((word) => CHANGED_BY_CMD.test(word));
  if (changed !== undefined)
    return `${win32.basename(file)} is a script, and cmd would change this argument: ${JSON.stringify(changed)}`;
  // Double the backslashes at the end of a word. Otherwise the last one would escape the quote that ends the
  // word.
  const words = [file, ...args].map((word) => `"${word.replace(/\\+$/, '$&$&')}"`);
  return cmdCommand(words.join(' '), env);
}

/** Returns whether a program is named by a path, rather than by a name to be looked for on PATH. */
export function isPath(program: string, system: System = SYSTEM): boolean {
  return (system === 'windows' ? /[\\/]/ : /\//).test(program);
}

/** Returns whether a path is a file that this process may execute. A folder passes `X_OK` as well. */
function canStart(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * Returns the full path of a program that comes with Windows. `name` is its path below System32.
 */
export function windowsProgram(name: string, env: Env): string {
  const root = variableOf(env, 'SystemRoot', 'windows');
  return win32.join(
    root !== undefined && win32.isAbsolute(root) ? root : 'C:\\Windows',
    'System32',
    name,
  );
}

/**
 * Returns how to run a command line in cmd, which gets the line unchanged; whoever builds the line quotes its
 * words.
 */
export function cmdCommand(line: string, env: Env): ProgramStart {
  return {
    file: windowsProgram('cmd.exe', env),
    args: ['/d', '/s', '/c', `"${line}"`],
    windowsVerbatimArguments: true,
  };
}

/**
 * Returns how to run a script in PowerShell, whose executable is `file`. The exit code is that of
 * the last program in the script. If the script started no program, the exit code is 1 if the last
 * command failed, otherwise 0.
 */
export function powershellCommand(script: string, file: string): ProgramStart {
  const whole = [
    "$ProgressPreference = 'SilentlyContinue'",
    script,
    '$deliberateOk = $?; if ($null -ne $LASTEXITCODE) { exit $LASTEXITCODE }; if (-not $deliberateOk) { exit 1 }',
  ].join('\n');
  const coded = Buffer.from(whole, 'utf16le').toString('base64');
  return { file, args: ['-NoProfile', '-NonInteractive', '-EncodedCommand', coded] };
}
