/** What one call is made with: its request, its place at a server, and what is remembered of its model. */
import type { CallContext, ModelRequest } from '../../kernel/model.ts';
import type { Sender } from '../batch/batches.ts';
import type { Provider } from '../provider.ts';
import type { Feature } from '../providers/refusals.ts';
import type { RetryPolicy } from '../retry.ts';
import type { PromptScale } from './prompt-scale.ts';

export interface CallOptions {
  readonly request: ModelRequest;
  readonly context: CallContext;
  readonly provider: Provider;
  /** The model without its provider. */
  readonly model: string;
  readonly policy: RetryPolicy;
  readonly idleMs: number;
  readonly keepAlive: () => Promise<boolean>;
  readonly onBytes: () => void;
  /** Whether the server has answered anything in this process. */
  readonly hasAnswered: () => boolean;
  /** The other calls at the same server. */
  readonly others: {
    /** Counts a request that is about to be sent there, and returns its number. */
    readonly count: () => number;
    /** The number of the last request. */
    readonly counted: () => number;
    /** Waits until no other call is on its way there; from then on calls are made one at a time. */
    readonly letFinish: () => Promise<void>;
  };
  /** What this model is known to refuse. Kept from call to call. */
  readonly refuses: Set<Feature>;
  /** What is done otherwise than asked from the start, and why: for structured calls. */
  readonly known?: string | undefined;
  /** Whether the doctor has seen the model keep to a schema that it was given. */
  readonly takesSchema: boolean;
  /** The model's context window in tokens, where anybody knows it. */
  readonly window: () => Promise<number | undefined>;
  /** What this model's server counts, against our estimates. Kept from call to call. */
  readonly scale: PromptScale;
  /** Takes keys out of a sentence. */
  readonly redact: (text: string) => string;
  /** Where its requests go that are not sent one by one. */
  readonly send?: Sender | undefined;
}
