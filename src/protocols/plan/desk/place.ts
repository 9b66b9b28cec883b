/** Finds where a plan is made: the repository, its commit and the topic. */
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { Invocation } from '../../../app/invocation.ts';
import { readQuestion } from '../../../app/settings/question.ts';
import { BUILT_IN, workingFolder } from '../../../io/files.ts';
import { newProjectFolder } from '../../../io/presets.ts';
import { findStatus, readTextFile } from '../../../io/text-file.ts';
import { UsageError } from '../../../kernel/errors.ts';
import { realPathOf } from '../../../platform/real-path.ts';
import { runGit } from '../../../tools/git.ts';
import type { PlanConfig } from '../config.ts';
import { shortSlug, titleOf } from '../topic.ts';

/** The maximum size of a topic in bytes. */
const LARGEST = 256 * 1024;
/** The built-in repository, so that a rehearsal works everywhere. */
const EXAMPLE = join(BUILT_IN, 'examples', 'plan');

/** The topic of a plan: what the plan is for. */
export interface Topic {
  readonly text: string;
  /** The name of the plan's files, without folder and ending. If there is no `path`, the chair may choose another. */
  readonly slug: string;
  /**
   * The path of the topic's file, relative to the repository. Absent if the topic was given in words, with
   * `--file`, or in a file outside of the repository.
   */
  readonly path?: string;
}

/** The repository and topic of a plan. */
export interface PlanTarget {
  /**
   * The absolute path, with symbolic links resolved, of the folder that `--repo` names; otherwise of the root
   * of the repository that contains the working folder, or of the working folder if no repository does.
   */
  readonly repository: string;
  readonly topic: Topic;
  /** Whether the repository is the built-in example, into which nothing is written. */
  readonly isExample: boolean;
}

/**
 * Finds the repository and reads the topic.
 * @throws UsageError if there is no such folder, or no topic
 */
export async function findPlace(call: Invocation): Promise<PlanTarget> {
  const { flags, words } = call;
  if (flags.rehearse && words.length === 0 && flags.file === undefined && flags.repo === undefined)
    return {
      repository: realPathOf(EXAMPLE),
      topic: readTopic(join(EXAMPLE, 'docs/planning/increment/topic.md'), realPathOf(EXAMPLE)),
      isExample: true,
    };
  const repository = repositoryOf(call);
  const [only, ...more] = words;
  const file = only !== undefined && more.length === 0 && isFile(only) ? only : undefined;
  if (file !== undefined)
    return {
      repository,
      topic: readTopic(resolve(workingFolder(), file), repository),
      isExample: false,
    };
  const text = await readQuestion(call);
  if (!hasWords(text)) throw new UsageError('the topic is empty', 'Describe what to plan.');
  const slug = shortSlug(titleOf(text));
  return { repository, topic: { text, slug }, isExample: false };
}

/** Returns whether a folder is the built-in example, into which nothing is written. */
export function isExample(folder: string): boolean {
  return folder === realPathOf(EXAMPLE);
}

/**
 * Returns the folder that `--repo` names, otherwise the root of the repository that contains the working
 * folder, otherwise the working folder. Symbolic links in the path are resolved.
 * @throws UsageError if the folder that `--repo` names does not exist
 */
export function repositoryOf({ env, flags }: Pick<Invocation, 'env' | 'flags'>): string {
  if (flags.repo === undefined) return realPathOf(dirname(newProjectFolder(env, workingFolder())));
  const folder = resolve(workingFolder(), flags.repo);
  if (findStatus(folder)?.isDirectory() !== true)
    throw new UsageError(`--repo ${flags.repo}: no such folder`, 'Name a repository.');
  return realPathOf(folder);
}

function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

/** Returns whether a word is meant as the name of a file: it ends like one, or something of that name exists. */
function isFile(word: string): boolean {
  if (word === '' || /\s/.test(word)) return false;
  const isNamedLikeFile = /\.(?:md|markdown|txt)$/i.test(word);
  return isNamedLikeFile || findStatus(resolve(workingFolder(), word)) !== undefined;
}

/**
 * Reads a topic from a file.
 * @param file the absolute path of the file
 * @throws UsageError if the file does not exist, or contains no letter and no digit
 */
export function readTopic(file: string, repository: string): Topic {
  const text = readTextFile(file, { most: LARGEST, links: false })?.trim();
  const shown = relative(workingFolder(), file) || file;
  if (text === undefined) throw new UsageError(`${shown}: no such file`);
  if (!hasWords(text)) throw new UsageError(`${shown}: the topic is empty`);
  const path = relative(repository, file).split(sep).join('/');
  const stem = basename(file).replace(/\.[^.]*$/, '');
  // A topic in a file called `topic.md` gets the name of the folder: `increment` for `docs/increment/topic.md`.
  const name = stem === 'topic' ? basename(dirname(file)) : stem;
  const slug = shortSlug(name);
  return path.startsWith('..') ? { text, slug } : { text, slug, path };
}

/**
 * Returns the repository's present commit, and in `dirty` whether `git status` fails or reports changes below the
 * folder. Undefined if there is no commit or git is not installed.
 */
export async function commitOf(
  repository: string,
  env: Invocation['env'],
): Promise<PlanConfig['commit']> {
  const { signal } = new AbortController();
  const head = await runGit(repository, ['rev-parse', '--verify', 'HEAD'], { env, signal });
  if (head.state !== 'ended' || head.code !== 0) return undefined;
  const status = await runGit(repository, ['status', '--porcelain', '--', '.'], { env, signal });
  const dirty = status.state !== 'ended' || status.code !== 0 || status.out.trim() !== '';
  return { hash: head.out.trim(), dirty };
}
