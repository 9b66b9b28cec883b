/** The options of one call: its request, its server, and what is known of the model. */
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
  /** The model's name without its provider. */
  readonly model: string;
  readonly policy: RetryPolicy;
  readonly idleMs: number;
  readonly keepAlive: () => Promise<boolean>;
  readonly onBytes: () => void;
  /** Whether the server has answered any request in this process. */
  readonly hasAnswered: () => boolean;
  /** The other calls at the same server. */
  readonly others: {
    /** Counts a request that is about to be sent to the server, and returns its number. */
    readonly count: () => number;
    /** The number of the last request. */
    readonly counted: () => number;
    /** Waits until no other call to the server is running. From then on calls are made one at a time. */
    readonly letFinish: () => Promise<void>;
  };
  /** The features that this model is known to refuse; shared by all calls. */
  readonly refuses: Set<Feature>;
  /** For structured calls: a note on what is changed from the start, and why. */
  readonly known?: string | undefined;
  /** Whether the doctor has measured that the model keeps to a schema. */
  readonly takesSchema: boolean;
  /** Returns the model's context window in tokens, or undefined if unknown. */
  readonly window: () => Promise<number | undefined>;
  /** The ratio of this server's token counts to our estimates; shared by all calls. */
  readonly scale: PromptScale;
  /** Removes keys from a sentence. */
  readonly redact: (text: string) => string;
  /** Sends its requests in batches instead of one by one. */
  readonly send?: Sender | undefined;
}
