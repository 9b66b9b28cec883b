/**
 * What a command is told: where programs are, which language, and a home and a temporary folder of its
 * own. What the terminal is like is left out, so that a check says the same wherever it is run. Tools
 * that look for their own programs or packages in the home are told where those are.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filterEnvironment } from '../io/environment.ts';
import { configFolder } from '../io/files.ts';
import type { Env } from '../io/tools.ts';
import type { Check, Sandbox } from '../kernel/tools/workshop.ts';
import { homeOf } from '../platform/folders.ts';
import { realPathOf } from '../platform/real-path.ts';
import { type Hidden, hiddenIn, TEMP } from './sandbox.ts';

/** The folders that a command is given. */
interface CommandFolders {
  readonly tree: string;
  readonly home: string;
  readonly temp: string;
}

const TERMINAL = ['TERM', 'COLORTERM', 'NO_COLOR', 'FORCE_COLOR', 'COLUMNS', 'LINES'];

/** The variables by which tools find what is installed, and where that is in a home otherwise. */
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

/** Tools look for newer versions of themselves; without a network they would wait for an answer. */
const CALM = { NO_UPDATE_NOTIFIER: '1', npm_config_update_notifier: 'false' };

/** Below a home: nothing in them is a check's business. */
const PRIVATE = ['.config/gh', '.config/gcloud', '.config/op', '.local/share/keyrings', '.mozilla'];

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
  // Maven asks its virtual machine, and no variable of its own.
  if (existsSync(maven)) given.MAVEN_OPTS = `-Dmaven.repo.local=${maven}`;
  // PWD names the folder within the tree; a shell finds out by itself where that is.
  for (const { name, value } of more.env ?? []) if (name !== 'PWD') given[name] = value;
  delete given.PWD;
  const folder = sandbox === 'bwrap' ? TEMP : temp;
  // A repository around the run's folder is none of the command's.
  const own = { HOME: home, TMPDIR: folder, TMP: folder, TEMP: folder };
  return { ...CALM, ...given, ...own, GIT_CEILING_DIRECTORIES: dirname(tree) };
}

/** What nobody sees in a sandbox. */
export function hiddenOf(env: Env): Hidden[] {
  const home = homeOf(env);
  // By their real paths: nothing can be laid over a link, and whole homes are made of links.
  const real = (path: string): string[] => (existsSync(path) ? [realPathOf(path)] : []);
  return [
    ...['', '.config', '.cargo'].flatMap((below) => real(join(home, below)).flatMap(hiddenIn)),
    ...[...PRIVATE.map((below) => join(home, below)), configFolder(env)]
      .flatMap(real)
      .map((path) => ({ path, isFolder: true })),
  ];
}
