/** The part of the console's model for what protocols record through their context. */
import type { Part } from '../../console/model/part.ts';
import type { RunModel } from '../../console/model/run-model.ts';
import { EMPTY_SDK, foldSdk, type SdkView } from '../fold.ts';

export const SDK_PART: Part<SdkView> = { begin: () => EMPTY_SDK, fold: foldSdk };

export function sdkViewIn(run: RunModel): SdkView {
  return run.read(SDK_PART);
}
