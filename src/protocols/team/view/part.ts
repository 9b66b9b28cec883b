/** What the console keeps of a team. */
import type { Part } from '../../../console/model/part.ts';
import type { RunModel } from '../../../console/model/run-model.ts';
import type { RunView } from '../../../kernel/view.ts';
import { EMPTY_TEAM, foldTeam, type TeamView } from '../fold.ts';
import { Costs } from './costs.ts';
import { type Teamed, teamedOf } from './teamed.ts';

interface TeamState {
  readonly view: TeamView;
  /** Of all calls so far; grows with them. */
  readonly costs: Costs;
  /** Another number whenever anything of it may have changed. */
  readonly version: number;
}

export const TEAM_PART: Part<TeamState> = {
  begin: () => ({ view: EMPTY_TEAM, costs: new Costs(), version: 0 }),
  fold: ({ view, costs, version }, one) => {
    costs.take(one);
    // Calls that begin and end change what a row says, too.
    return { view: foldTeam(view, one), costs, version: version + 1 };
  },
};

export function teamIn(run: RunModel): TeamState {
  return run.read(TEAM_PART);
}

/** Worked out once for every state of a run: a screen asks at every frame. */
const TEAMED = new WeakMap<RunView, Teamed>();

export function teamedIn(run: RunModel): Teamed {
  const known = TEAMED.get(run.view);
  if (known !== undefined) return known;
  const { view, costs } = teamIn(run);
  const found = teamedOf(run.view, view, costs);
  TEAMED.set(run.view, found);
  return found;
}
