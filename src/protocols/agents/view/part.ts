/** The console's state of a run of agents: the tree of who works for whom. */
import type { Part } from '../../../console/model/part.ts';
import type { RunModel } from '../../../console/model/run-model.ts';
import { type AgentsView, EMPTY_AGENTS, foldAgents } from '../fold.ts';

export interface Crew {
  readonly view: AgentsView;
  /** A number that changes whenever the tree does. */
  readonly version: number;
}

export const AGENTS_PART: Part<Crew> = {
  begin: () => ({ view: EMPTY_AGENTS, version: 0 }),
  fold: (crew, one) => {
    const view = foldAgents(crew.view, one);
    return view === crew.view ? crew : { view, version: crew.version + 1 };
  },
};

export function crewIn(run: RunModel): Crew {
  return run.read(AGENTS_PART);
}
