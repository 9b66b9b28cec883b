/** Makes names for files and links. */

/**
 * Returns a name in lower case with hyphens: `match-balance-timing` for `Match Balance & Timing`. A
 * name without letters and digits stays unchanged.
 */
export function slugOf(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  return slug === '' ? name : slug;
}
