/** The console's state of a run's predictions, decisions and outcomes. */
import { DECISIONS } from '../../decisions/facts.ts';
import { foldDecisions, NO_DECISIONS, outcomeOf } from '../../decisions/fold.ts';
import { isDraftStep, isPredictionStep } from '../../decisions/predictions.ts';
import { joinLines } from '../../text/line.ts';
import { formatCount } from '../../text/numbers.ts';
import type { Part } from './part.ts';
import type { RunModel } from './run-model.ts';

interface Decided {
  readonly view: typeof NO_DECISIONS;
  /** A number that changes whenever the view does. */
  readonly version: number;
}

/** Functions that collect a run's predictions and decisions from its facts, for the console. */
export const DECISIONS_PART: Part<Decided> = {
  begin: () => ({ view: NO_DECISIONS, version: 0 }),
  fold: (state, fact) =>
    DECISIONS.own(fact) === undefined
      ? state
      : { view: foldDecisions(state.view, fact), version: state.version + 1 },
};

/** Returns whether a run has predictions or decisions, so that the tab Predictions is shown. */
export function hasDecisions(run: RunModel): boolean {
  return run.read(DECISIONS_PART).version > 0;
}

/**
 * Returns lines to show beside a synthesis, such as `3 predictions, panel 20 to 75 %` and `decided:
 * Split billing first.`
 *
 * @param version the version of the synthesis
 */
export function decisionBeside(run: RunModel, version: number): string[] {
  const { view } = run.read(DECISIONS_PART);
  const own = view.predictions.filter((prediction) => prediction.version === version);
  const panel = own.flatMap((prediction) => prediction.panel?.percent ?? []);
  const [low, high] = [Math.min(...panel), Math.max(...panel)].map(Math.round);
  const range =
    panel.length === 0 ? '' : `, panel ${low === high ? `${low} %` : `${low} to ${high} %`}`;
  const states = own.map((prediction) => outcomeOf(prediction, view).state);
  const [yes, no] = ['yes', 'no'].map(
    (wanted) => states.filter((state) => state === wanted).length,
  );
  const answered = (yes ?? 0) + (no ?? 0);
  const came = answered === 0 ? '' : `, ${yes} of ${answered} answered came true`;
  const taken = view.taken.at(-1);
  return [
    ...(own.length === 0
      ? []
      : [`${own.length} ${own.length === 1 ? 'prediction' : 'predictions'}${range}${came}`]),
    ...(taken === undefined ? [] : [`decided: ${joinLines(taken.text)}`]),
  ];
}

/**
 * Returns a sentence for the status row while models are asked for predictions; undefined if none
 * are being asked.
 */
export function predictionStatus(run: RunModel): string | undefined {
  const running = run
    .streams('')
    .filter(([step, stream]) => stream.running && isPredictionStep(step));
  if (running.length === 0) return undefined;
  return running.some(([step]) => isDraftStep(step))
    ? 'Drafting predictions from the synthesis.'
    : `Asking for probabilities: ${formatCount(running.length, 'model')} to come.`;
}
