/** A model behind a test server that answers items, the same request always alike, and ends as it is asked to. */
import { computeDigest } from '../../src/kernel/digest.ts';
import { promptOf } from '../e2e/deliberators.ts';
import type { Recorded } from '../servers/http.ts';

/** A request as a value, its seed and effort included: two of them are the same call. */
export function toCallKey({ body }: Recorded): string {
  const { seed } = (body?.options ?? {}) as { seed?: number };
  return JSON.stringify([body?.model, body?.messages, body?.format, body?.think, seed]);
}

/** Between 0 and 1, the same for the same words. */
export function drawChance(...words: unknown[]): number {
  return Number.parseInt(computeDigest(words).slice(0, 8), 16) / 0xffffffff;
}

/** A guess in the form that is asked for, drawn from what the prompt offers. */
export function guessAnswer(request: Recorded): string {
  const prompt = promptOf(request);
  const draw = drawChance(toCallKey(request));
  const choices = /^The possible answers: (.+)$/m.exec(prompt)?.[1]?.split(', ');
  if (choices !== undefined) return choices[Math.floor(draw * choices.length)] ?? '';
  if (prompt.includes('ANSWER: FATAL')) return `FATAL: S${1 + Math.floor(draw * 8)}`;
  return String(Math.floor(draw * 5));
}

/** Some words, and the two lines at the end; `unreadable` of 100 forget these, until they are asked for them. */
export function makeAnswerer(unreadable = 10, say: (request: Recorded) => string = guessAnswer) {
  return (request: Recorded): string => {
    const value = say(request);
    const isRepair = promptOf(request).includes('a text of yours');
    if (!isRepair && drawChance('forget', toCallKey(request)) * 100 < unreadable)
      return `Having thought about it for ${drawChance(toCallKey(request))} hours, I would say ${value}.`;
    return `Somebody might say ANSWER: 99, but no.\n\nCONFIDENCE: 70\nANSWER: ${value}`;
  };
}
