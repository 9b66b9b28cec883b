/**
 * Names of claims, steps, seats and agents come from models, files and other people's exports, and
 * `constructor`, `toString` or `__proto__` are names like any other. A record indexed with one would
 * answer with what every object inherits.
 */

/** What the record itself holds under the name; undefined where it holds nothing. */
export function entryOf<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
