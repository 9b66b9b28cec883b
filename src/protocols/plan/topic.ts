/** What a topic is called, and what its files are. */
import { cutText } from '../../text/cut.ts';
import { slugOf } from '../../text/slug.ts';

/** Longer titles are no titles. */
const LONGEST = 120;

/** The first line with words, without marks of Markdown. */
export function titleOf(topic: string): string {
  const first = topic.split('\n').find((line) => /\p{L}/u.test(line)) ?? topic;
  return cutText(first.replace(/^[#>\s*-]+/u, '').trim(), LONGEST);
}

/** The most characters in the name of a plan's files. */
const LONGEST_SLUG = 40;

/** Returns a name for files that ends with a whole word; of one endless word as much as there is room for. */
export function shortSlug(title: string): string {
  const words = slugOf(title).split('-');
  const kept: string[] = [];
  for (const word of words) {
    if ([...kept, word].join('-').length > LONGEST_SLUG) break;
    kept.push(word);
  }
  return kept.length > 0 ? kept.join('-') : (words[0] ?? '').slice(0, LONGEST_SLUG);
}

/** Words of a name that the chair proposes. */
const MOST_WORDS = 6;

/** Returns the chair's name for the files, or undefined where it is none: too long, or not of words alone. */
export function proposedSlug(name: string): string | undefined {
  const slug = slugOf(name.trim());
  const isName = /^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*$/u.test(slug) && /\p{L}/u.test(slug);
  const isShort = slug.length <= LONGEST_SLUG && slug.split('-').length <= MOST_WORDS;
  return isName && isShort ? slug : undefined;
}
