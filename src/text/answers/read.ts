/**
 * Reading an answer that a model may have written in any way: what is missing, or is of another kind than
 * was asked for, is empty.
 */
import { isRecord } from '../is-record.ts';
import { joinLines } from '../line.ts';

/** Only an answer's own names count. */
export function entry(value: unknown, name: string): unknown {
  return isRecord(value) ? Object.entries(value).find(([own]) => own === name)?.[1] : undefined;
}

/** Whether there is a list of that name, be it empty. */
export function has(value: unknown, name: string): boolean {
  return Array.isArray(entry(value, name));
}

/** Empty where there is nothing of that name that can be shown. */
export function text(value: unknown, name: string): string {
  const said = entry(value, name);
  return typeof said === 'string' || typeof said === 'number' ? String(said).trim() : '';
}

/** On one line, so that it stays in its sentence or list. */
export function lineOf(value: unknown, name: string): string {
  return joinLines(text(value, name));
}

/** Undefined until it is written. */
export function flag(value: unknown, name: string): boolean | undefined {
  const said = entry(value, name);
  return typeof said === 'boolean' ? said : undefined;
}

export function items(value: unknown, name: string): readonly unknown[] {
  const found = entry(value, name);
  return Array.isArray(found) ? found : [];
}

export function linesOf(value: unknown, name: string): string[] {
  return items(value, name).flatMap((one) => (typeof one === 'string' ? [joinLines(one)] : []));
}

/** Nothing where nothing stands between the two. */
export function wrap(before: string, said: string, after = ''): string {
  return said === '' ? '' : `${before}${said}${after}`;
}
