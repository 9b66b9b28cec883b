/** Puts what depends on each other in order, and finds circles. */

/**
 * Sorts ids so that each comes after those that it depends on, and otherwise by id. Unknown ids in
 * `depends_on` are ignored. `circle` lists the ids that cannot be sorted, because they are in a circle of
 * dependencies or depend on one.
 */
export function orderById(
  items: readonly { readonly id: string; readonly depends_on: readonly string[] }[],
): { readonly order: readonly string[]; readonly circle: readonly string[] } {
  return orderBy(
    [...items].sort((left, right) => (left.id < right.id ? -1 : left.id > right.id ? 1 : 0)),
  );
}

/**
 * Sorts ids so that each comes after those that it depends on, and otherwise as given. Unknown ids in
 * `depends_on` are ignored. `circle` lists the ids that cannot be sorted, because they are in a circle of
 * dependencies or depend on one.
 */
export function orderBy(
  items: readonly { readonly id: string; readonly depends_on: readonly string[] }[],
): { readonly order: readonly string[]; readonly circle: readonly string[] } {
  const left = new Map<string, Set<string>>();
  for (const { id, depends_on } of items)
    left.set(id, new Set([...(left.get(id) ?? []), ...depends_on]));
  for (const needs of left.values()) for (const id of needs) if (!left.has(id)) needs.delete(id);
  const order: string[] = [];
  for (;;) {
    const next = [...left].find(([, needs]) => needs.size === 0)?.[0];
    if (next === undefined) return { order, circle: [...left.keys()] };
    order.push(next);
    left.delete(next);
    for (const needs of left.values()) needs.delete(next);
  }
}

/**
 * Returns, out of the ids that could not be sorted (`circle`), those in a circle of dependencies and those between
 * two such circles. Ids that only depend on a circle are left out.
 */
export function findCircle(
  items: readonly { readonly id: string; readonly depends_on: readonly string[] }[],
  circle: readonly string[],
): readonly string[] {
  let left = circle;
  for (;;) {
    const named = new Set(
      items.flatMap(({ id, depends_on }) => (left.includes(id) ? depends_on : [])),
    );
    const kept = left.filter((id) => named.has(id));
    if (kept.length === left.length) return left;
    left = kept;
  }
}

/**
 * Formats the sentence that says which items wait for one another.
 * @param what the kind of the items, such as `Tasks`
 */
export function waitingSentence(what: string, ids: readonly string[]): string {
  return ids.length === 1
    ? `${what}: ${ids[0]} waits for itself.`
    : `${what} ${ids.slice(0, -1).join(', ')} and ${ids.at(-1)} wait for one another.`;
}
