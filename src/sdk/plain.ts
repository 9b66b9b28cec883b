/** Converts values to what JSON can record, so that the returned value equals the recorded one. */

/** Returns a value as it will be read from the record. @throws TypeError if JSON cannot represent it */
export function toPlainValue<T>(value: T, key: string): T {
  const text = JSON.stringify(value ?? null);
  if (text === undefined) throw new TypeError(`what ${key} returns cannot be recorded as JSON`);
  return JSON.parse(text) as T;
}
