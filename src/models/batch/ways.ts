/** What the batches of all providers have in common. */
import { isRecord } from '../../text/is-record.ts';
import type { About, Failure } from '../failure.ts';
import type { WaveMark } from './batches.ts';

/** A question that is answered from memory. */
export const LOOK_MS = 30_000;
/** A wave may be hundreds of megabytes, and is read before it is answered. */
export const SUBMIT_MS = 600_000;
/** As far as clocks of two machines may differ, and a wave may take to be sent. */
const APART_MS = 3_600_000;

/** Whether a batch was made when this wave was sent. */
export function submittedAbout({ at }: WaveMark, createdAt: number): boolean {
  return Math.abs(createdAt - Date.parse(at)) <= APART_MS;
}

/** What was kept of an answer: an object, whatever is in it. */
export function parsed(answer: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(answer);
  return isRecord(value) ? value : {};
}

/** It was not answered, and may be the next time. */
export function endedWithout(about: About, words: string): Failure {
  return {
    code: 'server',
    message: `${about.name}: ${words}`,
    next: 'Ask again with the same command',
    retry: true,
  };
}
