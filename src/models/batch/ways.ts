/** Helpers that the batches of all providers share. */
import { isRecord } from '../../text/json.ts';
import type { Failure, ServerDescription } from '../failure.ts';
import type { WaveMark } from './batches.ts';

/** Milliseconds without any data after which a request about a batch, such as for its state, is given up. */
export const LOOK_MS = 30_000;
/**
 * Milliseconds without any data after which the sending of a wave is given up. The server sends nothing
 * while it receives a wave, which may have hundreds of megabytes.
 */
export const SUBMIT_MS = 600_000;
/** Milliseconds by which the clocks of two machines may differ, including the time that sending takes. */
const APART_MS = 3_600_000;

/**
 * Returns whether a batch was created within an hour of the time when this wave was sent. `createdAt`
 * is in milliseconds since the epoch.
 */
export function submittedAbout({ at }: WaveMark, createdAt: number): boolean {
  return Math.abs(createdAt - Date.parse(at)) <= APART_MS;
}

/** Parses a stored answer, which is JSON. Any value but an object becomes an empty object. */
export function parseAnswer(answer: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(answer);
  return isRecord(value) ? value : {};
}

/**
 * Returns the failure for a request that the batch did not answer. The request may be repeated.
 * @param words the reason
 */
export function unansweredFailure(about: ServerDescription, words: string): Failure {
  return {
    code: 'server',
    message: `${about.name}: ${words}`,
    next: 'Ask again with the same command',
    retry: true,
  };
}
