/** The part of the console's model for what protocols record through their context. */
import type { Part } from '../../console/model/part.ts';
import type { RunModel } from '../../console/model/run-model.ts';
import { EMPTY_SDK, foldSdk, type SdkView } from '../fold.ts';

/**
 * The part of the console's model of a run for what a user's own protocol or a debate has shown: figures, ledgers
 * (numbered lists of statements), groups of texts, and the outcome.
 */
export const SDK_PART: Part<SdkView> = { begin: () => EMPTY_SDK, fold: foldSdk };

/** Returns what a user's own protocol or a debate has shown and recorded, from the console's model of its run. */
export function sdkViewIn(run: RunModel): SdkView {
  return run.read(SDK_PART);
}
