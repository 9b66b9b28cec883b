/** What stays verified after a correction that cannot have touched it. */
import { fits } from '../../../../text/globs.ts';
import { fact } from '../../facts.ts';
import type { TeamPlan, Workstream } from '../../forms/plan.ts';
import type { Joined } from '../join.ts';
import { lockedSets } from '../locked.ts';
import type { WorkState } from '../state.ts';

/**
 * Requirements that the round before showed to be met, none of whose files differ since: those that its
 * tasks hold, that its evidence lies in, and its tests. They are on record again for the new commit.
 */
export async function keepVerified(
  state: WorkState,
  round: number,
  { commit }: Joined,
  { id: workstream }: Workstream,
  requirements: TeamPlan['requirements'],
): Promise<readonly string[]> {
  const { team, tests } = state;
  const before = team.view.joint.findLast(
    (one) => one.workstream === workstream && one.round === round - 1,
  );
  if (before === undefined) return [];
  const key = `verify/round-${round}/${workstream}/kept`;
  const changed = await team.look(`${key}-changes`, { from: before.commit, to: commit }, (signal) =>
    team.workshop.changes(before.commit, commit, signal).then((all) => all.map(({ path }) => path)),
  );
  const kept = before.requirements.filter(({ id, state: how }) => {
    if (how !== 'met' || !requirements.some((one) => one.id === id)) return false;
    const files = [
      ...team.view.tasks.flatMap(({ task, files: held }) => (task.covers.includes(id) ? held : [])),
      ...team.view.verdicts.flatMap(({ items }) =>
        items.flatMap(({ requirement, path }) => (requirement === id ? [path] : [])),
      ),
      ...[...tests, ...lockedSets(team)].flatMap((one) =>
        one.requirement === id ? one.files : [],
      ),
    ];
    return !changed.some((path) => fits(path, files));
  });
  // A defect that was found may be nobody's requirement: who found it looks at what became of it.
  if (kept.length === 0 || (before.verdict === 'fail' && kept.length === requirements.length))
    return [];
  await team.record(key, { commit, kept }, [
    fact('verdict.joined', {
      ...{ workstream, round, commit, verdict: 'pass', cause: 'none', failing: [] },
      requirements: kept.map(({ evidence, ...one }) => ({ ...one, evidence: [...evidence] })),
    }),
  ]);
  return kept.map(({ id }) => id);
}
