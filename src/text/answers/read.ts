/**
 * Reads fields of an answer that a model may have written in any form. A missing field, or one of the wrong
 * type, reads as empty.
 */
import { isRecord } from '../json.ts';
import { joinLines } from '../line.ts';

/**
 * Returns the value's own field of this name; undefined if the value is no object or lacks the
 * field.
 */
export function readEntry(value: unknown, name: string): unknown {
  return isRecord(value) ? Object.entries(value).find(([own]) => own === name)?.[1] : undefined;
}

/** Returns whether the value has a field of this name that is a list. The list may be empty. */
export function isListField(value: unknown, name: string): boolean {
  return Array.isArray(readEntry(value, name));
}

/**
 * Returns the field of this name as trimmed text if it is a text or a number; otherwise an empty
 * text.
 */
export function readText(value: unknown, name: string): string {
  const said = readEntry(value, name);
  return typeof said === 'string' || typeof said === 'number' ? String(said).trim() : '';
}

/** Returns the field of this name as one line of text; empty if it is neither text nor number. */
export function lineOf(value: unknown, name: string): string {
  return joinLines(readText(value, name));
}

/** Returns the field of this name if it is a boolean; otherwise undefined. */
export function readFlag(value: unknown, name: string): boolean | undefined {
  const said = readEntry(value, name);
  return typeof said === 'boolean' ? said : undefined;
}

/** Returns the field of this name if it is a list; otherwise an empty list. */
export function readItems(value: unknown, name: string): readonly unknown[] {
  const found = readEntry(value, name);
  return Array.isArray(found) ? found : [];
}

/**
 * Returns the texts in the list field of this name, each as one line. Other items are left out;
 * without such a list, the result is empty.
 */
export function linesOf(value: unknown, name: string): string[] {
  return readItems(value, name).flatMap((item) =>
    typeof item === 'string' ? [joinLines(item)] : [],
  );
}

/** Returns `said` between `before` and `after`, or an empty text if `said` is empty. */
export function wrapUnlessEmpty(before: string, said: string, after = ''): string {
  return said === '' ? '' : `${before}${said}${after}`;
}
