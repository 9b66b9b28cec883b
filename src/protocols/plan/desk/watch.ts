/**
 * Implements `deliberate plan --watch`: plans every new topic of a branch, one at a time, in a working tree
 * of its own. Each plan is committed on a branch of its own.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Invocation } from '../../../app/invocation.ts';
import { resume } from '../../../app/run/resume.ts';
import { withStore } from '../../../app/store.ts';
import { stateFolder } from '../../../io/files.ts';
import { makeFolder } from '../../../io/folders.ts';
import { computeDigest } from '../../../kernel/digest.ts';
import { UsageError } from '../../../kernel/errors.ts';
import { viewOf } from '../../../kernel/view.ts';
import { toLine } from '../../../text/line.ts';
import { formatCount } from '../../../text/numbers.ts';
import { configSchema, ROOT } from '../config.ts';
import { titleOf } from '../topic.ts';
import { convene } from './convene.ts';
import { offerFiles } from './files.ts';
import { parseStatus } from './kept-status.ts';
import { readTopic, repositoryOf } from './place.ts';
import { Repository } from './repository.ts';

/** Milliseconds between two looks at the branch. */
const POLL_MS = 30_000;
const TOPICS = 'docs/planning';
/** The most runs that are searched for an earlier one on the same topic. */
const MOST_RUNS = 10_000;

/**
 * Runs `deliberate plan --watch`, which makes a plan for each new topic on a branch until the
 * process is stopped. Resolves to the exit code.
 */
export async function watch(call: Invocation): Promise<number> {
  const { err, flags, words } = call;
  if (words.length > 0 || flags.file !== undefined)
    throw new UsageError(
      'plan --watch takes no topic',
      `It plans the topics of a branch: ${TOPICS}/NAME/topic.md`,
    );
  const stop = new AbortController();
  const leave = (): void => stop.abort();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, leave);
  try {
    const watched = await openWatched(call, stop.signal);
    err.write(`Planning the topics in ${TOPICS} on ${watched.branch}. Ctrl-C stops.\n`);
    while (!stop.signal.aborted) {
      await planNew(call, watched, stop.signal);
      await sleep(POLL_MS, undefined, { signal: stop.signal }).catch(ignoreStop);
    }
    return 130;
  } finally {
    for (const signal of signals) process.off(signal, leave);
  }
}

function ignoreStop(error: unknown): void {
  if (!(error instanceof Error && error.name === 'AbortError')) throw error;
}

interface Watched {
  readonly branch: string;
  readonly source: Repository;
  /** The working tree in which plans are made. */
  readonly tree: Repository;
  /** Topic texts that were looked at and problems that were reported. None is looked at or reported again. */
  readonly given: Set<string>;
}

/**
 * Opens the repository and the working tree for `--watch`.
 * @throws UsageError if there is no repository or branch, or git is not installed
 */
export async function openWatched(call: Invocation, signal: AbortSignal): Promise<Watched> {
  const { env, flags } = call;
  const branch = flags.branch ?? 'main';
  const folder = repositoryOf(call);
  const source = new Repository(folder, env, signal);
  await source.check(branch);
  const tree = join(stateFolder(env), 'plan', computeDigest(folder).slice(0, 16));
  makeFolder(join(stateFolder(env), 'plan'));
  if (!existsSync(join(tree, '.git'))) await source.addTree(tree, branch);
  return { branch, source, tree: new Repository(tree, env, signal), given: new Set() };
}

/**
 * Makes plans for the new topics of the branch, one after the other. Resolves to the number of
 * topics that were worked on.
 */
export async function planNew(
  call: Invocation,
  watched: Watched,
  signal: AbortSignal,
): Promise<number> {
  const { source, tree, branch, given } = watched;
  const problem = await source.fetch(branch);
  if (problem !== undefined && !given.has(problem)) call.err.write(`${toLine(problem)}\n`);
  if (problem !== undefined) given.add(problem);
  const tip = await source.tipOf(branch);
  let count = 0;
  const topics = await source.filesOf(tip, TOPICS, '/topic.md');
  for (const { path, hash } of topics) {
    if (signal.aborted) return count;
    const known = `${path} ${hash}`;
    if (given.has(known)) continue;
    const text = (await source.textOf(hash)).trim();
    if (!(await isDone(source, tip, path, text)) && (await planOne(call, tree, tip, path, text)))
      count += 1;
    given.add(known);
  }
  if (call.flags.push) await pushPlans(call, watched, topics);
  return count;
}

/** Pushes every plan that the remote does not have yet, including earlier ones. */
async function pushPlans(
  call: Invocation,
  { tree, given }: Watched,
  topics: readonly { readonly path: string }[],
): Promise<void> {
  for (const { path } of topics) {
    const branch = planBranch(path);
    if (!(await tree.isAhead(branch))) continue;
    const problem = await tree.push(branch);
    if (problem === undefined) call.err.write(`pushed ${branch}\n`);
    // Whenever `deliberate plan --watch --push` looks for new topics, it also tries again to push the branches of
    // finished plans. The same problem with a branch is reported only once.
    else if (!given.has(`${branch} ${problem}`))
      call.err.write(`cannot push ${branch}: ${toLine(problem)}\n`);
    if (problem !== undefined) given.add(`${branch} ${problem}`);
  }
}

/** Resolves to whether the topic's branch or its plan's branch has a status for this topic text. */
async function isDone(
  source: Repository,
  tip: string,
  path: string,
  text: string,
): Promise<boolean> {
  const file = path.replace(/topic\.md$/, 'status.json');
  for (const ref of [tip, planBranch(path)]) {
    const status = await source.fileAt(ref, file);
    if (status !== undefined && parseStatus(status)?.topic === text) return true;
  }
  return false;
}

/**
 * Returns the branch of a topic's plan: `deliberate/plan/increment` for `docs/planning/increment/topic.md`.
 */
function planBranch(path: string): string {
  return `deliberate/plan/${path.slice(TOPICS.length + 1).replace(/\/topic\.md$/, '')}`;
}

/** Plans one topic. Resolves to false if an earlier run on it has failed. */
async function planOne(
  call: Invocation,
  tree: Repository,
  tip: string,
  path: string,
  text: string,
): Promise<boolean> {
  const { err, flags } = call;
  const before = await findEarlier(call, tree, path, text);
  if (before?.status === 'failed') {
    err.write(`${toLine(path)}: run ${before.id} failed; edit the topic to plan it again\n`);
    return false;
  }
  err.write(`${toLine(path)}: ${toLine(titleOf(text))}\n`);
  // If the topic has a run already, no new one begins: the old run is resumed, or its files are written if it is
  // done. Check out the commit with which the old run began, because the old run speaks of the code of that commit.
  await tree.moveTo(before?.commit ?? tip);
  const quiet = { ...call, words: [], flags: { ...flags, plain: true, yes: true } };
  const code =
    before === undefined
      ? await convene(quiet, {
          repository: tree.folder,
          topic: readTopic(join(tree.folder, path), tree.folder),
          isExample: false,
        })
      : await goOn(quiet, tree, before);
  if (code !== 0) return true;
  const branch = planBranch(path);
  const files = await tree.commit(branch, `Plan ${titleOf(text)}`);
  err.write(`${branch}: ${formatCount(files, 'file')}\n`);
  return true;
}

interface Earlier {
  readonly id: string;
  readonly status: string;
  readonly commit: string | undefined;
}

/**
 * Finds the earlier run on the same topic file in this working tree. Another repository may have a topic
 * with the same words.
 */
async function findEarlier(
  call: Invocation,
  tree: Repository,
  path: string,
  text: string,
): Promise<Earlier | undefined> {
  const made = await withStore(call, (store) => {
    for (const { id, protocol, question, status } of store.list({ limit: MOST_RUNS })) {
      if (protocol !== 'plan' || question !== text) continue;
      if (store.lookRoots(id).get(ROOT) !== tree.folder) continue;
      const config = configSchema.safeParse(viewOf(store.facts(id)).config).data;
      if (config?.output.topic === path) return { id, status, commit: config.commit?.hash };
    }
    return undefined;
  });
  // Plan the topic anew if the repository no longer has the commit that the earlier run read, because that run
  // cannot be resumed.
  return made?.commit !== undefined && !(await tree.has(made.commit)) ? undefined : made;
}

/** Resumes a plan that was interrupted, or writes the files of one that has ended. */
async function goOn(
  call: Invocation,
  tree: Repository,
  { id, status }: { readonly id: string; readonly status: string },
): Promise<number> {
  if (status !== 'done') {
    const code = await resume({ ...call, words: [id] });
    if (code !== 0) return code;
  }
  return offerFiles(call, tree.folder, id);
}
