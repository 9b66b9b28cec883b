/**
 * The door: everything the console is told passes here once and is clean behind it. Model text, model
 * names, questions, providers' errors and file names are other people's words, and a terminal obeys
 * what it is sent. Whole texts are cleaned here, running ones by the `Sanitiser` of their `CallStream`.
 *
 * Ids (seats, steps, attempts) are slugs of ours and come out as they went in.
 */
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { sanitise, sanitiseAll } from '../../text/sanitise.ts';

/** The same fact with every string in it clean, whatever the fact's type. */
export function cleanFact<F extends AnyFact>(fact: F): F {
  return sanitiseAll(fact) as F;
}

/** What an error says, in one line. */
export function messageOf(error: unknown): string {
  return cleanLine(error instanceof Error ? error.message : String(error));
}

/** Other people's words for a place that has one line. */
export function cleanLine(text: string): string {
  return sanitise(text).replace(/\s+/g, ' ').trim();
}
