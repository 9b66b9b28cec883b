/** Runs a program in a working tree, isolated as well as this machine allows. */
import { existsSync, lstatSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, relative } from 'node:path';
import { findOnPath } from '../../io/tools.ts';
import type { Check, Provision, Sandbox } from '../../kernel/tools/workshop.ts';
import { homeOf } from '../../platform/folders.ts';
import { realPathOf } from '../../platform/real-path.ts';
import { environmentFor, listHiddenPaths } from '../../sandbox/environment.ts';
import {
  type Command,
  findExecutable,
  type ProcessEnd,
  runProcess,
} from '../../sandbox/process.ts';
import { confineCommand } from '../../sandbox/sandbox.ts';
import { takeEnd } from '../../sandbox/tail.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import type { RunFolders } from './place.ts';
import { type ProvidedFiles, provideForCommands } from './provision.ts';
import type { WorkingTree } from './working-tree.ts';

/** The most characters of output that are kept for models and people. */
const KEPT = 24_000;

interface Order extends Pick<Check, 'argv' | 'timeoutS'> {
  readonly env?: Check['env'];
  readonly sandbox: Sandbox;
  readonly provided: ProvidedFiles;
  readonly network?: boolean;
  /** Names of the person's environment variables that the program also gets. */
  readonly pass?: readonly string[];
  readonly input?: Command['input'];
  readonly talk?: Command['talk'];
}

/**
 * Runs a program in a working tree, within the sandbox. Resolves to the result whatever the program
 * does, also if the program or the folder to start it in is missing.
 */
export async function runIn(
  place: RunFolders,
  where: WorkingTree,
  { argv, env: own, timeoutS, sandbox, provided, network = false, pass, input, talk }: Order,
  signal: AbortSignal,
): Promise<ProcessEnd> {
  const env = environmentFor(place.env, where, sandbox, withoutUndefined({ env: own, pass }));
  const at = treePathInSandbox(place, where, sandbox);
  const [program = ''] = argv;
  const inside = own?.findLast(({ name }) => name === 'PWD')?.value ?? '';
  const folder = folderIn(where.tree, inside);
  if (folder === undefined) return notStarted(`${inside}: no such folder`);
  // Look for the program first: in a sandbox, a missing program cannot be told from one that
  // failed.
  if (sandbox !== 'none' && !mayExist(program, { folder, inside }, provided, env))
    return notStarted(`${program}: not found`);
  return runProcess(
    {
      argv: confineCommand(sandbox, findOnPath(sandbox, place.env) ?? sandbox, argv, {
        tree: where.tree,
        at,
        inside,
        home: where.home,
        temp: where.temp,
        network,
        over: provided.bound,
        programs: programsOf(program, env),
        hide: listHiddenPaths(place.env),
      }),
      cwd: folder,
      env,
      timeoutMs: timeoutS * 1000,
      mark: `${place.run}-${crypto.randomUUID()}`,
      input,
      talk,
      wrapped: sandbox === 'bwrap' ? 'bwrap' : undefined,
    },
    signal,
  );
}

function notStarted(note: string): ProcessEnd {
  return { exit: null, ended: 'not-started', note, ms: 0, text: '', bytes: 0, left: 0 };
}

/**
 * Returns the folder of a tree in which a command runs; undefined if it does not exist, or a link leads out
 * of the tree.
 */
function folderIn(tree: string, inside: string): string | undefined {
  const folder = join(tree, inside);
  if (inside === '') return folder;
  if (!existsSync(folder) || !lstatSync(folder).isDirectory()) return undefined;
  const path = relative(realPathOf(tree), realPathOf(folder));
  return path === '..' || path.startsWith('../') || isAbsolute(path) ? undefined : folder;
}

/** Returns the real paths of the folders from which programs are started. */
function programsOf(program: string, env: Readonly<Record<string, string>>): string[] {
  const own = isAbsolute(program) ? program : findOnPath(program, env);
  const folders = [
    ...(env.PATH ?? '').split(delimiter),
    ...(own === undefined || !existsSync(own) ? [] : [dirname(realPathOf(own))]),
  ];
  return [
    ...new Set(
      folders
        .filter((folder) => isAbsolute(folder) && existsSync(folder))
        .map((folder) => realPathOf(folder))
        // A folder `.bin` contains links to files in its parent folder. So return the parent folder, which the
        // sandbox then shows to the program.
        .map((folder) => (basename(folder) === '.bin' ? dirname(folder) : folder)),
    ),
  ];
}

/**
 * Returns the path of the tree as the program in the sandbox sees it. The sandbox `bwrap` shows the
 * tree at the path of the person's checkout, unless that would hide folders that programs need, such
 * as the home folder. Otherwise the tree is at its own path.
 */
export function treePathInSandbox(place: RunFolders, where: WorkingTree, sandbox: Sandbox): string {
  if (sandbox !== 'bwrap' || !existsSync(place.repository)) return where.tree;
  const repository = realPathOf(place.repository);
  const isAncestor = (outer: string, inner: string): boolean => {
    const path = relative(outer, inner);
    return path === '' || !path.startsWith('..');
  };
  const isApart = ![homeOf(place.env), place.folder, '/tmp', '/usr'].some((folder) =>
    isAncestor(repository, folder),
  );
  return isApart ? repository : where.tree;
}

function mayExist(
  program: string,
  { folder, inside }: { readonly folder: string; readonly inside: string },
  { bound }: ProvidedFiles,
  env: Readonly<Record<string, string>>,
): boolean {
  const isProvided = bound.some(({ to }) => join(inside, program).startsWith(`${to}/`));
  return isProvided || findExecutable(program, folder, env) !== undefined;
}

/**
 * Returns the last 24,000 characters of a program's output, and below them in brackets the note on
 * why the program was ended or could not start, if there is one.
 */
export function outputOf(text: string, { note }: Pick<ProcessEnd, 'note'>): string {
  const said = takeEnd(text, KEPT);
  if (note === undefined) return said;
  return `${said}${said === '' || said.endsWith('\n') ? '' : '\n'}[${note}]\n`;
}

/**
 * Copies the folders and files that a person provides for commands, such as `node_modules`, if they
 * are not copied yet. The set-up command is not run.
 */
export function provideFiles(
  place: RunFolders,
  { folders, files }: Provision,
  signal: AbortSignal,
): Promise<void> {
  return provideForCommands(
    place,
    '',
    { folders, files },
    () => Promise.resolve(undefined),
    signal,
  );
}
