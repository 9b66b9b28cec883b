/** What the console keeps of a plan. */
import type { Part } from '../../../console/model/part.ts';
import type { RunModel } from '../../../console/model/run-model.ts';
import { EMPTY_PLAN, foldPlan, type PlanView } from '../fold.ts';

export interface PlanState {
  readonly view: PlanView;
  /** Another number whenever anything of it has changed. */
  readonly version: number;
}

export const PLAN_PART: Part<PlanState> = {
  begin: () => ({ view: EMPTY_PLAN, version: 0 }),
  fold: (state, one) => {
    const view = foldPlan(state.view, one);
    return view === state.view ? state : { view, version: state.version + 1 };
  },
};

export function planIn(run: RunModel): PlanState {
  return run.read(PLAN_PART);
}
