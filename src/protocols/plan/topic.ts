/** What a topic is called. */

/** Longer titles are no titles. */
const LONGEST = 120;

/** The first line with words, without marks of Markdown. */
export function titleOf(topic: string): string {
  const first = topic.split('\n').find((line) => /\p{L}/u.test(line)) ?? topic;
  const plain = first.replace(/^[#>\s*-]+/u, '').trim();
  return plain.length <= LONGEST ? plain : `${plain.slice(0, LONGEST - 1).trimEnd()}…`;
}
