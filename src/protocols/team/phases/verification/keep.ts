/** Keeps requirements verified that a correction cannot have affected. */
import { matchesGlob } from '../../../../text/globs.ts';
import { fact } from '../../facts.ts';
import { isChecked } from '../../rules/verdicts.ts';
import { lockedSets } from '../locked.ts';
import type { WorkState } from '../state.ts';
import { groupCheckEnds, type Subject } from './subject.ts';

/**
 * Records requirements as met on a new commit without asking verifiers again. The workstream's last verdict
 * must have found the requirement met. Since then, nothing may have changed in the files of tasks that cover
 * it, the files quoted as evidence for it, and its tests. Up to version 3 of the rules, only a verdict of
 * the previous round counts. From version 4 on, a requirement that checks prove is only kept if the checks
 * pass on the new commit.
 * @returns the ids of these requirements; undefined if the whole workstream has to be verified
 */
export async function keepVerified(
  state: WorkState,
  { key: subject, round, joined, workstream: { id: workstream }, requirements, within }: Subject,
): Promise<readonly string[] | undefined> {
  const { team, tests } = state;
  const { commit } = joined;
  const before = team.view.joint.findLast(
    (verdict) =>
      verdict.workstream === workstream && (team.edition >= 4 || verdict.round === round - 1),
  );
  if (before === undefined) return undefined;
  const key = `${subject}/kept`;
  const changed = await team.look(`${key}-changes`, { from: before.commit, to: commit }, (signal) =>
    team.workshop.changes(before.commit, commit, signal).then((all) => all.map(({ path }) => path)),
  );
  const kept = before.requirements.filter(({ id, state: how }) => {
    const own = requirements.find((requirement) => requirement.id === id);
    if (how !== 'met' || own === undefined) return false;
    if (team.edition >= 4 && own.proof === 'check' && !isChecked(groupCheckEnds(state, joined)))
      return false;
    const files = [
      ...team.view.tasks.flatMap(({ task, files: held }) => (task.covers.includes(id) ? held : [])),
      ...team.view.verdicts.flatMap(({ items }) =>
        items.flatMap(({ requirement, path }) => (requirement === id ? [path] : [])),
      ),
      ...[...tests, ...lockedSets(team)].flatMap((set) =>
        set.requirement === id ? set.files : [],
      ),
    ];
    return !changed.some((path) => matchesGlob(path, files));
  });
  const isAll = kept.length === requirements.length;
  const hasDefectOutsideRequirements = before.verdict === 'fail' && isAll;
  if (hasDefectOutsideRequirements) return undefined;
  if (kept.length === 0 && !(isAll && team.edition >= 4 && isUntouched(state, workstream, changed)))
    return undefined;
  await team.record(key, { commit, kept }, [
    fact('verdict.joined', {
      workstream,
      round,
      commit,
      verdict: 'pass',
      cause: 'none',
      failing: [],
      ...(within === undefined ? {} : { alone: true as const }),
      requirements: kept.map(({ evidence, ...requirement }) => ({
        ...requirement,
        evidence: [...evidence],
      })),
    }),
  ]);
  return kept.map(({ id }) => id);
}

/**
 * Returns whether no changed file is held by a task of the workstream. Used for a workstream that has no
 * requirements of its own to verify, because later workstreams cover them.
 */
function isUntouched({ team }: WorkState, workstream: string, changed: readonly string[]): boolean {
  const held = team.view.tasks.flatMap(({ task, files }) =>
    task.workstream === workstream ? files : [],
  );
  return !changed.some((path) => matchesGlob(path, held));
}
