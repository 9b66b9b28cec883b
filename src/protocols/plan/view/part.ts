/** What the console keeps of a plan. */
import type { Part } from '../../../console/model/part.ts';
import type { RunModel } from '../../../console/model/run-model.ts';
import type { RunView } from '../../../kernel/view.ts';
import { EMPTY_PLAN, foldPlan, type PlanView } from '../fold.ts';
import { type Planned, plannedOf } from './planned.ts';

interface PlanState {
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

/** Worked out once for every state of a run: a screen asks at every frame. */
const PLANNED = new WeakMap<RunView, Planned>();

export function plannedIn(run: RunModel): Planned {
  const known = PLANNED.get(run.view);
  if (known !== undefined) return known;
  const found = plannedOf(run.view, planIn(run).view);
  PLANNED.set(run.view, found);
  return found;
}
