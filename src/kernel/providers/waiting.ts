/**
 * Finds out which call another call waits for at a server. Many servers answer one request at a time and
 * queue the others without notice. A call that was sent and has received nothing is assumed to wait for the
 * call that the same model is answering.
 */

/**
 * The milliseconds after which a sent call without any text is shown as waiting for another call, if
 * `findAhead` finds one.
 */
export const WAITS_AFTER_MS = 4000;

/** A call that was sent and has not ended. */
interface RunningCall {
  /** Provider and model, as in `openai/llama`. */
  readonly model: string;
  /** Whether it was sent and has received nothing yet. */
  readonly isWaiting: boolean;
  /** Whether it is receiving its answer. */
  readonly isAnswered: boolean;
}

/**
 * Returns the call that `call` waits for: the one call that the same model is answering now. Returns
 * undefined if `call` does not wait, or the model is answering no call. Also returns undefined if
 * the model is answering several calls, because its server then works in parallel.
 */
export function findAhead<T extends RunningCall>(
  call: RunningCall,
  running: Iterable<T>,
): T | undefined {
  if (!call.isWaiting || call.model === '') return undefined;
  const answered = [...running].filter(
    (candidate) => candidate.isAnswered && candidate.model === call.model,
  );
  return answered.length === 1 ? answered[0] : undefined;
}
