/**
 * The interface of providers that answer calls in batches: many requests at once, answered within a day at
 * half the list price. `collector.ts` collects the requests and stores the answers.
 */

import type { CallContext, ModelSpec } from '../../kernel/model.ts';

/**
 * Sends the body of one request to a model. Resolves to a response that can be read as a stream, even if the answer
 * came later, in the result of a batch.
 */
export type Send = (url: string, body: string, signal: AbortSignal) => Promise<Response>;

/**
 * Sends a request of a call. `place` identifies the request by the call's context, the model and the
 * number of the attempt.
 */
export type Sender = (
  place: { readonly context: CallContext; readonly model: ModelSpec; readonly attempt: number },
  ...asked: Parameters<Send>
) => ReturnType<Send>;

/**
 * The factor between the list price and the price in batches, at both providers that have batches.
 */
export const BATCH_PRICE = 0.5;

/** One request of a batch, in the form in which it would be sent by itself. */
export interface BatchRequest {
  /** The id by which the answer is matched: up to 64 letters, digits, hyphens and underscores. */
  readonly id: string;
  /** The path of the request at the provider: `/v1/messages`. */
  readonly path: string;
  /** The body as JSON, without the fields that request a stream. */
  readonly body: string;
}

/** A wave: a group of requests that are sent to the provider as one batch. */
export interface WaveMark {
  readonly id: string;
  /** When the wave was sent, in ISO 8601. */
  readonly at: string;
  /** The number of requests. */
  readonly requests: number;
}

/** A batch at the provider that may belong to a given wave. */
export interface FoundBatch {
  /** The provider's id of the batch. */
  readonly batch: string;
  /**
   * True if the batch names the wave. If false, the ids of the batch's answers must be compared.
   */
  readonly isCertain: boolean;
}

/** The progress of a batch at its provider. */
export interface BatchState {
  /** Whether the provider has finished the batch. */
  readonly isOver: boolean;
  /** The number of requests that were answered or failed, as far as the server counts them. */
  readonly ended: number;
  /** Why the batch failed as a whole; absent if it did not. */
  readonly failed?: string | undefined;
}

/**
 * The batch API of one provider. The methods that ask the provider reject with a `ProviderFailure` if
 * they fail.
 */
export interface Batches {
  /** The most requests and bytes of one batch. */
  readonly most: { readonly requests: number; readonly bytes: number };
  /** Sends a batch. Resolves to the id that the provider gives to the batch. */
  submit(wave: WaveMark, requests: readonly BatchRequest[], signal: AbortSignal): Promise<string>;
  /**
   * Finds the batches that may belong to this wave, for a process that died before it received the
   * batch's id.
   */
  find(wave: WaveMark, signal: AbortSignal): Promise<readonly FoundBatch[]>;
  /** Asks the provider how far a batch has come. */
  look(batch: string, signal: AbortSignal): Promise<BatchState>;
  /** Calls `take` with each answer as JSON, in any order. Invalid lines are skipped. */
  results(
    batch: string,
    take: (id: string, answer: string) => void,
    signal: AbortSignal,
  ): Promise<void>;
  /**
   * Returns a stored answer as a response that reads like a stream.
   * @throws ProviderFailure if the request failed
   */
  replay(answer: string, model: string): Response;
}

/** The text that is stored in place of the answer to a request that a batch has left unanswered. */
export const MISSING = '{"missing":true}';

/**
 * Returns a response whose body is a complete stream of server-sent events, one for each record. The text
 * `end` is appended.
 */
export function streamOf(records: readonly object[], end = ''): Response {
  const events = records.map((record) => {
    const name =
      'type' in record && typeof record.type === 'string' ? `event: ${record.type}\n` : '';
    return `${name}data: ${JSON.stringify(record)}\n\n`;
  });
  return new Response(events.join('') + end, {
    headers: { 'content-type': 'text/event-stream' },
  });
}
