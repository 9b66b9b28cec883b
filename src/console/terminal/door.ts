/**
 * The door of the console: what is behind it of a run is clean. Model text, model names, questions,
 * providers' errors and file names are other people's words, and a terminal obeys what it is sent.
 *
 * Every fact of a run passes `cleanFact` before anything is folded of it (`console/model/live-run.ts`);
 * words that stream pass the `Sanitiser` of their call, and reasons to wait pass `line`
 * (`console/model/call-stream.ts`). So whatever a run model holds is clean, and what a protocol's view makes
 * of it too: for a place that has one line it is joined (`joinLines`), and need not be made safe again. Words
 * that a view shares with plain text are, for the sake of that, and three things have to be:
 * - the texts of attachments, which the model holds as they came, because their lines are counted
 *   (`console/ui/citing.ts`);
 * - what is read out of JSON, in which escapes may be spelled (`formatValue` in `text/answers/answer.ts`);
 * - what was cut, which may end in a joiner that joins nothing: titles, leading sentences, remarks.
 *
 * What is no run's has no door, and is cleaned where it is put into a row, by `line` as a rule: presets,
 * settings, file names, models that providers list, recorded runs, the news of an evaluation. Labels and
 * notes of lists are cleaned by `listOf`, titles of dialogs and notices where they are drawn, errors by
 * `messageOf`. Reports come clean from whoever writes them. What a person types or pastes is cleaned as it
 * comes (`console/terminal/keys.ts`, `console/ui/text-input.ts`).
 *
 * Ids (seats, steps, attempts) are slugs of ours and come out as they went in.
 */
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { line } from '../../text/line.ts';
import { sanitiseAll } from '../../text/sanitise.ts';

/** The same fact with every string in it clean, whatever the fact's type. */
export function cleanFact<F extends AnyFact>(fact: F): F {
  return sanitiseAll(fact) as F;
}

/** What an error says, in one line. */
export function messageOf(error: unknown): string {
  return line(error instanceof Error ? error.message : String(error));
}
