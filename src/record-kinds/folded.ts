/** What the console keeps of a protocol's runs: the fold of its facts, and what its displays make of it. */
import type { Part } from '../console/model/part.ts';
import type { RunModel } from '../console/model/run-model.ts';
import type { RunView } from '../kernel/view.ts';
import type { AnyFact } from '../kernel/vocabulary.ts';

interface Kept<View> {
  readonly view: View;
  readonly version: number;
}

interface FoldedPart<View, State> extends Part<Kept<View>> {
  readonly viewIn: (run: RunModel) => View;
  /** Returns a number that changes whenever the view has changed. */
  readonly version: (run: RunModel) => number;
  /** Returns what displays read, which is derived once for each state of a run, since screens ask in every frame. */
  readonly state: (run: RunModel) => State;
}

/**
 * Makes one part of the state that the console keeps of a run. The part is computed from the run's facts by
 * `fold`.
 * @param empty the view before the first fact
 * @param fold must return the same object if the fact changes nothing
 * @param derive makes what displays read from the run and the view
 */
export function makeFoldedPart<View, State>(
  empty: View,
  fold: (view: View, fact: AnyFact) => View,
  derive: (run: RunView, view: View) => State,
): FoldedPart<View, State> {
  const derived = new WeakMap<RunView, State>();
  const part: FoldedPart<View, State> = {
    begin: () => ({ view: empty, version: 0 }),
    fold: (kept, fact) => {
      const view = fold(kept.view, fact);
      return view === kept.view ? kept : { view, version: kept.version + 1 };
    },
    viewIn: (run) => run.read(part).view,
    version: (run) => run.read(part).version,
    state: (run) => {
      const known = derived.get(run.view);
      if (known !== undefined) return known;
      const state = derive(run.view, run.read(part).view);
      derived.set(run.view, state);
      return state;
    },
  };
  return part;
}
