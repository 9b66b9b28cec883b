/**
 * Confines commands: with `bwrap` on Linux, `sandbox-exec` on macOS, or not at all. Everything is read-only
 * except the working tree, a temporary folder and a home of the command's own; the network is loopback.
 * Sockets of services that would write on behalf of a client (a container daemon, a key agent, the
 * desktop's bus) are in `/run` and `/tmp`, which are empty in the sandbox. Places in the person's home that
 * usually contain keys are hidden.
 */
import { spawn } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { filterEnvironment } from '../io/environment.ts';
import { type Env, findOnPath } from '../io/tools.ts';
import type { Sandbox } from '../kernel/tools/workshop.ts';
import { realPathOf } from '../platform/real-path.ts';
import { SYSTEM } from '../platform/system.ts';
import { looksSecret } from '../tools/refusal.ts';

interface Cell {
  /** The working folder, which can be written to, like the home and the temporary folder. */
  readonly tree: string;
  /**
   * The path of the tree inside the sandbox: that of the person's checkout. So what was installed for that
   * path works and uses the tree, and the checkout itself is not visible.
   */
  readonly at: string;
  /** The folder of the tree in which the command runs; `''`: the root. */
  readonly inside?: string | undefined;
  readonly home: string;
  readonly temp: string;
  readonly network: boolean;
  /** The folders with its programs; those below emptied folders are mounted again. */
  readonly programs: readonly string[];
  /** Read-only folders that are mounted at a path within the tree: what a person provided. */
  readonly over: readonly BoundFolder[];
  /** Hidden paths in the person's home and other places that contain keys. */
  readonly hide: readonly HiddenPath[];
  /**
   * The only visible parts of the person's home and other folders; absent: everything that is not hidden.
   */
  readonly only?: Only | undefined;
}

/** A view of the file system in which the command's own home replaces the person's. */
interface Only {
  /** The real path of the person's home, where the command's own home is visible. */
  readonly home: string;
  /** Parts of the home and of emptied folders that are readable nevertheless, by real paths. */
  readonly readable: readonly string[];
  /** Paths within the readable ones that stay hidden. */
  readonly hide: readonly HiddenPath[];
  /** The folder that the command starts in. */
  readonly cwd: string;
}

/** A folder that is mounted read-only into a tree. */
export interface BoundFolder {
  /** The path of the folder on this machine. */
  readonly from: string;
  /** The path within the tree. */
  readonly to: string;
  /** Folders in it to which programs may write. What they write is discarded. */
  readonly scratch: readonly string[];
}

/** A path that a sandbox hides. */
export interface HiddenPath {
  readonly path: string;
  readonly isFolder: boolean;
}

/** The path of the temporary folder inside `bwrap`. */
export const TEMP = '/tmp';

/** The time limit in milliseconds for trying a sandbox, which starts one process. */
const TRIED_MS = 10_000;

const found = new Map<string, Promise<Sandbox>>();

/**
 * Returns the sandbox that works on this machine, or `none` if no sandbox works. The sandbox's program is tried,
 * since the system may forbid user namespaces. The result is remembered for each `PATH`.
 */
export function findSandbox(env: Env): Promise<Sandbox> {
  const key = env.PATH ?? '';
  const known = found.get(key) ?? tryAll(env);
  found.set(key, known);
  return known;
}

async function tryAll(env: Env): Promise<Sandbox> {
  const kind = SYSTEM === 'mac' ? 'sandbox-exec' : 'bwrap';
  const program = findOnPath(kind, env);
  if (program === undefined) return 'none';
  const args =
    kind === 'bwrap'
      ? [...buildBwrapArguments(false), '--', '/bin/sh', '-c', ':']
      : ['-p', PROFILE, ...makePlaceArguments('/', '/', '/'), '/usr/bin/true'];
  return (await canRun(program, args, env)) ? kind : 'none';
}

function canRun(program: string, args: readonly string[], env: Env): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'ignore', cwd: '/', env: filterEnvironment(env) });
    const clock = setTimeout(() => child.kill('SIGKILL'), TRIED_MS);
    const settle = (answer: boolean): void => {
      clearTimeout(clock);
      resolve(answer);
    };
    child.once('error', () => settle(false));
    child.once('exit', (code) => settle(code === 0));
  });
}

/**
 * Returns the command line that starts a command inside the sandbox; for `none`, the command itself.
 * @param program the path of the sandbox's program
 * @param argv the command and its arguments
 * @param cell what the command may write, what is hidden from it, and whether it may use the network; everything
 *   else it can only read
 */
export function confineCommand(
  sandbox: Sandbox,
  program: string,
  argv: readonly string[],
  cell: Cell,
): readonly string[] {
  if (sandbox === 'none') return argv;
  if (sandbox === 'sandbox-exec')
    return [
      ...[program, '-p', makeProfile(cell)],
      ...makePlaceArguments(realPathOf(cell.tree), realPathOf(cell.home), realPathOf(cell.temp)),
      ...argv,
    ];
  return [
    program,
    ...buildBwrapArguments(cell.network),
    ...cell.hide.flatMap(({ path, isFolder }) =>
      isFolder ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path],
    ),
    // Sockets need short paths, so the temporary folder gets a short one.
    ...['--bind', cell.temp, TEMP],
    ...cell.programs.filter(isEmptied).flatMap((path) => ['--ro-bind', path, path]),
    ...['--bind', cell.home, cell.only?.home ?? cell.home],
    ...(cell.only === undefined ? [] : readableOnly(cell.only)),
    ...['--bind', cell.tree, cell.at],
    ...cell.over.flatMap(({ from, to, scratch }) => [
      ...['--ro-bind', from, join(cell.at, to)],
      ...scratch.flatMap((name) => ['--tmpfs', join(cell.at, to, name)]),
    ]),
    ...['--chdir', cell.only?.cwd ?? join(cell.at, cell.inside ?? '')],
    ...['--', '/bin/sh', '-c', REPORT, 'sh', ...argv],
  ];
}

/**
 * A shell script that reports that the command has started and, at its end, how many processes it has left,
 * which end together with this shell. The command cannot write to the reporting pipe. SIGTERM is meant for
 * the command; the shell ignores it.
 */
const REPORT = `
trap : TERM
echo started >&3
exec 4>&2 2>/dev/null
"$@" 2>&4 3>&- 4>&-
code=$?
left=0
for stat in /proc/[0-9]*/stat; do
  read -r line < "$stat" 2>/dev/null || continue
  set -- \${line##*) }
  case "$1" in Z|X) ;; *) left=$((left + 1)) ;; esac
done
echo $((left - 2)) >&3
exit $code
`;

function readableOnly({ readable, hide }: Only): string[] {
  return [
    ...readable.flatMap((path) => ['--ro-bind', path, path]),
    ...hide.flatMap(({ path, isFolder }) =>
      isFolder ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path],
    ),
  ];
}

/** Folders that are empty inside, except for the command's own. */
const EMPTIED: readonly string[] = [TEMP, '/var/tmp', '/run'];

function isEmptied(path: string): boolean {
  return EMPTIED.some((folder) => path.startsWith(`${folder}/`)) && existsSync(path);
}

/**
 * Returns the arguments that make the file system read-only. bwrap brings loopback up in its own network.
 */
function buildBwrapArguments(network: boolean): string[] {
  return [
    ...['--die-with-parent', '--cap-drop', 'ALL'],
    ...['--unshare-pid', '--unshare-ipc', '--unshare-uts'],
    ...(network ? [] : ['--unshare-net']),
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    // Cover each of these folders by an empty one, but only real folders: nothing can be mounted over a link, and
    // the folder that a link leads to is in the list too.
    ...EMPTIED.filter(isFolder).flatMap((path) => ['--tmpfs', path]),
    // On NixOS, /run/current-system contains the programs, so make it visible in the emptied /run.
    ...['--ro-bind-try', '/run/current-system', '/run/current-system'],
    // With a network, make the settings of name resolution visible in the emptied /run.
    ...(network ? ['--ro-bind-try', '/run/systemd/resolve', '/run/systemd/resolve'] : []),
  ];
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function makePlaceArguments(tree: string, home: string, temp: string): string[] {
  return ['-D', `TREE=${tree}`, '-D', `HOME=${home}`, '-D', `TEMP=${temp}`];
}

/**
 * The profile for sandbox-exec; the last matching rule wins. Paths are parameters, so that a path cannot
 * contain a rule.
 */
const PROFILE = `(version 1)
(allow default)
(deny file-write*)
(allow file-write* (subpath (param "TREE")) (subpath (param "HOME")) (subpath (param "TEMP")))
(allow file-write-data (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty"))
(allow file-ioctl (literal "/dev/null") (literal "/dev/tty"))
`;
const NO_NETWORK = `(deny network*)
(allow network* (local ip "localhost:*"))
(allow network-outbound (remote ip "localhost:*"))
(allow network* (subpath (param "TREE")) (subpath (param "TEMP")))
`;

function makeProfile({ network, hide, only }: Cell): string {
  const hidden = hide.map(({ path }) => formatDenyRule(path));
  return `${PROFILE}${network ? '' : NO_NETWORK}${hidden.join('')}${only === undefined ? '' : onlyProfile(only)}`;
}

function onlyProfile({ home, readable, hide }: Only): string {
  return [
    formatDenyRule(home),
    // To reach a readable path, a program has to look up the folders above it. So it may look up every path in the
    // home folder but the hidden ones below, and read only the readable ones.
    `(allow file-read-metadata (subpath ${JSON.stringify(home)}))\n`,
    ...readable.map((path) => `(allow file-read* (subpath ${JSON.stringify(path)}))\n`),
    ...['TREE', 'HOME', 'TEMP'].map((name) => `(allow file-read* (subpath (param "${name}")))\n`),
    ...hide.map(({ path }) => formatDenyRule(path)),
  ].join('');
}

function formatDenyRule(path: string): string {
  return `(deny file-read* (subpath ${JSON.stringify(path)}))\n`;
}

/**
 * Returns the entries of a folder whose names suggest that they contain keys. Subfolders are not
 * searched.
 */
export function listHiddenEntries(folder: string): HiddenPath[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    // The folder does not exist or cannot be read.
    return [];
  }
  return names
    .filter(looksSecret)
    .map((name) => join(folder, name))
    .filter((path) => existsSync(path))
    .map((path) => ({ path: realPathOf(path), isFolder: statSync(path).isDirectory() }));
}
