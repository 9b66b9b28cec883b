/**
 * Makes one attempt at a call: sends the request, splits what comes into thinking and answer while it comes,
 * and ends the attempt if the answer exceeds its bounds.
 */
import { NO_USAGE } from '../../kernel/model.ts';
import { defectFailure, displacedFailure, type Failure } from '../failure.ts';
import type { Attempt, JsonSchema, ProviderRequest } from '../provider.ts';
import { mostTokens } from '../providers/limits.ts';
import { ThinkSplitter } from '../think.ts';
import { AnswerBounds } from './bounds.ts';
import type { CallOptions } from './call-options.ts';

/** What one attempt brought. */
interface Heard {
  readonly attempt: Attempt;
  /** The answer, as far as it came. */
  readonly text: string;
  readonly thinking: string;
  /** Milliseconds from the request to the first text of the answer; undefined if there was none. */
  readonly firstTokenMs: number | undefined;
  /** Whether the server ended the answer in order to answer another request. */
  readonly wasDisplaced: boolean;
}

/**
 * Makes one attempt at a call: sends the request and collects the answer. A provider's failure is part of
 * the result; nothing is thrown.
 *
 * @param number the number of the attempt, from 1
 * @param schema the schema that the answer must fit; undefined: none
 */
export async function makeAttempt(
  { provider, context, idleMs, keepAlive, onBytes, request, others, send }: CallOptions,
  sent: ProviderRequest,
  { number, schema }: { readonly number: number; readonly schema: JsonSchema | undefined },
): Promise<Heard> {
  const counted = others.count();
  const place = { context, model: request.seat.model, attempt: number };
  const began = performance.now();
  const splitter = new ThinkSplitter();
  const enough = new AbortController();
  const isForm = schema !== undefined;
  const bounds = new AnswerBounds(provider.name, mostTokens(request, schema), isForm);
  let [text, thinking] = ['', ''];
  let firstTokenMs: number | undefined;
  let cut: Failure | undefined;
  const takePiece = (part: 'text' | 'thinking', piece: string): void => {
    cut ??= bounds.take(part, piece);
    if (cut !== undefined) enough.abort();
  };
  const takeThinking = (piece: string): void => {
    if (piece === '') return;
    thinking += piece;
    takePiece('thinking', piece);
    context.onEvent({ type: 'thinking', text: piece });
  };
  const takeText = (part: { readonly text: string; readonly thinking: string }): void => {
    takeThinking(part.thinking);
    if (part.text === '') return;
    firstTokenMs ??= performance.now() - began;
    text += part.text;
    takePiece('text', part.text);
    context.onEvent({ type: 'text', text: part.text });
  };
  context.onEvent({ type: 'sent', attempt: number });
  let attempt: Attempt;
  try {
    attempt = await provider.stream(sent, {
      signal: AbortSignal.any([context.signal, enough.signal]),
      attempt: number,
      idleMs,
      // A batch may take hours, so its requests have no idle timeout.
      keepAlive: send === undefined ? keepAlive : () => Promise.resolve(true),
      send: send && ((...asked) => send(place, ...asked)),
      run: context.run,
      folders: context.folders,
      mayRunUnsandboxed: context.mayRunUnsandboxed,
      onBytes,
      onText: (piece) => takeText(splitter.push(piece)),
      onThinking: takeThinking,
    });
    takeText(splitter.end());
  } catch (error) {
    // If the provider throws, the attempt fails as by a defect. If the call was stopped, this failure is ignored.
    attempt = {
      ok: false,
      failure: defectFailure(provider.name, error),
      usage: NO_USAGE,
      notes: [],
    };
  }
  if (cut !== undefined) attempt = { ...attempt, ok: false, failure: cut };
  const wasDisplaced =
    !attempt.ok && attempt.failure.isOpen === true && provider.queues && others.counted() > counted;
  if (wasDisplaced) attempt = { ...attempt, ok: false, failure: displacedFailure(provider.name) };
  return { attempt, text, thinking, firstTokenMs, wasDisplaced };
}
