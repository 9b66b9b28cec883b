/**
 * Finds the folders for a person's files. On Linux and macOS they follow the rules of XDG; on Windows they
 * are in `%LOCALAPPDATA%` and `%APPDATA%`, unless an XDG variable is set or an earlier version has left its
 * folder in the home folder.
 */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';
import { type Env, variableOf } from './environment.ts';
import { SYSTEM, type System } from './system.ts';

/**
 * A kind of folder. `data` has the database, `config` what a person wrote, `state` what may be deleted
 * without a loss.
 */
type Kind = 'data' | 'config' | 'state';

const NAME = 'deliberate';

const XDG: Readonly<Record<Kind, { readonly variable: string; readonly below: string }>> = {
  data: { variable: 'XDG_DATA_HOME', below: '.local/share' },
  config: { variable: 'XDG_CONFIG_HOME', below: '.config' },
  state: { variable: 'XDG_STATE_HOME', below: '.local/state' },
};

/** Folders on Windows: the variable, its usual place below the home folder, and our own folder in it. */
const WINDOWS: Readonly<Record<Kind, readonly [string, string, string]>> = {
  data: ['LOCALAPPDATA', 'AppData\\Local', NAME],
  config: ['APPDATA', 'AppData\\Roaming', NAME],
  // On Windows, files of state lie in a subfolder of the data folder, so that they are not mixed with the
  // database.
  state: ['LOCALAPPDATA', 'AppData\\Local', `${NAME}\\state`],
};

/**
 * Returns the person's home folder: HOME, on Windows also USERPROFILE, or else what the system says. On Windows, a
 * variable counts only if its path has a drive or a server.
 */
export function homeOf(env: Env, system: System = SYSTEM): string {
  const { HOME } = env;
  if (system !== 'windows') return HOME || homedir();
  // HOME comes first on Windows, too, unless a Unix shell has set it to a path that Windows does not understand.
  if (HOME !== undefined && isWhole(HOME)) return HOME;
  const profile = variableOf(env, 'USERPROFILE', system);
  return profile !== undefined && isWhole(profile) ? profile : homedir();
}

/**
 * Returns the path of one of the program's own folders, which need not exist yet: on Linux and macOS by the rules
 * of XDG; on Windows below `%LOCALAPPDATA%` or `%APPDATA%`, unless an XDG variable is set or only the folder of an
 * earlier version exists. A relative path in one of these variables is ignored.
 *
 * @param kind what the folder is for, such as data or settings
 * @param isThere returns whether a folder exists
 */
export function folderOf(
  kind: Kind,
  env: Env,
  system: System = SYSTEM,
  isThere: (path: string) => boolean = existsSync,
): string {
  const { variable, below } = XDG[kind];
  const { join, isAbsolute } = system === 'windows' ? win32 : posix;
  const set = variableOf(env, variable, system);
  if (set !== undefined && isAbsolute(set)) return join(set, NAME);
  const home = homeOf(env, system);
  const before = join(home, below, NAME);
  if (system !== 'windows') return before;
  const [name, elsewhere, own] = WINDOWS[kind];
  const base = variableOf(env, name, system);
  const folder = join(base !== undefined && isWhole(base) ? base : join(home, elsewhere), own);
  return !isThere(folder) && isThere(before) ? before : folder;
}

/** Returns whether a Windows path has a drive or a server: `\Users` alone depends on the current drive. */
function isWhole(path: string): boolean {
  return /^(?:[A-Za-z]:[\\/]|[\\/]{2}[^\\/])/.test(path);
}
