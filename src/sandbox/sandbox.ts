/**
 * What keeps a command from writing elsewhere: `bwrap` on Linux, `sandbox-exec` on macOS, or nothing.
 * Everything is read-only but the working tree, a temporary folder and a home of the command's own; the
 * network is loopback. Sockets of services that would do a write for whoever asks (a container daemon, a
 * key agent, the desktop's bus) lie in `/run` and `/tmp`, which are empty in there, and what keys are
 * usually kept in is hidden in the person's home.
 */
import { spawn } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { filterEnvironment } from '../io/environment.ts';
import { type Env, onPath } from '../io/tools.ts';
import type { Sandbox } from '../kernel/tools/workshop.ts';
import { realPathOf } from '../platform/real-path.ts';
import { SYSTEM } from '../platform/system.ts';
import { looksSecret } from '../tools/refusal.ts';

interface Cell {
  /** The working folder; it, the home and the temporary folder may be written to. */
  readonly tree: string;
  /**
   * Under which path it is seen in there: that of the person's checkout, so that what was installed for
   * that path works and means the tree, and nothing of the checkout is seen.
   */
  readonly at: string;
  /** The folder of the tree that the command is run in; `''`: its root. */
  readonly inside?: string | undefined;
  readonly home: string;
  readonly temp: string;
  readonly network: boolean;
  /** Where its programs are; those below what is emptied in there are laid in again. */
  readonly programs: readonly string[];
  /** What may be read only at a path within the tree: what was provided. */
  readonly over: readonly Bound[];
  /** The person's own home, and other places of theirs that are hidden where they have keys. */
  readonly hide: readonly Hidden[];
  /** What is seen of the person's home and of folders that are named; absent: all but what is hidden. */
  readonly only?: Only | undefined;
}

/** A view of the disk in which a home of the command's own stands in for the person's. */
interface Only {
  /** The person's home, by its real path: the command's own is seen in its place. */
  readonly home: string;
  /** What of the home, and of folders that are emptied, may be read all the same. By real paths. */
  readonly readable: readonly string[];
  /** What stays hidden within those. */
  readonly hide: readonly Hidden[];
  /** The folder that the command starts in. */
  readonly cwd: string;
}

export interface Bound {
  readonly from: string;
  /** As seen from the tree. */
  readonly to: string;
  /** Folders in it that programs write to as they like; what they write is lost. */
  readonly scratch: readonly string[];
}

export interface Hidden {
  readonly path: string;
  readonly isFolder: boolean;
}

/** Where a command in `bwrap` finds its temporary folder. */
export const TEMP = '/tmp';

/** It starts one process; a machine that takes longer has another trouble. */
const TRIED_MS = 10_000;

const found = new Map<string, Promise<Sandbox>>();

/** What can be used here. That the program is there is not enough: user namespaces may be forbidden. */
export function findSandbox(env: Env): Promise<Sandbox> {
  const key = env.PATH ?? '';
  const known = found.get(key) ?? tryAll(env);
  found.set(key, known);
  return known;
}

async function tryAll(env: Env): Promise<Sandbox> {
  const kind = SYSTEM === 'mac' ? 'sandbox-exec' : 'bwrap';
  const program = onPath(kind, env);
  if (program === undefined) return 'none';
  const args =
    kind === 'bwrap'
      ? [...walls(false), '--', '/bin/sh', '-c', ':']
      : ['-p', PROFILE, ...places('/', '/', '/'), '/usr/bin/true'];
  return (await succeeds(program, args, env)) ? kind : 'none';
}

function succeeds(program: string, args: readonly string[], env: Env): Promise<boolean> {
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

/** The command as it is started inside. @param program where that of the sandbox is. */
export function confine(
  sandbox: Sandbox,
  program: string,
  argv: readonly string[],
  cell: Cell,
): readonly string[] {
  if (sandbox === 'none') return argv;
  if (sandbox === 'sandbox-exec')
    return [
      ...[program, '-p', profile(cell)],
      ...places(realPathOf(cell.tree), realPathOf(cell.home), realPathOf(cell.temp)),
      ...argv,
    ];
  return [
    program,
    ...walls(cell.network),
    ...cell.hide.flatMap(({ path, isFolder }) =>
      isFolder ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path],
    ),
    // Sockets have short names: the path of the temporary folder has to be one.
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
 * Tells that the command was started and, at its end, how many processes it has left: when this shell
 * ends, all of them do. The command itself cannot write there. SIGTERM is for the command and not for
 * the shell, which is silent about it.
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

/** Folders that have nothing in them for a command, but what is its own. */
const EMPTIED: readonly string[] = [TEMP, '/var/tmp', '/run'];

function isEmptied(path: string): boolean {
  return EMPTIED.some((one) => path.startsWith(`${one}/`)) && existsSync(path);
}

/** Loopback is up by itself: bwrap sees to that in a network of its own. */
function walls(network: boolean): string[] {
  return [
    ...['--die-with-parent', '--cap-drop', 'ALL'],
    ...['--unshare-pid', '--unshare-ipc', '--unshare-uts'],
    ...(network ? [] : ['--unshare-net']),
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    // A link cannot be laid over, and leads to one of the others.
    ...EMPTIED.filter(isFolder).flatMap((path) => ['--tmpfs', path]),
    // Programs lie there on NixOS.
    ...['--ro-bind-try', '/run/current-system', '/run/current-system'],
    // Where names are looked up.
    ...(network ? ['--ro-bind-try', '/run/systemd/resolve', '/run/systemd/resolve'] : []),
  ];
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function places(tree: string, home: string, temp: string): string[] {
  return ['-D', `TREE=${tree}`, '-D', `HOME=${home}`, '-D', `TEMP=${temp}`];
}

/** The last rule that fits decides. Paths are parameters, so that none of them can be a rule. */
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

function profile({ network, hide, only }: Cell): string {
  const hidden = hide.map(({ path }) => deny(path));
  return `${PROFILE}${network ? '' : NO_NETWORK}${hidden.join('')}${only === undefined ? '' : onlyProfile(only)}`;
}

function onlyProfile({ home, readable, hide }: Only): string {
  return [
    deny(home),
    // Paths lead through folders whose names alone may be looked up.
    `(allow file-read-metadata (subpath ${JSON.stringify(home)}))\n`,
    ...readable.map((path) => `(allow file-read* (subpath ${JSON.stringify(path)}))\n`),
    ...['TREE', 'HOME', 'TEMP'].map((name) => `(allow file-read* (subpath (param "${name}")))\n`),
    ...hide.map(({ path }) => deny(path)),
  ].join('');
}

function deny(path: string): string {
  return `(deny file-read* (subpath ${JSON.stringify(path)}))\n`;
}

/** What in a folder looks as if keys were kept in it, one floor deep: a home is long. */
export function hiddenIn(folder: string): Hidden[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    // There is no such folder, or nobody may read it.
    return [];
  }
  return names
    .filter(looksSecret)
    .map((name) => join(folder, name))
    .filter((path) => existsSync(path))
    .map((path) => ({ path: realPathOf(path), isFolder: statSync(path).isDirectory() }));
}
