/**
 * Looks up records by names that come from models, files and imported runs. Such a name can be
 * `constructor`, `toString` or `__proto__`, for which plain indexing would return a property that every
 * object inherits.
 */

/**
 * Returns the value that the record has under the name, or undefined if it has none. Inherited
 * names such as `constructor` are never found.
 */
export function entryOf<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
