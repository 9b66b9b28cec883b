/**
 * The environment of an agent's program: a folder of its own with a home, a folder for temporary files and
 * an empty working folder, and the visible part of the file system. In a sandbox that is the system, the
 * folders that seats may read, and folders with installed programs; all of it is read-only.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { filterEnvironment } from '../io/environment.ts';
import { stateFolder } from '../io/files.ts';
import { makeFolder } from '../io/folders.ts';
import { type Env, findOnPath } from '../io/tools.ts';
import type { Folder } from '../kernel/tools/tools.ts';
import type { Sandbox } from '../kernel/tools/workshop.ts';
import { homeOf } from '../platform/folders.ts';
import { findOnPathOrScript } from '../platform/programs.ts';
import { realPathOf } from '../platform/real-path.ts';
import { listHiddenPaths } from '../sandbox/environment.ts';
import { confineCommand, type HiddenPath, listHiddenEntries, TEMP } from '../sandbox/sandbox.ts';
import type { CodingAgent } from './agent.ts';

/** The folders of one process of an agent. The folders are removed when the process has ended. */
export interface Cell {
  /** The folder that contains the others. */
  readonly folder: string;
  /** The home folder of the process. */
  readonly home: string;
  /** The folder for temporary files. */
  readonly temp: string;
  /** An empty folder, in which sessions work if the run has no folders that seats may read. */
  readonly work: string;
}

/** Returns the parent of all cells. */
function cellsFolder(env: Env): string {
  return join(stateFolder(env), 'agents');
}

/** Makes new, empty folders for one process of an agent. */
export function makeCell(env: Env, agent: CodingAgent): Cell {
  makeFolder(cellsFolder(env));
  const folder = realPathOf(mkdtempSync(join(cellsFolder(env), `${agent.name}-`)));
  const [home, temp, work] = ['home', 'tmp', 'work'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [home, temp, work]) mkdirSync(path, { mode: 0o700 });
  return { folder, home, temp, work };
}

/** Variables for proxies and certificates, so that a program reaches the network as the person does. */
const NETWORK = [
  ...['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'NO_PROXY'],
  ...['https_proxy', 'http_proxy', 'all_proxy', 'no_proxy'],
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
];
const TERMINAL = ['TERM', 'COLORTERM', 'FORCE_COLOR', 'COLUMNS', 'LINES'];

/** Returns all environment variables that an agent's program gets. */
export function cellEnvironment(
  env: Env,
  agent: CodingAgent,
  { home, temp }: Cell,
  sandbox: Sandbox,
): Record<string, string> {
  const given = filterEnvironment(env, [...NETWORK, ...agent.env]);
  for (const name of TERMINAL) delete given[name];
  const folder = sandbox === 'bwrap' ? TEMP : temp;
  return {
    ...given,
    ...(sandbox === 'none' ? {} : agent.sandboxed),
    HOME: sandbox === 'bwrap' ? realHome(env) : home,
    TMPDIR: folder,
    TMP: folder,
    TEMP: folder,
    NO_COLOR: '1',
  };
}

/** Returns the person's home folder with links resolved. */
export function realHome(env: Env): string {
  const home = homeOf(env);
  return existsSync(home) ? realPathOf(home) : home;
}

/**
 * Returns the command line that starts an agent's program in the sandbox.
 *
 * @param program the path of the program
 * @param options `folders`: the folders that the agent may read
 */
export function confineAgent(
  agent: CodingAgent,
  program: string,
  cell: Cell,
  { env, sandbox, folders }: { env: Env; sandbox: Sandbox; folders: readonly Folder[] },
): readonly string[] {
  const home = realHome(env);
  const shown = folders.map(({ path }) => path);
  const installed = installedIn(program, home, env);
  return confineCommand(sandbox, findOnPath(sandbox, env) ?? sandbox, [program, ...agent.args], {
    tree: cell.work,
    at: cell.work,
    home: cell.home,
    temp: cell.temp,
    network: true,
    over: [],
    programs: installed.filter((path) => !isWithin(path, home)),
    hide: sandbox === 'bwrap' ? [] : listHiddenPaths(env),
    only: {
      home,
      readable: [...installed.filter((path) => isWithin(path, home)), ...shown],
      // Of each folder that the seat may read, hide only the direct entries that usually contain keys.
      hide: shown.flatMap((path): HiddenPath[] => listHiddenEntries(path)),
      cwd: shown[0] ?? cell.work,
    },
  });
}

/**
 * Returns the first of the folders that contains the person's whole home folder, and so the
 * person's keys; undefined if none does.
 */
export function findWholeHome(env: Env, folders: readonly Folder[]): Folder | undefined {
  return folders.find(({ path }) => isWithin(realHome(env), path));
}

function isWithin(path: string, folder: string): boolean {
  const below = relative(folder, path);
  return below === '' || (below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below));
}

/** Folders of a home that contain only installed programs. */
const TOOLS = [
  ...['.nvm/versions', '.volta', '.asdf', '.pyenv', '.bun/bin', '.bun/install', '.npm-global', 'n'],
  ...['.local/share/mise', '.local/share/fnm', '.local/share/pnpm', '.local/share/uv'],
  ...['.local/share/claude', '.opencode/bin', '.deno/bin', '.cargo/bin', '.rustup/toolchains'],
];

/**
 * Returns the folders from which this program and those on the PATH are started, and in which they are
 * installed.
 */
function installedIn(program: string, home: string, env: Env): string[] {
  const onThePath = (env.PATH ?? '').split(delimiter).filter((path) => isAbsolute(path));
  const folders = [...onThePath, dirname(program), packageOf(realPathOf(program))];
  const prefixes = folders
    .filter((path) => basename(path) === 'bin')
    .map((path) => join(dirname(path), 'lib/node_modules'));
  const tools = TOOLS.map((below) => join(home, below));
  const real = [...folders, ...prefixes, ...tools]
    .filter((path) => existsSync(path))
    .map((path) => realPathOf(path))
    // Links in a folder `.bin` lead to files in its parent folder, so the parent must be visible as
    // well.
    .map((path) => (basename(path) === '.bin' ? dirname(path) : path))
    .filter((path) => !isWithin(home, path));
  return [...new Set(real)];
}

/** Returns the folder with everything that a program needs: its `node_modules`, or its own folder. */
function packageOf(program: string): string {
  const at = program.indexOf('/node_modules/');
  return at < 0 ? dirname(program) : program.slice(0, at + '/node_modules'.length);
}

/**
 * Returns the path of an agent's program; undefined if the program is not installed, or if the
 * agent's command is a relative path.
 */
export function findProgram(agent: CodingAgent, env: Env): string | undefined {
  if (!agent.command.includes('/')) return findOnPathOrScript(agent.command, env);
  const isThere = isAbsolute(agent.command) && statSync(agent.command, { throwIfNoEntry: false });
  return isThere ? agent.command : undefined;
}

/**
 * Returns the folders of all agents' processes, including folders that were left behind when this
 * program died.
 */
export function listCells(env: Env): string[] {
  try {
    return readdirSync(cellsFolder(env)).map((name) => join(cellsFolder(env), name));
  } catch {
    // The folder that contains the folders of all agents does not exist before the first agent has run.
    return [];
  }
}
