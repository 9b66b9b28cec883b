/** The part of the console's model for what protocols record through their context. */
import type { Part } from '../../console/model/part.ts';
import type { RunModel } from '../../console/model/run-model.ts';
import { EMPTY_SDK, foldSdk, type SdkView } from '../fold.ts';

/** The part of the console's model that holds a protocol's figures, ledgers and groupings. */
export const SDK_PART: Part<SdkView> = { begin: () => EMPTY_SDK, fold: foldSdk };

/** Returns what a protocol has shown and recorded, from the console's state of a run. */
export function sdkViewIn(run: RunModel): SdkView {
  return run.read(SDK_PART);
}
