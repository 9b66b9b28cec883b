/** The asynchronous context that marks the author's code, through every await. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Quoted } from '../kernel/model.ts';
import type { Attachment } from '../text/documents/attachment.ts';

/** What the program knows while the code of a user's own protocol or of a debate runs, and only then. */
export interface RunningProtocol {
  /** The seed of the run, for random numbers. */
  readonly seed: number;
  /** The documents attached to the run. */
  readonly attachments: readonly Attachment[];
  /**
   * The blocks that `quote` made, with the texts in them. A prompt that contains a block counts as
   * quoting its texts.
   */
  readonly quoted: Map<string, Quoted>;
}

/**
 * The context of the user's code, which is only set while that code runs. The program can thus tell
 * the user's code from its own.
 */
export const INSIDE: AsyncLocalStorage<RunningProtocol | undefined> = new AsyncLocalStorage();
