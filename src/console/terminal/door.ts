/**
 * The boundary behind which the console's texts are clean. Model text, model names, questions, providers'
 * errors and file names come from others, and a terminal executes control sequences in what it is sent.
 * Every fact of a run passes `cleanFact` before anything is folded from it (`console/model/live-run.ts`);
 * streaming text passes its call's `Sanitiser`, and reasons to wait pass `toLine`
 * (`console/model/call-stream.ts`). So everything a run model holds is clean, and so is what a protocol's view
 * derives from it: for a place with a single line it is joined (`joinLines`) and need not be cleaned again.
 * Functions that a view shares with plain text clean all the same. Three things must be cleaned where they are
 * drawn:
 * - the texts of attachments, which the model holds unchanged because citations count their lines
 * (`console/ui/citing.ts`);
 * - what is parsed from JSON, which may contain escaped characters (`formatValue` in `text/answers/answer.ts`);
 * - texts that were cut, which may end in an incomplete character sequence: titles, first sentences, remarks.
 * Texts that belong to no run do not pass this boundary and are cleaned where they are put into a row, usually
 * by `toLine`: presets, settings, file names, providers' model lists, recorded runs, news of an evaluation.
 * `listOf` cleans labels and notes of lists; titles of dialogs and messages are cleaned when they are drawn,
 * errors by `messageOf`. Reports are clean when they are made. What a person types or pastes is cleaned on
 * arrival (`console/terminal/keys.ts`, `console/ui/text-input.ts`).
 * Ids (seats, steps, attempts) are slugs made by the program and stay unchanged.
 */
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { toLine } from '../../text/line.ts';
import { sanitiseAll } from '../../text/sanitise.ts';

/** Returns a copy of a fact without control characters in its texts. */
export function cleanFact<F extends AnyFact>(fact: F): F {
  return sanitiseAll(fact) as F;
}

/** Formats an error as one line without control characters. */
export function messageOf(error: unknown): string {
  return toLine(error instanceof Error ? error.message : String(error));
}
