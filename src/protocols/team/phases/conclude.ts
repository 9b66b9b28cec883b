/** Records the final page of a run, which code writes, so that every view has something to show. */
import { fact as kernelFact } from '../../../kernel/facts.ts';
import { pageOf } from '../outcome.ts';
import type { TeamRun } from '../team-run.ts';

/**
 * Writes the final page of a team's run (its requirements, tasks, checks and costs in Markdown) and
 * records it in the form of a synthesis. `why` says why the goal was not met; undefined if it was.
 */
export async function concludeRun(team: TeamRun, why: string | undefined): Promise<void> {
  const text = pageOf(team.goal, team.view, team.costs, why, team.edition);
  await team.run.step('deliver/page', { text }, ({ emit }) => {
    emit(
      kernelFact('synthesis.completed', {
        version: 1,
        model: '',
        text,
        included: [],
        excluded: [],
        labels: {},
        missing: [],
        rehearsal: team.isRehearsed,
        conclusion: true,
      }),
    );
    return null;
  });
}
