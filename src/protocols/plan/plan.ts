/**
 * The chairman's plan: specialists who see only their own domain's context and one another's statements.
 * The chair alone sees everything, and what it says about agreement is decided by code or by the person.
 */
import type { Protocol } from '../../kernel/protocol.ts';
import { configSchema, type PlanConfig } from './config.ts';
import { forkOf, requestOf, unsoundIn } from './past.ts';
import { askFirst } from './phases/ask-first.ts';
import { gateContext } from './phases/context-gate.ts';
import { decide } from './phases/decide.ts';
import { research } from './phases/research.ts';
import { holdRounds } from './phases/rounds.ts';
import { staff } from './phases/staff.ts';
import { synthesize } from './phases/synthesize.ts';
import { PlanRun } from './plan-run.ts';
import { type PlanRequest, requestSchema } from './requests.ts';

export const plan: Protocol<PlanConfig, PlanRequest> = {
  name: 'plan',
  longPauses: true,
  config: configSchema,
  requests: requestSchema,
  request: requestOf,
  fork: forkOf,
  unsound: unsoundIn,
  async execute(run, { question, seats, config }) {
    const planRun = new PlanRun(run, question, seats, config);
    const staffed = await staff(planRun);
    if ('why' in staffed) return { status: 'failed', reason: staffed.why };
    const asked = await askFirst(planRun, staffed);
    await research(planRun, asked);
    const gated = await gateContext(planRun, staffed, asked);
    await holdRounds(planRun, staffed, gated);
    if (planRun.view.statements.length === 0)
      return { status: 'failed', reason: 'no specialist said anything' };
    await decide(planRun);
    const why = await synthesize(planRun, staffed);
    return why === undefined ? { status: 'done' } : { status: 'failed', reason: why };
  },
};
