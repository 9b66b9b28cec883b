/** Derives names from topics: the title, and the name of the files. */

import { slugOf } from '../../text/slug.ts';
import { cutText } from '../../text/words/cut.ts';

/** The most characters of a title. */
const LONGEST = 120;

/**
 * Returns the title of a topic: its first line with letters, or all of it if it has no letters, without the Markdown
 * marks at its beginning, cut to 120 characters.
 */
export function titleOf(topic: string): string {
  const first = topic.split('\n').find((line) => /\p{L}/u.test(line)) ?? topic;
  return cutText(first.replace(/^[#>\s*-]+/u, '').trim(), LONGEST);
}

/** The most characters in the name of a plan's files. */
const LONGEST_SLUG = 40;

/**
 * Converts a title to a short name for files, cut at the end of a word. A single long word is cut
 * at the limit.
 */
export function shortSlug(title: string): string {
  const words = slugOf(title).split('-');
  const kept: string[] = [];
  for (const word of words) {
    if ([...kept, word].join('-').length > LONGEST_SLUG) break;
    kept.push(word);
  }
  return kept.length > 0 ? kept.join('-') : (words[0] ?? '').slice(0, LONGEST_SLUG);
}

/** The most words in a name that the chair proposes. */
const MOST_WORDS = 6;

/**
 * Converts the name that the chair proposed for a plan's files to a slug. Undefined if the name contains no letter,
 * or if the slug is longer than 40 characters or six words, or has other characters than letters, digits and hyphens.
 */
export function proposedSlug(name: string): string | undefined {
  const slug = slugOf(name.trim());
  const isName = /^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*$/u.test(slug) && /\p{L}/u.test(slug);
  const isShort = slug.length <= LONGEST_SLUG && slug.split('-').length <= MOST_WORDS;
  return isName && isShort ? slug : undefined;
}
