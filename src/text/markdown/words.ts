/** Escapes untrusted text for Markdown, so that it is shown literally. */
import { toLine } from '../line.ts';
import { sanitiseText } from '../sanitise.ts';

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
 * Escapes a text as one line of Markdown that is shown literally.
 */
export function escapeLine(text: string): string {
  return toLine(text).replace(INLINE, '\\$&').replace(OPENING, '\\$&').replace(NUMBER, '$1\\');
}

/** Escapes a text of several lines as Markdown that is shown literally. Line ends are kept. */
export function escapeText(text: string): string {
  return sanitiseText(text).split('\n').map(escapeLine).join('\n').trim();
}
