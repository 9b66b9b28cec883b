/** What is recorded is what is given back: nothing that JSON has no word for. */

/** As it will be read from the record. @throws TypeError where JSON cannot say it. */
export function plain<T>(value: T, key: string): T {
  const text = JSON.stringify(value ?? null);
  if (text === undefined) throw new TypeError(`what ${key} returns cannot be recorded as JSON`);
  return JSON.parse(text) as T;
}
