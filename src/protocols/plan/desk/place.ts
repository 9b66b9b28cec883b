/** Where a plan is made: the repository, what is known of its commit, and the topic. */
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { Invocation } from '../../../app/invocation.ts';
import { readQuestion } from '../../../app/settings/question.ts';
import { BUILT_IN, workingFolder } from '../../../io/files.ts';
import { newProjectFolder } from '../../../io/presets.ts';
import { lookAt, readTextFile } from '../../../io/text-file.ts';
import { UsageError } from '../../../kernel/errors.ts';
import { realPathOf } from '../../../platform/real-path.ts';
import { runGit } from '../../../tools/git.ts';
import type { PlanConfig } from '../config.ts';
import { shortSlug, titleOf } from '../topic.ts';

/** No topic is as long as this. Bytes. */
const LARGEST = 256 * 1024;
/** The repository that comes with the program, so that there is something to plan for anywhere. */
const EXAMPLE = join(BUILT_IN, 'examples', 'plan');

export interface Topic {
  readonly text: string;
  /** What its files are called by. */
  readonly slug: string;
  /** Its own file, as seen from the repository; absent where it was said in words. */
  readonly path?: string;
}

export interface Place {
  /** The real path of the repository, or of the folder where there is none. */
  readonly repository: string;
  readonly topic: Topic;
  /** It comes with the program, and nothing is written into it. */
  readonly isExample: boolean;
}

/** @throws UsageError where there is no such folder, or no topic */
export async function findPlace(call: Invocation): Promise<Place> {
  const { flags, words } = call;
  if (flags.rehearse && words.length === 0 && flags.file === undefined && flags.repo === undefined)
    return {
      repository: realPathOf(EXAMPLE),
      topic: readTopic(join(EXAMPLE, 'docs/planning/increment/topic.md'), realPathOf(EXAMPLE)),
      isExample: true,
    };
  const repository = repositoryOf(call);
  const [only, ...more] = words;
  const file = only !== undefined && more.length === 0 && isFileName(only) ? only : undefined;
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

/** Whether a folder is the one that comes with the program: nothing is written into it. */
export function isExample(folder: string): boolean {
  return folder === realPathOf(EXAMPLE);
}

/** The root of the repository that was named, or that the program was called in. @throws UsageError */
export function repositoryOf({ env, flags }: Pick<Invocation, 'env' | 'flags'>): string {
  if (flags.repo === undefined) return realPathOf(dirname(newProjectFolder(env, workingFolder())));
  const folder = resolve(workingFolder(), flags.repo);
  if (lookAt(folder)?.isDirectory() !== true)
    throw new UsageError(`--repo ${flags.repo}: no such folder`, 'Name a repository.');
  return realPathOf(folder);
}

function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

/** Whether a word is meant as the name of a file: a topic in words has spaces. */
function isFileName(word: string): boolean {
  return /\.(?:md|markdown|txt)$/i.test(word) && !/\s/.test(word);
}

/** @throws UsageError where it is not there, or says nothing */
export function readTopic(file: string, repository: string): Topic {
  const text = readTextFile(file, { most: LARGEST, links: false })?.trim();
  const shown = relative(workingFolder(), file) || file;
  if (text === undefined) throw new UsageError(`${shown}: no such file`);
  if (!hasWords(text)) throw new UsageError(`${shown}: the topic is empty`);
  const path = relative(repository, file).split(sep).join('/');
  const stem = basename(file).replace(/\.[^.]*$/, '');
  // `docs/planning/increment/topic.md` is about what its folder is called.
  const name = stem === 'topic' ? basename(dirname(file)) : stem;
  const slug = shortSlug(name);
  return path.startsWith('..') ? { text, slug } : { text, slug, path };
}

/** The commit that is looked at; undefined where git knows none here, or is not installed. */
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
