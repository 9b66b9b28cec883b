/** The model that decides claims by reading, and how reliable it is. */
import type { Records } from '../records.ts';

/**
 * The model that decides claims by reading, with its result in the reading test. `none` means that
 * no model was tested, `failed` that no tested model passed.
 */
export type Reader =
  | 'none'
  | 'failed'
  | {
      readonly model: string;
      /**
       * The number of statements in the reading test of the model, of its wrong answers, and of the
       * statements that it wrongly called true.
       */
      readonly items: number;
      readonly errors: number;
      readonly calledTrue: number;
      /** Whether the test was held in the run (`held`), or its result is known from an earlier run (`profile`). */
      readonly source: 'held' | 'profile';
    };

/**
 * Returns the model that decides claims by reading, with its result in the reading test. This is
 * the model of the latest finding, or else the first model that passed the test. Returns `none` if
 * no model was tested, and `failed` if no model passed.
 */
export function findReader({ readings = [] }: Records): Reader {
  const entrances = readings.filter((reading) => reading.kind === 'entrance');
  const last = readings.findLast((reading) => reading.kind === 'finding');
  const passed =
    entrances.find((entrance) => entrance.passed && entrance.model === last?.model) ??
    entrances.find((entrance) => entrance.passed);
  if (passed === undefined) return entrances.length === 0 ? 'none' : 'failed';
  const { model, items, errors, called_true, source } = passed;
  return { model, items, errors, calledTrue: called_true, source };
}

/**
 * The fewest wrong controls that raise the alarm, if the run has at least `ENOUGH_CONTROLS`.
 * Simulated readers that pass the reading test rarely make so many errors.
 */
const WRONG_CONTROLS = 5;
const ENOUGH_CONTROLS = 12;

/**
 * Returns whether the reader answered too many controls (statements with known answers) wrong.
 * Claims that it decided stay decided.
 */
export function isUnreliable({ readings = [] }: Records): boolean {
  const controls = readings.filter((reading) => reading.kind === 'control');
  const wrong = controls.filter(({ right }) => !right);
  return controls.length >= ENOUGH_CONTROLS && wrong.length >= WRONG_CONTROLS;
}
