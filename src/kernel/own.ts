/** Looking up names that come from outside: from files, models, imported logs and command lines. */

/**
 * The entry of that name, where the record itself has one. Every object also answers to `constructor`,
 * `toString` and `__proto__`, which are names of nobody here.
 */
export function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
