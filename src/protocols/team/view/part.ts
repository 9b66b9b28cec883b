/** Keeps what the console needs of a team's run. */
import type { Part } from '../../../console/model/part.ts';
import type { RunModel } from '../../../console/model/run-model.ts';
import type { RunView } from '../../../kernel/view.ts';
import { EMPTY_TEAM, foldTeam, type TeamView } from '../fold.ts';
import { Costs } from './costs.ts';
import { deriveTeamed, type TeamDisplay } from './display-state.ts';

interface TeamState {
  readonly view: TeamView;
  /** The costs of all calls so far. The object is updated in place. */
  readonly costs: Costs;
  /** A number that grows whenever anything may have changed. */
  readonly version: number;
}

/** How the console computes a team's state: the state before the first fact, and the update for each fact. */
export const TEAM_PART: Part<TeamState> = {
  begin: () => ({ view: EMPTY_TEAM, costs: new Costs(), version: 0 }),
  fold: ({ view, costs, version }, fact) => {
    costs.take(fact);
    // Any fact may change what the tab Team shows, even one about a call, so each raises the number `version`.
    return { view: foldTeam(view, fact), costs, version: version + 1 };
  },
};

/** Returns the state of a team in the console's model of a run. */
export function teamIn(run: RunModel): TeamState {
  return run.read(TEAM_PART);
}

/** Results of `getTeamDisplay` by the state of the run, since a screen asks for them in every frame. */
const TEAMED = new WeakMap<RunView, TeamDisplay>();

/** Returns what displays need of a team, computed once for each state of the run. */
export function getTeamDisplay(run: RunModel): TeamDisplay {
  const known = TEAMED.get(run.view);
  if (known !== undefined) return known;
  const { view, costs } = teamIn(run);
  const found = deriveTeamed(run.view, view, costs);
  TEAMED.set(run.view, found);
  return found;
}
