/**
 * Programs and where they are. On Windows a bare name would be looked for in the working folder first, where a
 * stranger's repository may have one: what is started there is named by its whole path.
 */
import { accessSync, constants, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { type Env, variableOf } from './environment.ts';
import { SYSTEM, type System } from './system.ts';

/** A file to start and its arguments. `windowsVerbatimArguments`: they are quoted already. */
export interface Started {
  readonly file: string;
  readonly args: readonly string[];
  readonly windowsVerbatimArguments?: true;
}

/** What Windows starts by itself; a script for cmd would need a shell, which reads its arguments anew. */
const ENDINGS = ['.exe', '.com'];

/** Where a program is; undefined: nowhere. A relative entry of PATH would start what lies around here. */
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
    // Quotes may stand around a folder of Windows.
    const clean = system === 'windows' ? folder.replaceAll('"', '') : folder;
    if (!isAbsolute(clean)) continue;
    const found = names.map((name) => join(clean, name)).find(isProgram);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a program is named by a path, and not to be looked for on PATH. */
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

/** A program that comes with Windows, by its path below System32. */
export function ofWindows(name: string, env: Env): string {
  const root = variableOf(env, 'SystemRoot', 'windows');
  return win32.join(
    root !== undefined && win32.isAbsolute(root) ? root : 'C:\\Windows',
    'System32',
    name,
  );
}

/** A line for cmd, which takes all of it between the outer quotes. */
export function byCmd(line: string, env: Env): Started {
  return {
    file: ofWindows('cmd.exe', env),
    args: ['/d', '/s', '/c', `"${line}"`],
    windowsVerbatimArguments: true,
  };
}

/** A script for PowerShell of either kind, ending with the exit code of what it ran last. */
export function byPowershell(script: string, file: string): Started {
  const whole = [
    "$ProgressPreference = 'SilentlyContinue'",
    script,
    '$deliberateOk = $?; if ($null -ne $LASTEXITCODE) { exit $LASTEXITCODE }; if (-not $deliberateOk) { exit 1 }',
  ].join('\n');
  const coded = Buffer.from(whole, 'utf16le').toString('base64');
  return { file, args: ['-NoProfile', '-NonInteractive', '-EncodedCommand', coded] };
}
