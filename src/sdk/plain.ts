/** Converts values to what JSON can record, so that the returned value equals the recorded one. */

/**
 * Returns a value in the form in which it will be read back from the log; null for undefined. `key` names the
 * step in the error.
 * @throws TypeError if `JSON.stringify` cannot convert the value, such as a function or a circular object
 */
export function toPlainValue<T>(value: T, key: string): T {
  const text = JSON.stringify(value ?? null);
  if (text === undefined) throw new TypeError(`what ${key} returns cannot be recorded as JSON`);
  return JSON.parse(text) as T;
}
