/**
 * Finds keys that a JSON object has twice. For such an object, `JSON.parse` silently keeps the last
 * value and other parsers keep the first, so that two programs would read different records. The
 * search takes one pass and uses no recursion.
 */

/**
 * Returns the first key that occurs twice in an object of the JSON text, or undefined if there is
 * none. The text must be valid JSON.
 */
export function findDuplicateKey(json: string): string | undefined {
  /**
   * The objects and lists that are open at `at`, the innermost last. For an object: its keys so far; for a list:
   * undefined.
   */
  const open: (Set<string> | undefined)[] = [];
  let at = 0;
  while (at < json.length) {
    const char = json.charCodeAt(at);
    if (char === OPENS_OBJECT) open.push(new Set());
    else if (char === OPENS_LIST) open.push(undefined);
    else if (char === CLOSES_OBJECT || char === CLOSES_LIST) open.pop();
    if (char !== QUOTE) {
      at += 1;
      continue;
    }
    const end = endOfString(json, at);
    const keys = open.at(-1);
    if (keys !== undefined && isKey(json, end)) {
      const key = nameOf(json.slice(at, end));
      if (keys.has(key)) return key;
      keys.add(key);
    }
    at = end;
  }
  return undefined;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPENS_OBJECT = 0x7b;
const CLOSES_OBJECT = 0x7d;
const OPENS_LIST = 0x5b;
const CLOSES_LIST = 0x5d;

/** Returns the index after the quotation mark that closes the string which begins at `from`. */
function endOfString(json: string, from: number): number {
  let at = json.indexOf('"', from + 1);
  while (at >= 0 && isEscaped(json, at)) at = json.indexOf('"', at + 1);
  return at < 0 ? json.length : at + 1;
}

/** Returns whether an odd number of backslashes precedes the position. */
function isEscaped(json: string, at: number): boolean {
  let before = at;
  while (json.charCodeAt(before - 1) === BACKSLASH) before -= 1;
  return (at - before) % 2 === 1;
}

/** Returns whether the string is a key, which is the case if a colon follows. */
function isKey(json: string, end: number): boolean {
  let at = end;
  while (json.charCodeAt(at) <= 0x20) at += 1;
  return json.charCodeAt(at) === COLON;
}

/** Returns the decoded key, because `"id"` equals `"\u0069d"`. */
function nameOf(quoted: string): string {
  return quoted.includes('\\') ? JSON.parse(quoted) : quoted.slice(1, -1);
}
