/**
 * Chooses the environment variables of child processes. The lists contain what is passed on, since secrets
 * can have any name.
 */
import { UsageError } from '../kernel/errors.ts';
import { type Env, variableOf } from '../platform/environment.ts';
import { SYSTEM, type System } from '../platform/system.ts';

/**
 * The environment variable with the run's id in the process that works on a run without a terminal, and in
 * what this process starts. If the variable is set, the MCP server starts no run, because runs cannot be nested.
 */
export const RUN_ID_VARIABLE = 'DELIBERATE_RUN';

/** Variables about the user, the folders, the language and the terminal, for every child process. */
const FOR_ALL = [
  RUN_ID_VARIABLE,
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TMPDIR', 'TMP', 'TEMP', 'TZ', 'CI'],
  ...['TERM', 'COLORTERM', 'NO_COLOR', 'FORCE_COLOR', 'COLUMNS', 'LINES', 'LANG', 'LANGUAGE'],
  // List the locale variables one by one: people pass passwords through ssh in other variables that
  // begin with LC_.
  ...['LC_ALL', 'LC_ADDRESS', 'LC_COLLATE', 'LC_CTYPE', 'LC_IDENTIFICATION', 'LC_MEASUREMENT'],
  ...['LC_MESSAGES', 'LC_MONETARY', 'LC_NAME', 'LC_NUMERIC', 'LC_PAPER', 'LC_TELEPHONE', 'LC_TIME'],
];

/**
 * Variables that every program may see on Windows, where programs find neither the system nor a home
 * without them. None of these variables is secret.
 */
const FOR_ALL_ON_WINDOWS = [
  ...['SystemRoot', 'SystemDrive', 'windir', 'ComSpec', 'PATHEXT', 'OS', 'PSModulePath'],
  ...['USERPROFILE', 'USERNAME', 'USERDOMAIN', 'HOMEDRIVE', 'HOMEPATH', 'APPDATA', 'LOCALAPPDATA'],
  ...['ALLUSERSPROFILE', 'ProgramData', 'PUBLIC', 'ProgramFiles', 'ProgramFiles(x86)'],
  ...['ProgramW6432', 'CommonProgramFiles', 'CommonProgramFiles(x86)', 'COMPUTERNAME'],
  ...['NUMBER_OF_PROCESSORS', 'PROCESSOR_ARCHITECTURE', 'PROCESSOR_IDENTIFIER', 'SESSIONNAME'],
];

function publicVariables(system: System): readonly string[] {
  return system === 'windows' ? [...FOR_ALL, ...FOR_ALL_ON_WINDOWS] : FOR_ALL;
}

/** Environment variables that programs need to reach the desktop's clipboard and notifications. */
export const DESKTOP_VARIABLES = [
  ...['DISPLAY', 'XAUTHORITY', 'WAYLAND_DISPLAY', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS'],
  ...['TMUX', 'TMUX_TMPDIR', 'WSLENV', 'WSL_DISTRO_NAME', 'WSL_INTEROP'],
];

/** Variables with the working folder, which shells set anew; never secret. */
const FOLDERS = ['PWD', 'OLDPWD'];

const PUBLIC: ReadonlySet<string> = new Set(
  [...publicVariables(SYSTEM), ...FOLDERS].map((name) => canonicalName(name, SYSTEM)),
);

/**
 * Returns whether the value of an environment variable is known not to be secret. This is true for a fixed
 * list of names, such as `PATH` and `LANG`.
 */
export function isPublic(name: string): boolean {
  return PUBLIC.has(canonicalName(name, SYSTEM));
}

/** Returns a name that is the same for all spellings of a variable: in upper case on Windows. */
function canonicalName(name: string, system: System): string {
  return system === 'windows' ? name.toUpperCase() : name;
}

/**
 * Returns the environment variables for a child process: those of a fixed list of names whose values are not
 * secret, such as `PATH`, and those that `more` names. Variables that are not set are left out.
 */
export function filterEnvironment(
  env: Env,
  more: readonly string[] = [],
  system: System = SYSTEM,
): Record<string, string> {
  return Object.fromEntries(
    [...new Set([...publicVariables(system), ...more])].flatMap((name): [string, string][] => {
      const value = variableOf(env, name, system);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/**
 * Checks the names of environment variables that `--env` gives, and returns each name once.
 *
 * @throws UsageError if a name contains "=", or if the variable is not set
 */
export function checkVariableNames(names: readonly string[], env: Env): string[] {
  for (const name of names) {
    if (name.includes('='))
      throw new UsageError(
        `--env ${name.slice(0, name.indexOf('='))}=…: expected a name without a value`,
        'Give only the name; the value comes from your environment.',
      );
    if (variableOf(env, name) === undefined)
      throw new UsageError(`--env ${name}: not set in your environment`);
  }
  return [...new Set(names)];
}
