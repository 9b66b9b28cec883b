/** Other people's words where Markdown is written: shown letter for letter, whatever they would mean there. */
import { line } from '../line.ts';
import { sanitise } from '../sanitise.ts';

/** Marks that mean something inside a line; an underscore within a word means nothing. */
const INLINE =
  /[\\`*[\]<|]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|~(?=~)|(?<=~)~|&(?=#?[a-zA-Z0-9]+;)/gu;
/** What makes a heading, a quotation, a list, a rule or an underline of a line that begins with it. */
const OPENING = /^(?:#(?=#{0,5}(?:\s|$))|>|[-+](?=\s|$|[-\s]*$)|=(?==*$)|:(?=-+:?$))/;
/** The number of a list's item. */
const NUMBER = /^(\d{1,9})(?=[.)](?:\s|$))/;
/**
 * One line for a heading or a sentence, shown letter for letter: what would be mark-up in it is escaped.
 * Everything that others wrote enters Markdown by this function, by `letters` or as a block of code.
 */
export function words(text: string): string {
  return line(text).replace(INLINE, '\\$&').replace(OPENING, '\\$&').replace(NUMBER, '$1\\');
}

/** The same of a text of several lines, each of which stays a line. */
export function letters(text: string): string {
  return sanitise(text).split('\n').map(words).join('\n').trim();
}
