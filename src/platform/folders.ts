/**
 * Where a person's files lie. On Linux and macOS by the rules of XDG; on Windows in `%LOCALAPPDATA%` and
 * `%APPDATA%`, unless an XDG variable is set or an earlier version left its folder in the home.
 */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';
import { type Env, variableOf } from './environment.ts';
import { SYSTEM, type System } from './system.ts';

/** `data`: the database. `config`: what a person wrote. `state`: what may be deleted without a loss. */
type Kind = 'data' | 'config' | 'state';

const NAME = 'deliberate';

const XDG: Readonly<Record<Kind, { readonly variable: string; readonly below: string }>> = {
  data: { variable: 'XDG_DATA_HOME', below: '.local/share' },
  config: { variable: 'XDG_CONFIG_HOME', below: '.config' },
  state: { variable: 'XDG_STATE_HOME', below: '.local/state' },
};

/** Folders of Windows: the variable, where that is below the home, and our folder in it. */
const WINDOWS: Readonly<Record<Kind, readonly [string, string, string]>> = {
  data: ['LOCALAPPDATA', 'AppData\\Local', NAME],
  config: ['APPDATA', 'AppData\\Roaming', NAME],
  // Beside the database, and not mixed with it.
  state: ['LOCALAPPDATA', 'AppData\\Local', `${NAME}\\state`],
};

/** The person's home folder. */
export function homeOf(env: Env, system: System = SYSTEM): string {
  const { HOME } = env;
  if (system !== 'windows') return HOME || homedir();
  // A shell from Unix sets HOME as well, but not always to a path that Windows knows.
  if (HOME !== undefined && isWhole(HOME)) return HOME;
  const profile = variableOf(env, 'USERPROFILE', system);
  return profile !== undefined && isWhole(profile) ? profile : homedir();
}

/**
 * Our own folder of a kind. A relative value of a variable is invalid and ignored.
 * `isThere`: whether a folder exists.
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

/** With a drive or a server: `\Users` alone is on whatever drive one stands. */
function isWhole(path: string): boolean {
  return /^(?:[A-Za-z]:[\\/]|[\\/]{2}[^\\/])/.test(path);
}
