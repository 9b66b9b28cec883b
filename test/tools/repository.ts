/** A real repository for tests of the tools of seats. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { ToolOutput, Tools } from '../../src/kernel/tools/tools.ts';
import { openTools } from '../../src/tools/tools.ts';
import { needProgram } from '../setup/needs.ts';
import { temporaryFolder } from '../store/folder.ts';

/** A folder of a test, and functions that work in it. */
export interface TestFolder {
  readonly folder: string;
  /** Writes a file, with the folders that are missing. */
  write(path: string, text: string | Buffer): void;
  /** Runs git in the folder and returns its output. The test is skipped if git is not installed. */
  git(...args: string[]): string;
}

/** The environment of git, without a person's settings, so that these cannot change a test. */
const ENV = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
  GIT_AUTHOR_DATE: '2026-01-02T03:04:05Z',
  GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z',
};

/** Creates an empty folder, which is removed after the test. */
export function makeEmptyFolder(): TestFolder {
  return placeAt(temporaryFolder());
}

function placeAt(folder: string): TestFolder {
  return {
    folder,
    write: (path, text) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    },
    git: (...args) => {
      needProgram('git');
      return execFileSync('git', args, { cwd: folder, env: ENV, encoding: 'utf8' });
    },
  };
}

/**
 * Creates a repository with two commits, an untracked file, two ignored files, a committed `.env` with a
 * secret, a picture, and symbolic links to places inside and outside. It is removed after the test.
 */
export function makeRepository(): TestFolder {
  const place = makeEmptyFolder();
  const { folder, write } = place;
  pattern ??= makePattern();
  for (const [path, bytes] of pattern) write(path, bytes);
  const outside = temporaryFolder();
  writeFileSync(join(outside, 'treasure.txt'), 'the treasure is buried under the elm\n');
  symlinkSync(join(outside, 'treasure.txt'), join(folder, 'outside.txt'));
  symlinkSync(outside, join(folder, 'outside'));
  symlinkSync('README.md', join(folder, 'inside.md'));
  symlinkSync('debug.log', join(folder, 'shown.txt'));
  return place;
}

/**
 * The files of every repository by their paths, including those of git. They are made once, since that takes
 * five calls of git.
 */
let pattern: ReadonlyMap<string, Buffer> | undefined;

function makePattern(): ReadonlyMap<string, Buffer> {
  const { folder, write, git } = makeEmptyFolder();
  git('init', '--quiet', '--initial-branch=main', '--template=');
  write('.gitignore', 'build/\n*.log\n');
  write('README.md', '# Clock\n\nA chess clock with an increment.\n');
  write('src/clock.ts', 'export const INCREMENT = 2;\nexport function tick() {}\n');
  write('src/deep/er/rules.ts', 'export const RULES = [];\n');
  git('add', '.');
  git('commit', '--quiet', '-m', 'Start the clock');
  write('src/clock.ts', 'export const INCREMENT = 3;\nexport function tick() {}\n');
  write('.env', 'API_KEY=hunter2hunter2\n');
  git('add', '-f', '.');
  git('commit', '--quiet', '-m', 'Lengthen the increment');
  write('notes.txt', 'not committed yet, but there\n');
  write('build/out.js', 'ignored by git\n');
  write('debug.log', 'ignored by git as well\n');
  write('logo.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]));
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return new Map(files.map((file) => [relative(folder, file), readFileSync(file)]));
}

/** Returns the tools of a seat that may look into a folder, under the name `repo`. `env` tells where git is. */
export function toolsOver({ folder }: Pick<TestFolder, 'folder'>, env = process.env): Tools {
  return openTools([{ name: 'repo', path: folder }], { env });
}

/** Returns a function that calls one of the tools by its name. */
export function makeToolCaller(tools: Tools) {
  return (name: string, given: unknown = {}): Promise<ToolOutput> =>
    tools.use({ name, arguments: given }, new AbortController().signal);
}
