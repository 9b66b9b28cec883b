/** A person's repository, and a run's workshop over it. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { ToolOutput } from '../../src/kernel/tools/tools.ts';
import type { CommitAnswer, JoinAnswer, Workshop } from '../../src/kernel/tools/workshop.ts';
import { workshopFolder } from '../../src/workshop/clean.ts';
import { openWorkshop, type WorkshopOptions } from '../../src/workshop/workshop.ts';
import { needProgram } from '../setup/needs.ts';
import { temporaryFolder } from '../store/folder.ts';
import { makeOnce } from './kept.ts';

/** The id of the run to which workshops belong by default. */
export const RUN_ID = '019c1c38-a400-7abc-8def-0123456789ab';
/** The branch on which the run `RUN_ID` delivers its work. */
export const RUN_BRANCH = 'deliberate-019c1c38-a400';
/** The `Provision` of a person who provides no folders and no files for the checks. */
export const NO_PROVISION = { folders: [], files: [] } as const;
/** A signal that is never aborted. */
export const signal = new AbortController().signal;

/** The repository of a person who uses the program, with a home folder of its own. */
export interface PersonRepository {
  /** The folder with everything: the checkout, the home folder and the state. */
  readonly root: string;
  /** The checkout. */
  readonly folder: string;
  /** The environment of the program. */
  readonly env: Record<string, string | undefined>;
  /** Writes a file of the checkout, with the folders that are missing. */
  write(path: string, text: string | Buffer, mode?: number): void;
  /** Makes a symbolic link in the checkout that points to `to`. */
  link(path: string, to: string): void;
  /** Runs git in the checkout and returns its output. Commits have a fixed author and time. */
  git(...args: string[]): string;
  /** Returns a hash of everything in the checkout, including `.git`. */
  fingerprint(): string;
  /** Returns the text of a file of the checkout. */
  read(path: string): string;
}

/** How the repository of a person is made. */
export interface PersonOptions {
  /** More arguments of `git init`. */
  readonly init?: readonly string[];
  /** The text of the person's `~/.gitconfig`. */
  readonly config?: string;
  /** The name of the checkout. Default `shop`. */
  readonly name?: string;
  /** The folder for everything. By default it is a temporary folder that is removed after the test. */
  readonly root?: string | undefined;
}

/** Creates a repository without commits, and a home folder for its person. */
export function makePersonRepository(options: PersonOptions = {}): PersonRepository {
  const { init = [], config = '', root = temporaryFolder() } = options;
  const developer = placeIn(root, options);
  mkdirSync(developer.folder);
  mkdirSync(join(root, 'home'));
  writeFileSync(join(root, 'home', '.gitconfig'), config);
  developer.git('init', '--quiet', '--initial-branch=main', ...init);
  return developer;
}

function placeIn(root: string, { name = 'shop' }: PersonOptions): PersonRepository {
  return openPersonRepository(root, join(root, name), {
    PATH: process.env.PATH,
    HOME: join(root, 'home'),
    XDG_STATE_HOME: join(root, 'state'),
    // No child process may get this key.
    ANTHROPIC_API_KEY: 'sk-ant-never-to-be-seen',
  });
}

/**
 * Returns a person's repository whose checkout `folder` is there already. `root` is the folder that holds
 * the checkout, the home folder and the state. The test is skipped if git is not installed.
 */
export function openPersonRepository(
  root: string,
  folder: string,
  env: PersonRepository['env'],
): PersonRepository {
  needProgram('git');
  const gitEnv = {
    ...env,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.com',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.com',
    GIT_AUTHOR_DATE: '2026-01-02T03:04:05Z',
    GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z',
  };
  return {
    root,
    folder,
    env,
    write: (path, text, mode) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
      if (mode !== undefined) chmodSync(join(folder, path), mode);
    },
    link: (path, to) => symlinkSync(to, join(folder, path)),
    git: (...args) =>
      execFileSync(
        'git',
        ['-c', 'core.hooksPath=/dev/null', '-c', 'commit.gpgSign=false', ...args],
        {
          cwd: folder,
          env: gitEnv,
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'pipe'],
        },
      ),
    fingerprint: () => hashOf(folder),
    read: (path) => readFileSync(join(folder, path), 'utf8'),
  };
}

/**
 * Returns a hash of all names, kinds, modes and contents below a folder, and of the times at which files
 * were changed.
 */
export function hashOf(folder: string): string {
  const hash = createHash('sha256');
  const hashPath = (path: string): void => {
    const stat = lstatSync(path);
    hash.update(`${path}\0${stat.mode}\0`);
    if (stat.isSymbolicLink()) hash.update(readlinkSync(path));
    else if (stat.isDirectory())
      for (const name of readdirSync(path).sort()) hashPath(join(path, name));
    else hash.update(`${stat.mtimeMs}\0`).update(stat.isFile() ? readFileSync(path) : '');
  };
  hashPath(folder);
  return hash.digest('hex');
}

/**
 * Creates a repository with one commit that has a program, a symbolic link, a file with CRLF, and file names
 * with unusual characters.
 */
export function makeShop(options: PersonOptions = {}): PersonRepository {
  const { root = temporaryFolder() } = options;
  const developer = placeIn(root, options);
  makeOnce(`shop ${JSON.stringify({ ...options, root: '' })}`, root, () => {
    makePersonRepository({ ...options, root });
    developer.write('README.md', '# Shop\n');
    developer.write('src/list.ts', 'export const LIST = [];\nexport function list() {}\n');
    developer.write('src/sum.ts', 'export const SUM = 0;\n');
    developer.write('test/list.test.ts', "import '../src/list.ts';\n");
    developer.write('run.sh', '#!/bin/sh\necho run\n', 0o755);
    developer.write('dos.txt', 'one\r\ntwo\r\nthree\r\n');
    developer.write('with space/ünï cödé.txt', 'here\n');
    developer.write('line\nend.txt', 'a name of two lines\n');
    developer.link('inside.md', 'README.md');
    developer.git('-c', 'core.autocrlf=false', 'add', '.');
    developer.git('commit', '--quiet', '-m', 'Open the shop');
  });
  return developer;
}

/** Returns the workshop of a run over a repository. It cannot run commands: a call for a check is rejected. */
export function workshopOf(
  { folder, env }: PersonRepository,
  more: Partial<WorkshopOptions> & { readonly run?: string } = {},
): Workshop {
  const { run = RUN_ID } = more;
  return openWorkshop({
    repository: folder,
    folder: workshopFolder(env, run),
    run,
    env,
    commands: () => ({
      sandbox: async () => 'none',
      provide: async () => undefined,
      clear: async () => undefined,
      check: () => Promise.reject(new Error('nothing is checked here')),
      execute: () => Promise.reject(new Error('nothing is executed here')),
    }),
    ...more,
  });
}

/**
 * Prepares a workshop's copy of the repository. Returns the workshop, the id of the current commit of the
 * checkout as `base`, and the id of the tree of this commit.
 */
export async function beginWorkshop(
  person: PersonRepository,
  workshop = workshopOf(person),
): Promise<{ workshop: Workshop; base: string; tree: string }> {
  const base = person.git('rev-parse', 'HEAD').trim();
  const { tree } = await workshop.prepare(base, NO_PROVISION, signal);
  return { workshop, base, tree };
}

/** Calls a tool of a workshop on a tree. */
export function callTool(
  { tools }: Workshop,
  tree: string,
  name: string,
  given: Readonly<Record<string, unknown>> = {},
): Promise<ToolOutput> {
  return tools.use({ name, arguments: { ...given, tree } }, signal);
}

/**
 * Commits a change of files on top of a commit, and returns the id of the new commit. A file whose text is
 * undefined is removed.
 */
export async function commitOf(
  workshop: Workshop,
  parent: string,
  files: Readonly<Record<string, string | undefined>>,
  message = 'Work',
): Promise<string> {
  let tree = await workshop.treeOf(parent);
  for (const [path, text] of Object.entries(files))
    tree = await workshop.put(tree, path, text, signal);
  return getCommit(await workshop.commit({ tree, parents: [parent], message }, signal)).commit;
}

/**
 * Returns an answer of the workshop as the answer of work that was done. The test fails if the work was
 * refused.
 */
export function getCommit<T extends CommitAnswer | JoinAnswer>(
  answer: T,
): Extract<T, { done: true }> {
  expect(answer).toMatchObject({ done: true });
  return answer as Extract<T, { done: true }>;
}
