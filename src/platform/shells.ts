/**
 * Which shell a person types into, and how a word is written so that it stays one word there. Suggested
 * commands are meant to be copied: what works in all shells of a system is written so, and what they read
 * differently is written for the one that is running.
 */
import { type Env, variableOf } from './environment.ts';
import { byCmd, byPowershell, ofWindows, onPath, type Started } from './programs.ts';
import { SYSTEM, type System } from './system.ts';

/** `powershell` is version 5, which comes with Windows; `pwsh` is every later one. */
export type Shell = 'posix' | 'cmd' | 'powershell' | 'pwsh';

/**
 * The shell around us. Windows does not say it: PowerShell puts a folder of the person's own first in
 * PSModulePath, which everything that it starts inherits, npm and cmd included.
 */
export function shellOf(env: Env, system: System = SYSTEM): Shell {
  if (system !== 'windows') return 'posix';
  // Git Bash and the like.
  if (env.MSYSTEM && /sh(?:\.exe)?$/i.test(env.SHELL ?? '')) return 'posix';
  const modules = variableOf(env, 'PSModulePath', system) ?? '';
  const [first = ''] = modules.split(';');
  if (/\\WindowsPowerShell\\Modules\\?$/i.test(first) && !isMachines(first)) return 'powershell';
  if (/\\PowerShell\\Modules\\?$/i.test(first) && !isMachines(first)) return 'pwsh';
  return 'cmd';
}

/** Folders of all users, which stand in PSModulePath without any PowerShell. */
function isMachines(folder: string): boolean {
  return /\\(?:Program Files(?: \(x86\))?|system32)\\/i.test(folder);
}

/** A word as the shell takes it for one. */
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
 * Plain to cmd and to PowerShell. PowerShell takes a flag with a dot or a colon in it apart; `%` and `@` mean
 * something to one of them.
 */
function isPlain(word: string): boolean {
  return /^[\w./\\:+=-]+$/.test(word) && !(word.startsWith('-') && /[.:]/.test(word));
}

/**
 * In double quotes. A doubled quote is one quote to programs and leaves cmd inside of the quotes; so does a
 * doubled backslash before the last. Between two percent signs stands a variable: a caret outside of quotes
 * keeps cmd from finding one.
 */
function cmdWord(word: string): string {
  const kept = word.replace(/\\+$/, '$&$&').replaceAll('"', '""');
  const safe = (word.match(/%/g) ?? []).length > 1 ? kept.replaceAll('%', '"^%"') : kept;
  return `"${safe}"`;
}

/** To PowerShell each of these is a quote. */
const DOUBLE = /["“”„]/;
const SINGLE = /['‘’‚‛]/g;

function powershellWord(word: string, shell: Shell): string {
  const ended = word.replace(/\\+$/, '$&$&');
  // The same in cmd, which may be where it is typed.
  if (!DOUBLE.test(word) && !/[$`]/.test(word)) return `"${ended}"`;
  // Version 5 hands quotes on as they are, and the program takes them for its own.
  const told = shell === 'powershell' ? ended.replace(/(\\*)"/g, '$1$1\\"') : word;
  return `'${told.replace(SINGLE, '$&$&')}'`;
}

/** A command line as it is run on a person's behalf, and by what, in words. */
interface ShellCommand extends Started {
  /** `/bin/sh -c`: where a command is shown, in front of it. */
  readonly by: string;
  /** The same where it is recorded; absent for `/bin/sh`. */
  readonly recorded?: string;
}

/**
 * How a command line is run: by `/bin/sh`, and on Windows by PowerShell where that is what the person types
 * into, otherwise by cmd. Returns a sentence instead where the shell does not take it.
 */
export function runIn(command: string, env: Env, system: System = SYSTEM): ShellCommand | string {
  if (system !== 'windows') return { file: '/bin/sh', args: ['-c', command], by: '/bin/sh -c' };
  switch (shellOf(env, system)) {
    case 'powershell': {
      const file = ofWindows('WindowsPowerShell\\v1.0\\powershell.exe', env);
      return told('Windows PowerShell', byPowershell(command, file));
    }
    case 'pwsh': {
      const file = onPath('pwsh', env, system);
      if (file !== undefined) return told('PowerShell', byPowershell(command, file));
    }
  }
  // It would leave out what stands behind the first line.
  if (/[\r\n]/.test(command)) return 'cmd takes one line; join the commands with &&';
  return told('cmd /d /s /c', byCmd(command, env));
}

function told(by: string, started: Started): ShellCommand {
  return { ...started, by, recorded: by };
}

/** What a shell calls a program that it did not find. */
export function isNotFound(exit: number | null, system: System = SYSTEM): boolean {
  return exit === (system === 'windows' ? 9009 : 127);
}

/** Where a person has named no editor. */
export function standardEditor(env: Env, system: System = SYSTEM): string {
  return system === 'windows' ? ofWindows('notepad.exe', env) : 'vi';
}

/** How an editor is started: its name may hold arguments, as in `code --wait`, so that a shell takes it apart. */
export function editing(editor: string, file: string, env: Env, system: System = SYSTEM): Started {
  if (system === 'windows') return byCmd(`${editor} "${file}"`, env);
  return { file: 'sh', args: ['-c', `${editor} "$1"`, 'sh', file] };
}
