/** The values that are defined; every property is optional and none is undefined. */
type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/**
 * Returns a copy without the properties whose value is undefined, in the same order: for optional
 * properties of a literal, `{ id, ...withoutUndefined({ note, title }) }`.
 */
export function withoutUndefined<T extends object>(values: T): Defined<T> {
  const kept: Defined<T> = {};
  for (const key of Object.keys(values) as (keyof T)[]) {
    const value = values[key];
    if (value !== undefined) kept[key] = value as Exclude<T[keyof T], undefined>;
  }
  return kept;
}

/**
 * Returns a copy without the items that are false, in the same order: for optional items of a
 * literal, `withoutFalse([title, note !== undefined && note])`.
 */
export function withoutFalse<T>(items: readonly (T | false)[]): T[] {
  return items.filter((item): item is T => item !== false);
}
