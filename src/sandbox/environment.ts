/**
 * Makes the environment of a command: where programs are, the language, and a home and temporary folder of
 * its own. Variables about the terminal are left out, so that a check behaves the same everywhere. Tools
 * that look for their programs or packages in the home folder get variables that say where those are.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filterEnvironment } from '../io/environment.ts';
import { configFolder } from '../io/files.ts';
import type { Env } from '../io/tools.ts';
import type { Check, Sandbox } from '../kernel/tools/workshop.ts';
import { homeOf } from '../platform/folders.ts';
import { realPathOf } from '../platform/real-path.ts';
import { type HiddenPath, listHiddenEntries, TEMP } from './sandbox.ts';

/** The folders of a command. */
interface CommandFolders {
  readonly tree: string;
  readonly home: string;
  readonly temp: string;
}

const TERMINAL = ['TERM', 'COLORTERM', 'NO_COLOR', 'FORCE_COLOR', 'COLUMNS', 'LINES'];

/**
 * The variables by which tools find installed programs and packages, and their default path in a home
 * folder.
 */
const INSTALLED: readonly (readonly [name: string, below: string])[] = [
  ['ASDF_DATA_DIR', '.asdf'],
  ['CARGO_HOME', '.cargo'],
  ['GOMODCACHE', 'go/pkg/mod'],
  ['GRADLE_RO_DEP_CACHE', '.gradle/caches'],
  ['MISE_DATA_DIR', '.local/share/mise'],
  ['MIX_HOME', '.mix'],
  ['NUGET_PACKAGES', '.nuget/packages'],
  ['NVM_DIR', '.nvm'],
  ['PYENV_ROOT', '.pyenv'],
  ['RUSTUP_HOME', '.rustup'],
  ['VOLTA_HOME', '.volta'],
];

/** Switches off the search for updates, which would wait for an answer without a network. */
const CALM = { NO_UPDATE_NOTIFIER: '1', npm_config_update_notifier: 'false' };

/** Folders below a home that are hidden from commands. */
const PRIVATE = ['.config/gh', '.config/gcloud', '.config/op', '.local/share/keyrings', '.mozilla'];

/**
 * Returns the environment variables of a command.
 * @param more `env`: variables to set; `pass`: names of the person's variables to pass on
 */
export function environmentFor(
  env: Env,
  { home, temp, tree }: CommandFolders,
  sandbox: Sandbox,
  more: { readonly env?: Check['env']; readonly pass?: readonly string[] } = {},
): Record<string, string> {
  const given = filterEnvironment(env, more.pass);
  for (const name of TERMINAL) delete given[name];
  for (const [name, below] of INSTALLED) {
    const folder = env[name] ?? join(homeOf(env), below);
    if (existsSync(folder)) given[name] = folder;
  }
  const maven = join(homeOf(env), '.m2/repository');
  // Commands find the person's Maven repository by an option of the Java virtual machine, because Maven has no
  // environment variable for it.
  if (existsSync(maven)) given.MAVEN_OPTS = `-Dmaven.repo.local=${maven}`;
  // Leave PWD out of the command's variables: it only names the folder in which the command is started, and a
  // shell sets it itself.
  for (const { name, value } of more.env ?? []) if (name !== 'PWD') given[name] = value;
  delete given.PWD;
  const folder = sandbox === 'bwrap' ? TEMP : temp;
  const own = { HOME: home, TMPDIR: folder, TMP: folder, TEMP: folder };
  // GIT_CEILING_DIRECTORIES keeps git from looking for a repository in folders above the working tree.
  return { ...CALM, ...given, ...own, GIT_CEILING_DIRECTORIES: dirname(tree) };
}

/** Returns the paths that a sandbox hides from commands, because they may contain keys. */
export function listHiddenPaths(env: Env): HiddenPath[] {
  const home = homeOf(env);
  // Resolve links: nothing can be mounted over a link, and some home folders consist of links.
  const findRealPath = (path: string): string[] => (existsSync(path) ? [realPathOf(path)] : []);
  return [
    ...['', '.config', '.cargo'].flatMap((below) =>
      findRealPath(join(home, below)).flatMap(listHiddenEntries),
    ),
    ...[...PRIVATE.map((below) => join(home, below)), configFolder(env)]
      .flatMap(findRealPath)
      .map((path) => ({ path, isFolder: true })),
  ];
}
