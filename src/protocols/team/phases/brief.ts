/** Builds the brief of a task from what is on record, word for word. */

import { matchesGlob } from '../../../text/globs.ts';
import { withoutUndefined } from '../../../text/without-undefined.ts';
import type { TaskView } from '../fold.ts';
import { listGuarded } from '../prompts/opening.ts';
import type { Brief, LastAttempt } from '../prompts/work.ts';
import { plannedDoneWhen } from '../rules/briefs.ts';
import { startsFrom } from '../rules/graph.ts';
import { withPermittedTests } from '../rules/permits.ts';
import { checksOf, guardedOf } from '../rules/plan.ts';
import { endOf } from './checks.ts';
import { readTexts } from './design.ts';
import { findLockedForTask } from './locked.ts';
import { completesRequirement, type Start, type WorkState } from './state.ts';

/**
 * The most characters of file contents that a task's instructions include. The seat reads further
 * files with tools.
 */
export const MOST_TEXT = 24_000;

/**
 * Builds the instructions for an attempt at a task.
 * @param key the prefix of the attempt's step keys
 * @param tree the state of the files
 * @param sentBack what was wrong with the attempt's last commit; undefined if there was none
 */
export async function buildBrief(
  state: WorkState,
  key: string,
  { id, attempt, effort }: Start,
  tree: string,
  sentBack: string | undefined,
): Promise<Brief> {
  const { team, ground, tests } = state;
  const { plan, survey } = ground;
  const view = team.task(id);
  const { task, files, brief, attempts, retried } = view;
  const designed = team.view.designed;
  const named = files.filter((file) => !/[*?{}[\]]/.test(file));
  const texts = await readTexts(team, `${key}/texts`, tree, named);
  let left = MOST_TEXT;
  const shown = [...texts].flatMap(([path, text]) => {
    left -= text.length;
    return left < 0 ? [] : [{ path, text }];
  });
  const last = await lastOf(state, key, view, attempt);
  return {
    goal: team.goal,
    seed: team.config.seed,
    files,
    brief,
    task: team.edition < 3 ? task : withPermittedTests(view),
    // In old runs, whose settings have no version, always add the `done_when` of the plan, even if a corrected
    // brief has a `done_when` of its own.
    doneWhen: team.config.version === undefined ? task.done_when : plannedDoneWhen(view),
    requirements: plan.requirements.filter((requirement) => task.covers.includes(requirement.id)),
    interfaces: (designed?.architecture.interfaces ?? []).filter(
      ({ file, owner, users }) =>
        matchesGlob(file, files) ||
        [owner, ...users].some((domain) => isOf(designed, domain, task.workstream)),
    ),
    assumptions: (designed?.boundaries.assumptions ?? []).map(
      ({ id: name, text }) => `${name}: ${text}`,
    ),
    checks: checksOf(plan).filter((check) => task.checks.includes(check.id)),
    locked: [
      ...new Set(
        tests
          .filter(({ requirement }) => task.covers.includes(requirement))
          .filter(({ requirement }) => completesRequirement(state, id, requirement))
          .flatMap((set) => set.files)
          .concat(findLockedForTask(team, id).map(({ path }) => path)),
      ),
    ],
    guarded: listGuarded(guardedOf(plan, survey), survey),
    texts: shown,
    madeBefore: startsFrom(id, team.graph.tasks, team.graph.ordered).map((taskId) => ({
      task: taskId,
      files: team.task(taskId).files,
    })),
    earlier: attempts
      .filter((attemptView) => attemptView.attempt < attempt)
      .map((attemptView) => ({
        attempt: attemptView.attempt,
        why:
          retried.find((again) => again.attempt === attemptView.attempt + 1)?.why ??
          attemptView.judged.at(-1)?.why.join('; ') ??
          'it was given up',
      })),
    ...withoutUndefined({ last }),
    sentBack,
    effort,
  };
}

/**
 * Returns what the attempt before this one changed and was told, so that the next one need not find it out
 * again.
 */
async function lastOf(
  { team, floor, parts }: WorkState,
  key: string,
  { task: { id }, attempts, retried, commit: joined }: TaskView,
  attempt: number,
): Promise<LastAttempt | undefined> {
  const lastAttempt = attempts.findLast((each) => each.attempt < attempt);
  if (lastAttempt === undefined || team.edition < 3) return undefined;
  const commit = lastAttempt.commits.findLast((each) => each.commit !== undefined)?.commit;
  const tree = commit ?? lastAttempt.reported?.tree;
  const { base } = lastAttempt.started;
  const diff =
    tree === undefined
      ? ''
      : await team.look(`${key}/last-diff`, { base, tree }, (signal) =>
          team.workshop.diff(base, tree, [], signal),
        );
  const given = retried.findLast((each) => each.attempt === lastAttempt.attempt + 1);
  const judged = lastAttempt.judged.at(-1);
  const failing = lastAttempt.checks
    .filter(({ kind, exit }) => kind === 'commit' && exit !== 0)
    .slice(-1);
  const isTold = judged?.why.every((why) => given?.why.includes(why)) === true;
  return {
    attempt: lastAttempt.attempt,
    diff,
    isKept:
      commit !== undefined &&
      (parts.get(id) === commit || ((floor !== undefined || parts.has(id)) && joined === commit)),
    red:
      judged === undefined || judged.green || isTold
        ? []
        : [...judged.why, ...failing.map(({ output }) => endOf(output))],
    said: [
      ...(given?.said === undefined ? [] : [`${given.by} says: ${given.said}`]),
      ...(given?.brief === undefined
        ? []
        : ['The task above is as it is put now; it was put otherwise then.']),
    ],
  };
}

type Designed = NonNullable<WorkState['team']['view']['designed']>;

function isOf(designed: Designed | undefined, domain: string, workstream: string): boolean {
  return (designed?.boundaries.domains ?? []).some(
    ({ id, workstreams }) => id === domain && workstreams.includes(workstream),
  );
}
