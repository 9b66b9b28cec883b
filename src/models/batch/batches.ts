/**
 * What a provider must be able to do to answer calls in batches: many requests at once, answered within a
 * day at half the list price. Who collects them, and what is kept of them, is in waves.ts.
 */

import type { CallContext, ModelSpec } from '../../kernel/model.ts';

/** What stands in for a request of its own: gets its body, and resolves with the answer as a stream. */
export type Send = (url: string, body: string, signal: AbortSignal) => Promise<Response>;

/** Takes a request of a call: its place in its run, and which of the call's attempts it is. */
export type Sender = (
  place: { readonly context: CallContext; readonly model: ModelSpec; readonly attempt: number },
  ...asked: Parameters<Send>
) => ReturnType<Send>;

/** What is taken off the list price, by both providers that take batches. */
export const BATCH_PRICE = 0.5;

/** A request for one answer, in the form in which it would have been sent by itself. */
export interface BatchRequest {
  /** Comes back with the answer. Up to 64 letters, digits, hyphens and underscores. */
  readonly id: string;
  /** Below the provider's address: `/v1/messages`. */
  readonly path: string;
  /** JSON, without what asks for a stream. */
  readonly body: string;
}

/** What is known of a wave before it is sent. */
export interface WaveMark {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  readonly requests: number;
}

/** A batch that may be a wave's. */
export interface Found {
  readonly batch: string;
  /** It says so itself; else its answers have to be looked at. */
  readonly isCertain: boolean;
}

export interface BatchState {
  readonly isOver: boolean;
  /** Requests that were answered or failed, as far as the server counts them. */
  readonly ended: number;
  /** Why the batch as a whole came to nothing. */
  readonly failed?: string | undefined;
}

export interface Batches {
  readonly most: { readonly requests: number; readonly bytes: number };
  /** Resolves with the provider's name for the batch. All reject with a `ProviderFailure`. */
  submit(wave: WaveMark, requests: readonly BatchRequest[], signal: AbortSignal): Promise<string>;
  /** The batches that may be this wave's, which was sent while nobody heard of its arrival. */
  find(wave: WaveMark, signal: AbortSignal): Promise<readonly Found[]>;
  look(batch: string, signal: AbortSignal): Promise<BatchState>;
  /** Hands over each answer as it came, in any order, JSON. Lines that are none are passed over. */
  results(
    batch: string,
    take: (id: string, answer: string) => void,
    signal: AbortSignal,
  ): Promise<void>;
  /** An answer as if it had been streamed. @throws ProviderFailure where the request failed */
  replay(answer: string, model: string): Response;
}

/** What stands in place of an answer that a batch ended without. */
export const MISSING = '{"missing":true}';

/** A stream of server-sent events that is whole. */
export function streamOf(records: readonly object[], end = ''): Response {
  const events = records.map((one) => {
    const name = 'type' in one && typeof one.type === 'string' ? `event: ${one.type}\n` : '';
    return `${name}data: ${JSON.stringify(one)}\n\n`;
  });
  return new Response(events.join('') + end, {
    headers: { 'content-type': 'text/event-stream' },
  });
}
