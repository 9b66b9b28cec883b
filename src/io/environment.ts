/**
 * What a program that is started here is told of the person's environment. These are lists of what may
 * pass: nobody can list the names that people give to their secrets.
 */
import { UsageError } from '../kernel/errors.ts';
import { type Env, variableOf } from '../platform/environment.ts';
import { SYSTEM, type System } from '../platform/system.ts';

/** Set for everything that is started on behalf of a run: its id. No run is begun from inside one. */
export const INSIDE = 'DELIBERATE_RUN';

/** Who and where one is, which language one reads and what kind of terminal it is. */
const FOR_ALL = [
  INSIDE,
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TMPDIR', 'TMP', 'TEMP', 'TZ', 'CI'],
  ...['TERM', 'COLORTERM', 'NO_COLOR', 'FORCE_COLOR', 'COLUMNS', 'LINES', 'LANG', 'LANGUAGE'],
  // One by one: people pass passwords through ssh in variables that only begin with LC_.
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

function forAll(system: System): readonly string[] {
  return system === 'windows' ? [...FOR_ALL, ...FOR_ALL_ON_WINDOWS] : FOR_ALL;
}

/** Where the desktop's clipboard and notices are found. */
export const DESKTOP = [
  ...['DISPLAY', 'XAUTHORITY', 'WAYLAND_DISPLAY', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS'],
  ...['TMUX', 'TMUX_TMPDIR', 'WSLENV', 'WSL_DISTRO_NAME', 'WSL_INTEROP'],
];

/** Said of the working folder by shells; never secret, and set anew by the next shell. */
const FOLDERS = ['PWD', 'OLDPWD'];

const PUBLIC: ReadonlySet<string> = new Set(
  [...forAll(SYSTEM), ...FOLDERS].map((name) => canonicalName(name, SYSTEM)),
);

/** Whether a variable is one of those that every program may see. */
export function isPublic(name: string): boolean {
  return PUBLIC.has(canonicalName(name, SYSTEM));
}

/** Returns a name that is the same for all spellings of a variable: in upper case on Windows. */
function canonicalName(name: string, system: System): string {
  return system === 'windows' ? name.toUpperCase() : name;
}

/** The variables that may pass, and those that are named in `more`, as far as they are set. */
export function admit(
  env: Env,
  more: readonly string[] = [],
  system: System = SYSTEM,
): Record<string, string> {
  return Object.fromEntries(
    [...new Set([...forAll(system), ...more])].flatMap((name): [string, string][] => {
      const value = variableOf(env, name, system);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Names as `--env` gives them. @throws UsageError for what is no name, or is not set. */
export function namedVariables(names: readonly string[], env: Env): string[] {
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
