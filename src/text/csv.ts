/** Writes comma-separated values in the format of RFC 4180, safe to open in a spreadsheet. */

/** Matches texts that a spreadsheet may treat as a formula, also after spaces and in full-width forms. */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

/**
 * Formats rows as CSV below a header of all their keys, in the order of first appearance. A text
 * that a spreadsheet would treat as a formula gets an apostrophe before it. Lists and objects
 * become JSON, missing and null values empty cells.
 */
export function toCsv(rows: readonly Readonly<Record<string, unknown>>[]): string {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [
    keys,
    ...rows.map((row) => keys.map((key) => (Object.hasOwn(row, key) ? row[key] : ''))),
  ];
  return lines.map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('');
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
