/**
 * Finds where a team works and what its goal is. The example repository is created when a rehearsal needs
 * it.
 */

import { cpSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Invocation } from '../../../app/invocation.ts';
import { readQuestion } from '../../../app/settings/question.ts';
import { BUILT_IN, readText, stateFolder, workingFolder } from '../../../io/files.ts';
import { makeFolder } from '../../../io/folders.ts';
import { errorCode, explainCode, findStatus, readTextFile } from '../../../io/text-file.ts';
import { DeliberateError, UsageError } from '../../../kernel/errors.ts';
import { realPathOf } from '../../../platform/real-path.ts';
import { parseJson } from '../../../text/json.ts';
import { runGit } from '../../../tools/git.ts';
import { askGit, callGit, gitFailedError } from '../../../workshop/ask-git.ts';
import { goalOf, specFileSchema, specOf, type TeamSpec } from '../rules/spec.ts';

/** A small program with a goal, so that a rehearsal works everywhere. */
const EXAMPLE = join(BUILT_IN, 'examples', 'team');
const GOAL_FILE = 'GOAL.md';

/** The repository and goal of a team. */
export interface RepositoryGoal {
  /** The absolute path of the repository's root, with links resolved. */
  readonly repository: string;
  readonly goal: string;
  /** The spec of the plan to carry out, if there is one. */
  readonly spec?: TeamSpec;
  /** Whether this program created the repository for a rehearsal. */
  readonly isExample: boolean;
}

/**
 * Finds the repository and reads the goal from the words, a file or a spec. A rehearsal that names
 * neither a repository nor a goal gets the example repository and its goal.
 * @throws UsageError if there is no repository or no goal
 * @throws DeliberateError if git is not installed
 */
export async function findRepositoryGoal(call: Invocation): Promise<RepositoryGoal> {
  const { flags, words } = call;
  const { rehearse, file, repo, spec } = flags;
  const saysWhat = words.length > 0 || file !== undefined || spec !== undefined;
  if (rehearse && !saysWhat && repo === undefined)
    return {
      repository: await makeExample(call),
      goal: readText(join(EXAMPLE, GOAL_FILE))?.trim() ?? '',
      isExample: true,
    };
  const named = resolve(workingFolder(), repo ?? '.');
  if (findStatus(named)?.isDirectory() !== true)
    throw new UsageError(`--repo ${repo ?? ''}: no such folder`, 'Name a repository.');
  const repository = await rootOf(realPathOf(named), call.env);
  if (spec !== undefined) return { repository, ...readSpec(spec, words), isExample: false };
  const goal = (await readQuestion(call)).trim();
  if (!/[\p{L}\p{N}]/u.test(goal)) throw new UsageError('the goal is empty', 'Describe the work.');
  return { repository, goal, isExample: false };
}

/** The maximum size of a spec in bytes. */
const LARGEST_SPEC = 4 * 1024 * 1024;

/**
 * Reads the spec of a plan.
 * @throws UsageError if the file is no spec, or contains no decision
 */
function readSpec(name: string, words: readonly string[]): { goal: string; spec: TeamSpec } {
  if (words.length > 0)
    throw new UsageError('team --spec takes no goal', 'What the spec decides is the goal.');
  // If the name is that of a spec's page (`.spec.md`), read the JSON file beside it instead.
  const file = resolve(workingFolder(), name.replace(/\.spec\.md$/, '.spec.json'));
  const text = readTextFile(file, { most: LARGEST_SPEC, links: false });
  if (text === undefined) throw new UsageError(`--spec ${name}: no such file`);
  const wanted = 'Name the JSON beside a spec: docs/roadmap/TOPIC.spec.json.';
  const given = parseJson(text);
  if (given === undefined) throw new UsageError(`--spec ${name}: it is not JSON`, wanted);
  const read = specFileSchema.safeParse(given).data;
  if (read === undefined) throw new UsageError(`--spec ${name}: it is no spec of a plan`, wanted);
  const spec = specOf(read);
  if (spec.requirements.length === 0)
    throw new UsageError(`--spec ${name}: it decides nothing`, 'Plan the topic again.');
  return { goal: goalOf(read, spec), spec };
}

/**
 * Returns the root of the repository that contains a folder.
 * @throws UsageError if there is none, or it has no commit
 */
async function rootOf(folder: string, env: Invocation['env']): Promise<string> {
  const { signal } = new AbortController();
  const top = await runGit(folder, ['rev-parse', '--show-toplevel'], { env, signal });
  if (top.state === 'missing')
    throw new DeliberateError(
      'no-git',
      'git is not installed',
      'A team works on a git repository.',
    );
  if (top.state === 'ended' && top.code !== 0 && !/not a git repository/.test(top.err))
    throw gitFailedError(['rev-parse'], top);
  if (top.state !== 'ended' || top.code !== 0)
    throw new UsageError(
      `${folder} is not in a git repository`,
      'A team works on a git repository: name one with --repo, or run git init and commit.',
    );
  const head = await runGit(folder, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], {
    env,
    signal,
  });
  if (head.state !== 'ended' || head.code !== 0)
    throw new UsageError(
      'the repository has no commit yet',
      'Commit something first; the work starts from a commit.',
    );
  return realPathOf(top.out.replace(/\n$/, ''));
}

/**
 * Runs `make`, which writes into a folder.
 * @throws DeliberateError if the folder cannot be written
 */
function explainWriteErrors(folder: string, make: () => void): void {
  try {
    make();
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    throw new DeliberateError(
      'example',
      `the example cannot be made in ${folder}: ${explainCode(code)}`,
      'Name a folder that can be written in XDG_STATE_HOME, or a repository of yours with --repo.',
    );
  }
}

/** A file without settings: Git for Windows knows it by this name, and refuses Node's name for it, `\\\\.\\nul`. */
const NO_CONFIG = '/dev/null';

/**
 * Creates the example repository in the state folder, unless it is there from an earlier rehearsal. Returns
 * its path.
 */
async function makeExample({ env }: Pick<Invocation, 'env'>): Promise<string> {
  const folder = join(stateFolder(env), 'examples', 'team');
  const { signal } = new AbortController();
  // The example repository belongs to this program, so ignore the person's git settings.
  const options = {
    env,
    signal,
    set: { GIT_CONFIG_GLOBAL: NO_CONFIG, GIT_CONFIG_NOSYSTEM: '1' },
  };
  explainWriteErrors(folder, () => makeFolder(folder));
  const main = ['rev-parse', '--verify', '--quiet', 'refs/heads/main'];
  if ((await callGit(folder, main, options)).code === 0) return realPathOf(folder);
  explainWriteErrors(folder, () =>
    cpSync(EXAMPLE, folder, { recursive: true, filter: (file) => !file.endsWith(GOAL_FILE) }),
  );
  const identity = ['-c', 'user.name=deliberate', '-c', 'user.email=deliberate@localhost'];
  const plain = ['-c', 'core.hooksPath=/dev/null', '-c', 'commit.gpgSign=false'];
  for (const args of [
    ['init', '--quiet', '--initial-branch=main'],
    ['add', '--all'],
    [...identity, ...plain, 'commit', '--quiet', '--message', 'Begin the example'],
  ])
    await askGit(folder, args, options);
  return realPathOf(folder);
}
