/** The options of one call: its request, its server, and what is known of the model. */
import type { CallContext, ModelRequest } from '../../kernel/model.ts';
import type { Sender } from '../batch/batches.ts';
import type { Provider } from '../provider.ts';
import type { Feature } from '../providers/refusals.ts';
import type { RetryPolicy } from '../retry.ts';
import type { PromptScale } from './prompt-scale.ts';

/** Everything that one call to a model needs: the request, its provider, limits and callbacks. */
export interface CallOptions {
  readonly request: ModelRequest;
  readonly context: CallContext;
  readonly provider: Provider;
  /** The model's name without its provider. */
  readonly model: string;
  readonly policy: RetryPolicy;
  /** Milliseconds without any data after which a request is given up. */
  readonly idleMs: number;
  /**
   * Called when the idle time is over before the first data. Resolves to whether to go on waiting.
   */
  readonly keepAlive: () => Promise<boolean>;
  /** Called when data of the answer arrives. */
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
  /** The features that this model is known to refuse; shared by all calls of the model. */
  readonly refuses: Set<Feature>;
  /**
   * The note for a structured call whose first request is already changed because of stored
   * measurements, see `profileNote`; absent if there are none that change a request.
   */
  readonly known?: string | undefined;
  /** Whether the `doctor` command has measured that the model keeps to a schema. */
  readonly takesSchema: boolean;
  /** Returns the model's context window in tokens, or undefined if unknown. */
  readonly window: () => Promise<number | undefined>;
  /**
   * The ratio of the server's token counts to the program's estimates; shared by all calls of the
   * model.
   */
  readonly scale: PromptScale;
  /** Removes API keys from a sentence. */
  readonly redact: (text: string) => string;
  /** Sends the call's requests in batches; absent: each request is sent by itself. */
  readonly send?: Sender | undefined;
}
