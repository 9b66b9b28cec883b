/**
 * Detects the shell that a person types into, and quotes words for it. People copy suggested commands: a
 * command is written so that it works in all shells of a system, or, where that is not possible, for the
 * shell that is running.
 */
import { type Env, variableOf } from './environment.ts';
import {
  cmdCommand,
  findOnPath,
  type ProgramStart,
  powershellCommand,
  windowsProgram,
} from './programs.ts';
import { SYSTEM, type System } from './system.ts';

/**
 * A kind of shell. `powershell` is version 5, which comes with Windows; `pwsh` is every later
 * version.
 */
export type Shell = 'posix' | 'cmd' | 'powershell' | 'pwsh';

/**
 * Returns the shell from which this program was started. Windows does not report the shell, but
 * PowerShell puts one of the person's own folders first in PSModulePath, and programs that it
 * starts inherit that variable. On other systems than Windows, the result is `posix`.
 */
export function shellOf(env: Env, system: System = SYSTEM): Shell {
  if (system !== 'windows') return 'posix';
  // On Windows, Git Bash and the other shells of MSYS2 set MSYSTEM and SHELL.
  if (env.MSYSTEM && /sh(?:\.exe)?$/i.test(env.SHELL ?? '')) return 'posix';
  const modules = variableOf(env, 'PSModulePath', system) ?? '';
  const [first = ''] = modules.split(';');
  if (/\\WindowsPowerShell\\Modules\\?$/i.test(first) && !isMachines(first)) return 'powershell';
  if (/\\PowerShell\\Modules\\?$/i.test(first) && !isMachines(first)) return 'pwsh';
  return 'cmd';
}

/** Returns whether a folder is for all users: such folders are in PSModulePath even without PowerShell. */
function isMachines(folder: string): boolean {
  return /\\(?:Program Files(?: \(x86\))?|system32)\\/i.test(folder);
}

/** Quotes a word so that the shell takes it as one word. */
export function shellWord(word: string, shell: Shell): string {
  if (shell === 'posix') return posixWord(word);
  if (isPlain(word)) return word;
  if (shell === 'cmd') return cmdWord(word);
  return powershellWord(word, shell);
}

function posixWord(word: string): string {
  return /^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * Returns whether a word needs no quotes in cmd and in PowerShell. PowerShell splits a flag at a dot or a
 * colon; `%` and `@` have a meaning in one of the two shells.
 */
function isPlain(word: string): boolean {
  return /^[\w./\\:+=-]+$/.test(word) && !(word.startsWith('-') && /[.:]/.test(word));
}

/**
 * Quotes a word for cmd. Within double quotes, programs read a doubled quote as one quote, and cmd stays
 * inside of the quotes; backslashes at the end are doubled, so that they do not escape the last quote. Text
 * between two percent signs would be a variable: a caret outside of quotes prevents that.
 */
function cmdWord(word: string): string {
  const kept = word.replace(/\\+$/, '$&$&').replaceAll('"', '""');
  const safe = (word.match(/%/g) ?? []).length > 1 ? kept.replaceAll('%', '"^%"') : kept;
  return `"${safe}"`;
}

/** Characters that PowerShell reads as quotes. */
const DOUBLE = /["“”„]/;
const SINGLE = /['‘’‚‛]/g;

function powershellWord(word: string, shell: Shell): string {
  const ended = word.replace(/\\+$/, '$&$&');
  // Use double quotes where they suffice: nearly every word in them also works in cmd, into which the person
  // may paste it.
  if (!DOUBLE.test(word) && !/[$`]/.test(word)) return `"${ended}"`;
  // PowerShell 5 passes the quotes within a word on without escaping them, so the started program would take them for
  // quotes around a word. Escape them here.
  const told = shell === 'powershell' ? ended.replace(/(\\*)"/g, '$1$1\\"') : word;
  return `'${told.replace(SINGLE, '$&$&')}'`;
}

/** A command line to run on a person's behalf, and the name of what runs it. */
interface ShellCommand extends ProgramStart {
  /** The words to show in front of the command: `/bin/sh -c`. */
  readonly by: string;
  /** The shell's name as it is recorded; absent for `/bin/sh`. */
  readonly recorded?: string;
}

/**
 * Returns how to run a command line: by `/bin/sh`; on Windows by PowerShell if the person uses
 * PowerShell and it is found, otherwise by cmd. Returns a sentence if cmd would have to run several lines.
 */
export function runIn(command: string, env: Env, system: System = SYSTEM): ShellCommand | string {
  if (system !== 'windows') return { file: '/bin/sh', args: ['-c', command], by: '/bin/sh -c' };
  switch (shellOf(env, system)) {
    case 'powershell': {
      const file = windowsProgram('WindowsPowerShell\\v1.0\\powershell.exe', env);
      return toShellCommand('Windows PowerShell', powershellCommand(command, file));
    }
    case 'pwsh': {
      const file = findOnPath('pwsh', env, system);
      if (file !== undefined) return toShellCommand('PowerShell', powershellCommand(command, file));
    }
  }
  // A command line with a line break is refused, because cmd would run only its first line.
  if (/[\r\n]/.test(command)) return 'cmd takes one line; join the commands with &&';
  return toShellCommand('cmd /d /s /c', cmdCommand(command, env));
}

function toShellCommand(by: string, started: ProgramStart): ShellCommand {
  return { ...started, by, recorded: by };
}

/** Returns whether an exit code means that the shell did not find the program. */
export function isNotFound(exit: number | null, system: System = SYSTEM): boolean {
  return exit === (system === 'windows' ? 9009 : 127);
}

/** Returns the editor to use if the person has named none. */
export function standardEditor(env: Env, system: System = SYSTEM): string {
  return system === 'windows' ? windowsProgram('notepad.exe', env) : 'vi';
}

/**
 * Returns how to open a file in an editor. The editor may be named with arguments, as in `code
 * --wait`, and a shell splits them.
 */
export function editorCommand(
  editor: string,
  file: string,
  env: Env,
  system: System = SYSTEM,
): ProgramStart {
  if (system === 'windows') return cmdCommand(`${editor} "${file}"`, env);
  return { file: 'sh', args: ['-c', `${editor} "$1"`, 'sh', file] };
}
