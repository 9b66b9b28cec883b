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
export interface Started {
  readonly file: string;
  readonly args: readonly string[];
  readonly windowsVerbatimArguments?: true;
}

/**
 * Extensions of files that Windows starts by itself. A script for cmd would need a shell, which parses its
 * arguments again.
 */
const ENDINGS = ['.exe', '.com'];

/**
 * Returns the full path of a program on PATH; undefined if there is none. Relative entries of PATH
 * are ignored, since they would start programs from the working folder.
 */
export function onPath(
  program: string,
  env: Env,
  system: System = SYSTEM,
  isProgram: (file: string) => boolean = canStart,
): string | undefined {
  const { delimiter, isAbsolute, join } = system === 'windows' ? win32 : posix;
  const bare = system !== 'windows' || ENDINGS.some((one) => program.toLowerCase().endsWith(one));
  const names = bare ? [program] : ENDINGS.map((ending) => program + ending);
  for (const folder of (variableOf(env, 'PATH', system) ?? '').split(delimiter)) {
    // On Windows, a folder in PATH may be in quotes.
    const clean = system === 'windows' ? folder.replaceAll('"', '') : folder;
    if (!isAbsolute(clean)) continue;
    const found = names.map((name) => join(clean, name)).find(isProgram);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns whether a program is named by a path, rather than by a name to be looked for on PATH. */
export function isPath(program: string, system: System = SYSTEM): boolean {
  return (system === 'windows' ? /[\\/]/ : /\//).test(program);
}

function canStart(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return SYSTEM !== 'windows' || statSync(file).isFile();
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
 * Returns how to run a command line in cmd. Everything between the outer quotes is passed on as it
 * is.
 */
export function cmdCommand(line: string, env: Env): Started {
  return {
    file: windowsProgram('cmd.exe', env),
    args: ['/d', '/s', '/c', `"${line}"`],
    windowsVerbatimArguments: true,
  };
}

/**
 * Returns how to run a script in PowerShell, whose executable is `file`. The exit code is that of
 * the last program in the script. If the script started no program, the exit code is 1 if the last
 * command failed.
 */
export function powershellCommand(script: string, file: string): Started {
  const whole = [
    "$ProgressPreference = 'SilentlyContinue'",
    script,
    '$deliberateOk = $?; if ($null -ne $LASTEXITCODE) { exit $LASTEXITCODE }; if (-not $deliberateOk) { exit 1 }',
  ].join('\n');
  const coded = Buffer.from(whole, 'utf16le').toString('base64');
  return { file, args: ['-NoProfile', '-NonInteractive', '-EncodedCommand', coded] };
}
