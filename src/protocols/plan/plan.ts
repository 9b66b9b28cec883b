/**
 * The chairman's plan: specialists see their own domain's context and one another's statements. Only the
 * chair sees everything; whether there is agreement is decided by code or by the person.
 *
 * Seven phases run in a row (`phases/`). Each ends with `planRun.record`: one step with the facts that follow
 * from the answers. A phase reads only `planRun.view`, the fold of what was recorded so far. `rules/` is
 * pure: statements and their numbers, conflicts and their options, settling, the control, and what the spec
 * has to account for.
 *
 * Invariants:
 * - A search for conflicts is shown one planted statement (the control). If the search misses the control,
 *   finding no conflict proves nothing; conflicts that it did find are kept as unconfirmed.
 * - A finding lists the answers, which become options, and the statements that the conflict rests on
 *   (`given`), which nobody can accept or lose in that question.
 * - Code withdraws an option that loses by agreement, and records the question in which the option was given
 *   up.
 * - Documents are searched with tools that no seat is offered, and each search is a step: a resumed run makes
 *   the same prompts even if the index or the repository has changed.
 * - Files are made from the record alone (`outcome.ts`), and written after the run has ended
 *   (`desk/files.ts`).
 * - `prompts` in a plan's settings is the edition of its prompts and rules; absent means the first.
 */
import type { Protocol } from '../../kernel/protocol.ts';
import { configSchema, type PlanConfig } from './config.ts';
import { findUnsoundSetting, forkOf, requestOf } from './past.ts';
import { askFirst } from './phases/ask-first.ts';
import { gateContext } from './phases/context-gate.ts';
import { decideQuestions } from './phases/decide.ts';
import { researchQuestions } from './phases/research.ts';
import { holdRounds } from './phases/rounds.ts';
import { chooseStaff } from './phases/staff.ts';
import { writeSpec } from './phases/synthesize.ts';
import { PlanRun } from './plan-run.ts';
import { type PlanRequest, requestSchema } from './requests.ts';

/**
 * The protocol `plan`: specialists make statements about a topic, conflicts between them are
 * settled, and a chair writes the plan.
 */
export const plan: Protocol<PlanConfig, PlanRequest> = {
  name: 'plan',
  longPauses: true,
  config: configSchema,
  requests: requestSchema,
  request: requestOf,
  fork: forkOf,
  unsound: findUnsoundSetting,
  async execute(run, { question, seats, config }) {
    const planRun = new PlanRun(run, question, seats, config);
    const staffed = await chooseStaff(planRun);
    if ('why' in staffed) return { status: 'failed', reason: staffed.why };
    const asked = await askFirst(planRun, staffed);
    await researchQuestions(planRun, asked);
    const gated = await gateContext(planRun, staffed, asked);
    await holdRounds(planRun, staffed, gated);
    if (planRun.view.statements.length === 0)
      return { status: 'failed', reason: 'no specialist said anything' };
    await decideQuestions(planRun);
    const why = await writeSpec(planRun, staffed);
    return why === undefined ? { status: 'done' } : { status: 'failed', reason: why };
  },
};
