/** Compares two teams' runs: requirements met, how tasks ended, and where the work went. */
import { comparing, recordDiff } from '../../../record-kinds/diff.ts';
import { foldAllTeamFacts, type RequirementView, type TaskView, type TeamView } from '../fold.ts';
import { describeOutcome } from './status.ts';

/** The parts of two teams' runs that `deliberate diff` compares. */
export const diffTeams = recordDiff({
  read: ({ facts }) => foldAllTeamFacts(facts),
  heads: { outcome: describeOutcome },
  records: {
    requirements: comparing({
      all: ({ requirements }: TeamView) => requirements,
      id: ({ id }: RequirementView) => id,
      compared: ({ text, state, proof }) => ({ text, state, proof }),
      sentence: ({ text, state }) => `${text} (${state})`,
    }),
    tasks: comparing({
      all: ({ tasks }: TeamView) => tasks,
      id: ({ task }: TaskView) => task.id,
      compared: ({ task, state, attempts }) => ({
        title: task.title,
        state,
        attempts: String(attempts.length),
      }),
      sentence: ({ task, state }) => `${task.title} (${state})`,
    }),
  },
});
