/** Makes schemas for ids. */
import * as z from 'zod';

/**
 * Returns a schema that accepts the ids of the items and the other given words:
 * `oneOf(poll.options)`, `oneOf(points.entries, 'nothing')`. For an empty list without other words,
 * the only value is `none`.
 * @throws TypeError if an item has no id
 */
export function oneOf(
  items: readonly { readonly id: string }[],
  ...others: readonly string[]
): z.ZodEnum<Record<string, string>> {
  if (!items.every((item) => typeof item === 'object' && typeof item.id === 'string'))
    throw new TypeError('oneOf: the list has something without an id; write { id, text }');
  const [first = 'none', ...more] = [...others, ...items.map(({ id }) => id)];
  return z.enum([first, ...more]) as unknown as z.ZodEnum<Record<string, string>>;
}
