/** Makes names for files and links. */

/** Returns the slug of a name: `Match Balance & Timing` and `match-balance-timing` have the same slug. */
export function slugOf(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  return slug === '' ? name : slug;
}
