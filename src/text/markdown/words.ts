/** Escapes untrusted text for Markdown, so that it is shown literally. */
import { line } from '../line.ts';
import { sanitise } from '../sanitise.ts';

/** Characters with a meaning inside a line; an underscore within a word has none. */
const INLINE =
  /[\\`*[\]<|]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|~(?=~)|(?<=~)~|&(?=#?[a-zA-Z0-9]+;)/gu;
/**
 * Characters that make a heading, a quotation, a list, a rule or an underline at the beginning of a line.
 */
const OPENING = /^(?:#(?=#{0,5}(?:\s|$))|>|[-+](?=\s|$|[-\s]*$)|=(?==*$)|:(?=-+:?$))/;
/** The number of a list's item. */
const NUMBER = /^(\d{1,9})(?=[.)](?:\s|$))/;
/**
 * Returns a text as one line of Markdown that is shown literally. All untrusted text enters Markdown by
 * this function, by `letters` or as a block of code.
 */
export function words(text: string): string {
  return line(text).replace(INLINE, '\\$&').replace(OPENING, '\\$&').replace(NUMBER, '$1\\');
}

/** Escapes a text of several lines, each of which stays a line. */
export function letters(text: string): string {
  return sanitise(text).split('\n').map(words).join('\n').trim();
}
