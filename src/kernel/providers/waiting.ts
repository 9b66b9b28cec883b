/**
 * Who waits for whom at a server. Many servers answer one request at a time and queue the others without a
 * word: a call that was sent and has no byte of its answer yet waits, as far as can be seen, for the one call
 * that the same model is answering.
 */

/** For how long a call has nothing of its answer before it is said to wait for another one. */
export const WAITS_AFTER_MS = 4000;

/** A call that was sent and has not ended. */
interface RunningCall {
  /** Provider and model, as in `openai/llama`. */
  readonly model: string;
  /** Whether it was sent and nothing of its answer has come. */
  readonly isWaiting: boolean;
  /** Whether its answer is coming. */
  readonly isAnswered: boolean;
}

/**
 * Returns the call that a waiting call is behind. Undefined where its model answers nobody just now, or
 * several at once: such a server does not let one wait for another.
 */
export function findAhead<T extends RunningCall>(
  call: RunningCall,
  running: Iterable<T>,
): T | undefined {
  if (!call.isWaiting || call.model === '') return undefined;
  const answered = [...running].filter((one) => one.isAnswered && one.model === call.model);
  return answered.length === 1 ? answered[0] : undefined;
}
