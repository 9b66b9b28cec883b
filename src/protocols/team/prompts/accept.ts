/** The prompt that asks T1 to accept or reject the work. */
import type { Message } from '../../../kernel/model.ts';
import { withoutFalse } from '../../../text/without-undefined.ts';
import type { RequirementView } from '../fold.ts';
import type { Task } from '../forms/plan.ts';
import { evidenceId } from '../rules/accept.ts';
import { buildPrompt, formatMaterial, joinRows, refusedPart } from './opening.ts';
import { type RedCheck, redParts, removeHashLines, type VerifyContext } from './verify.ts';

/**
 * Builds the prompt that asks the planning seat (T1) to accept or reject the work.
 * @param refused an earlier answer, with the reasons why code refused it
 */
export function acceptMessages(
  { goal, seed, parts }: Pick<VerifyContext, 'goal' | 'seed' | 'parts'>,
  about: {
    /** What T1 has to know before it accepts; undefined before version 3 of the rules. */
    readonly risks?: readonly string[];
    readonly requirements: readonly RequirementView[];
    /** The finished tasks. */
    readonly tasks: readonly Pick<Task, 'id' | 'workstream' | 'title' | 'covers'>[];
    /** Lines on how the checks and the verifiers' tests ended on the result. */
    readonly checks: readonly string[];
    readonly red?: readonly RedCheck[] | undefined;
    /** A line for each file that the work changed, with the numbers of added and removed lines. */
    readonly changes: readonly string[];
    /** The changed files that no task held for a requirement. */
    readonly beyond: readonly string[];
    /** The changes themselves, as a diff against the base. */
    readonly diff: string;
  },
  refused?: { readonly handed: unknown; readonly why: readonly string[] },
): Message[] {
  return buildPrompt(
    goal,
    seed,
    parts,
    withoutFalse([
      formatMaterial(
        'Requirements as code holds them, with their evidence:',
        'evidence',
        joinRows(
          about.requirements.flatMap(({ id, state, evidence }) => [
            `${id} is ${state}${evidence.length === 0 ? ', without evidence' : ''}`,
            ...evidence.map((entry, at) => `${evidenceId(id, at)}: ${entry}`),
          ]),
        ),
        seed,
      ),
      formatMaterial(
        'Tasks:',
        'tasks',
        joinRows(
          about.tasks.map(
            ({ id, workstream, title, covers }) =>
              `${id} (${workstream}; ${covers.join(', ')}): ${title}`,
          ),
        ),
        seed,
      ),
      formatMaterial('Checks of the result:', 'checks', joinRows(about.checks), seed),
      ...redParts(about.red, seed),
      (about.risks ?? []).length !== 0 &&
        formatMaterial('Risks that code sees:', 'risks', joinRows(about.risks ?? []), seed),
      formatMaterial('Files that changed:', 'changes', joinRows(about.changes), seed),
      about.beyond.length !== 0 &&
        formatMaterial(
          'Of these no task held for a requirement:',
          'beyond',
          joinRows(about.beyond),
          seed,
        ),
      formatMaterial('The change:', 'diff', removeHashLines(about.diff), seed),
      refused !== undefined && refusedPart(refused.handed, refused.why, seed),
      [
        'You are T1. Hold the result against the goal, word for word. decision: "accept" only where every requirement is met by evidence above; else "reject".',
        'requirements: every one, met "yes" or "no", with its evidence by number, such as "R1.1". beyond_goal: what was changed that the goal does not ask for, by path.',
        'reject: null when you accept. Else where it has to go back to: "T4" where the work is wrong, "T3" where a brief is, "T2" where the design is; the workstream, its tasks, and the reason as whoever does it again has to know it.',
      ].join('\n'),
    ]),
  );
}
