/**
 * The answers of a model behind a test server to the items of an evaluation. The same request always gets the
 * same answer.
 */
import { computeDigest } from '../../src/kernel/digest.ts';
import { promptOf } from '../e2e/deliberators.ts';
import type { RecordedRequest } from '../servers/http.ts';

/** Returns a text that is the same for requests with the same model, messages, format, effort and seed. */
export function toCallKey({ body }: RecordedRequest): string {
  const { seed } = (body?.options ?? {}) as { seed?: number };
  return JSON.stringify([body?.model, body?.messages, body?.format, body?.think, seed]);
}

/** Returns a number from 0 to 1 that depends on the words alone. */
export function drawChance(...words: unknown[]): number {
  return Number.parseInt(computeDigest(words).slice(0, 8), 16) / 0xffffffff;
}

/**
 * Guesses an answer in the form that the prompt asks for: one of the listed choices, a sentence from
 * `FATAL: S1` to `FATAL: S8`, or a number from 0 to 4. The same request always gets the same guess.
 */
export function guessAnswer(request: RecordedRequest): string {
  const prompt = promptOf(request);
  const draw = drawChance(toCallKey(request));
  const choices = /^The possible answers: (.+)$/m.exec(prompt)?.[1]?.split(', ');
  if (choices !== undefined) return choices[Math.floor(draw * choices.length)] ?? '';
  if (prompt.includes('ANSWER: FATAL')) return `FATAL: S${1 + Math.floor(draw * 8)}`;
  return String(Math.floor(draw * 5));
}

/**
 * Returns a function that answers requests with some words and the two lines that an evaluation asks for at
 * the end: a confidence of 70 and the answer. In about `unreadable` of 100 answers these lines are missing,
 * until the model is asked to repair its answer.
 *
 * @param say Returns the value that is given as the answer to a request.
 */
export function makeAnswerer(
  unreadable = 10,
  say: (request: RecordedRequest) => string = guessAnswer,
) {
  return (request: RecordedRequest): string => {
    const value = say(request);
    const isRepair = promptOf(request).includes('a text of yours');
    if (!isRepair && drawChance('forget', toCallKey(request)) * 100 < unreadable)
      return `Having thought about it for ${drawChance(toCallKey(request))} hours, I would say ${value}.`;
    return `Somebody might say ANSWER: 99, but no.\n\nCONFIDENCE: 70\nANSWER: ${value}`;
  };
}
