/** A run's folder with a bare copy of a small repository, as a workshop makes it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { findOnPath } from '../../src/io/tools.ts';
import { findSandbox } from '../../src/sandbox/sandbox.ts';
import type { RunFolders } from '../../src/workshop/running/place.ts';
import { needProgram } from '../setup/needs.ts';
import { makeOnce } from './kept.ts';

/** Whether bubblewrap is installed and can be used on this machine. */
export const hasBwrap = (await findSandbox(process.env)) === 'bwrap';

/** All programs that checks of these tests start, except bubblewrap. */
const PROGRAMS = [
  ...['sh', 'git', 'node', 'sleep', 'cat', 'setsid', 'env', 'grep', 'ls', 'mkdir', 'cp'],
  ...['rm', 'mv', 'ln'],
];

/** The folders of a run, and the repository of which they hold a copy. */
export interface RunFoldersWithCopy extends RunFolders {
  /** The id of the tree of the first commit. */
  readonly base: string;
  /**
   * Commits more files to the repository, fetches the commit into the copy, and returns the id of its tree.
   */
  readonly treeWith: (files: Readonly<Record<string, string>>) => string;
  /** Runs git in the copy and returns its output without white space at the ends. */
  readonly inCopy: (...args: string[]) => string;
}

/**
 * Creates the folders of a run and a repository with the given files, below `above`. A file whose text
 * begins with `#!` is executable. The folders and the repository are removed after the test.
 */
export function makeBench(
  files: Readonly<Record<string, string>> = { 'a.txt': 'a\n' },
  above = tmpdir(),
): RunFoldersWithCopy {
  needProgram('git');
  const top = mkdtempSync(join(above, 'deliberate-workshop-'));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const [repository, folder, home] = ['person/repo', 'runs/r', 'person/home'].map((name) =>
    join(top, name),
  ) as [string, string, string];
  for (const path of [repository, folder, home]) mkdirSync(path, { recursive: true });
  const env = { ...process.env, HOME: home };
  const gitDir = join(folder, 'repo.git');
  const runGit = (cwd: string, ...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd,
      encoding: 'utf8',
      env: { ...env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  const writeFiles = (all: Readonly<Record<string, string>>): void => {
    for (const [path, text] of Object.entries(all)) {
      mkdirSync(dirname(join(repository, path)), { recursive: true });
      writeFileSync(join(repository, path), text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
    }
  };
  makeOnce(`bench ${JSON.stringify(files)}`, top, () => {
    runGit(repository, 'init', '-q', '-b', 'main');
    writeFiles(files);
    runGit(repository, 'add', '-A');
    runGit(repository, 'commit', '-q', '-m', 'base');
    const tree = runGit(repository, 'rev-parse', 'HEAD^{tree}');
    runGit(top, 'clone', '-q', '--bare', '--local', repository, gitDir);
    writeFileSync(join(folder, 'base'), tree);
  });
  const base = readFileSync(join(folder, 'base'), 'utf8');
  rmSync(join(folder, 'base'));
  return {
    gitDir,
    folder,
    repository,
    env,
    base,
    run: `run-${process.pid}-${Math.random().toString(36).slice(2)}`,
    inCopy: (...args) => runGit(gitDir, ...args),
    treeWith: (all) => {
      writeFiles(all);
      runGit(repository, 'add', '-A');
      const tree = runGit(repository, 'write-tree');
      runGit(repository, 'commit', '-q', '-m', 'more');
      runGit(gitDir, 'fetch', '-q', repository, 'main:refs/heads/more', '--force');
      return tree;
    },
  };
}

/**
 * Returns an environment whose PATH leads to the needed programs, but not to bubblewrap. `folder` gets links
 * to the programs; by default it is removed after the test.
 */
export function makeEnvWithoutSandbox(
  env: RunFolders['env'],
  folder = temporaryPath(),
): RunFolders['env'] {
  mkdirSync(folder, { recursive: true });
  for (const name of PROGRAMS) {
    const file = name === 'node' ? process.execPath : findOnPath(name, env);
    if (file !== undefined) symlinkSync(file, join(folder, name));
  }
  return { ...env, PATH: folder };
}

function temporaryPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'deliberate-path-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
