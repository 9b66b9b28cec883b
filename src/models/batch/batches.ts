/**
 * The interface of providers that answer calls in batches: many requests at once, answered within a day at
 * half the list price. `collector.ts` collects the requests and stores the answers.
 */

import type { CallContext, ModelSpec } from '../../kernel/model.ts';

/** Replaces sending a single request: takes its body, and resolves to the answer as a stream. */
export type Send = (url: string, body: string, signal: AbortSignal) => Promise<Response>;

/** Takes a request of a call, with the call's context, model and attempt number. */
export type Sender = (
  place: { readonly context: CallContext; readonly model: ModelSpec; readonly attempt: number },
  ...asked: Parameters<Send>
) => ReturnType<Send>;

/** The factor on the list price of batches, at both providers that have them. */
export const BATCH_PRICE = 0.5;

/** A request for one answer, in the form in which it would be sent by itself. */
export interface BatchRequest {
  /** The id by which the answer is matched. Up to 64 letters, digits, hyphens and underscores. */
  readonly id: string;
  /** The path of the request at the provider: `/v1/messages`. */
  readonly path: string;
  /** The body as JSON, without the fields that request a stream. */
  readonly body: string;
}

/** What is known of a batch of ours (a "wave") before it is sent. */
export interface WaveMark {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  readonly requests: number;
}

/** A batch at the provider that may be a given wave. */
export interface Found {
  readonly batch: string;
  /** True if the batch names the wave; otherwise its answers' ids must be compared. */
  readonly isCertain: boolean;
}

/** The progress of a batch at its provider. */
export interface BatchState {
  readonly isOver: boolean;
  /** Requests that were answered or failed, as far as the server counts them. */
  readonly ended: number;
  /** Why the batch failed as a whole. */
  readonly failed?: string | undefined;
}

/** Batches at one provider. Every method rejects with a `ProviderFailure`. */
export interface Batches {
  readonly most: { readonly requests: number; readonly bytes: number };
  /** Sends a batch. Resolves to the provider's id of the batch. */
  submit(wave: WaveMark, requests: readonly BatchRequest[], signal: AbortSignal): Promise<string>;
  /** Finds the batches that may be this wave, if the process died before it learnt the batch's id. */
  find(wave: WaveMark, signal: AbortSignal): Promise<readonly Found[]>;
  look(batch: string, signal: AbortSignal): Promise<BatchState>;
  /** Passes on each answer as JSON, in any order. Lines that are not valid are skipped. */
  results(
    batch: string,
    take: (id: string, answer: string) => void,
    signal: AbortSignal,
  ): Promise<void>;
  /** Returns an answer as a stream. @throws ProviderFailure if the request failed */
  replay(answer: string, model: string): Response;
}

/** Stored instead of an answer that the batch ended without. */
export const MISSING = '{"missing":true}';

/** Returns a complete stream of server-sent events. */
export function streamOf(records: readonly object[], end = ''): Response {
  const events = records.map((one) => {
    const name = 'type' in one && typeof one.type === 'string' ? `event: ${one.type}\n` : '';
    return `${name}data: ${JSON.stringify(one)}\n\n`;
  });
  return new Response(events.join('') + end, {
    headers: { 'content-type': 'text/event-stream' },
  });
}
