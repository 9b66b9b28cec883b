/** Names as they stand in files and links. */

/** `Match Balance & Timing` and `match-balance-timing` are one name. */
export function slugOf(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  return slug === '' ? name : slug;
}
