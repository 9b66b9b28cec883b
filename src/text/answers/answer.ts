/**
 * Formats a structured answer for people, complete or as far as it has arrived. A protocol formats the
 * answers to its own tasks; any other record is laid out by its field names. Model text is untrusted:
 * values of an unexpected kind are skipped or shown as they are, and nothing here throws.
 */

import { capitalize } from '../capitalize.ts';
import { isRecord } from '../json.ts';
import { joinLines } from '../line.ts';
import { sanitiseAll, sanitiseText } from '../sanitise.ts';
import { beginsJson, PartialJson } from './partial-json.ts';

/**
 * A function that formats the structured answer to a task as Markdown. Returns undefined for a task
 * that it does not know.
 */
export type AnswerWords = (task: string | undefined, value: unknown) => string | undefined;

/** The answer of a call, and its task. */
interface CallAnswer {
  readonly task?: string | undefined;
  readonly text: string;
  /** The structured answer; absent if text was requested, or the call did not get that far. */
  readonly value?: unknown;
}

/**
 * Formats a call's answer as Markdown. A structured answer is sanitised, also one that has arrived
 * only in part as JSON in `text`. Any other text is returned unchanged, or sanitised if it
 * contains a `{`.
 * @param words formats the structured answers to a protocol's own tasks; if it returns undefined,
 * `formatRecord` formats the answer
 */
export function formatAnswer({ task, text, value }: CallAnswer, words: AnswerWords): string {
  if (value !== undefined && value !== null) return formatValue(task, value, words);
  if (!isRecordText(task, text, words)) return text;
  const partial = new PartialJson();
  partial.push(text);
  const said = formatValue(task, partial.value ?? {}, words);
  // If no field of JSON can be shown and the answer does not begin like JSON, the model has probably written
  // prose. Show the prose then.
  return said !== '' || beginsJson(text) === true ? said : sanitiseText(text);
}

/**
 * Formats a structured value as sanitised Markdown.
 * @param words formats the values of a protocol's own tasks; if it returns undefined,
 * `formatRecord` formats the value
 */
export function formatValue(task: string | undefined, value: unknown, words: AnswerWords): string {
  const clean = sanitiseAll(value);
  return words(task, clean) ?? formatRecord(clean);
}

function isRecordText(task: string | undefined, text: string, words: AnswerWords): boolean {
  return beginsJson(text) === true || (words(task, {}) !== undefined && text.includes('{'));
}

/** The deepest heading level; deeper values have no headings. */
const DEEPEST_HEADING = 4;
const DEEP = 32;

/**
 * Formats any value as Markdown: names of fields become headings, texts become paragraphs, and
 * lists become bullets. A field with a number, a boolean or a deeply nested object becomes one line.
 */
export function formatRecord(value: unknown): string {
  return formatParts(value, 2).filter(Boolean).join('\n\n');
}

/** Formats all values of a record in one line, without field names. */
export function formatRecordLine(value: unknown): string {
  return listLeaves(value, 0).map(joinLines).filter(Boolean).join(' · ');
}

function listLeaves(value: unknown, depth: number): string[] {
  if (typeof value !== 'object' || value === null) return [formatScalar(value)];
  return depth > DEEP ? [] : Object.values(value).flatMap((child) => listLeaves(child, depth + 1));
}

function formatParts(value: unknown, level: number): string[] {
  if (!isRecord(value)) return [Array.isArray(value) ? formatBullets(value) : formatScalar(value)];
  return Object.entries(value).flatMap(([key, field]) => {
    const name = nameKey(key);
    if (typeof field === 'string') return [formatHeading(level, name), field.trim()];
    if (Array.isArray(field)) return [formatHeading(level, name), formatBullets(field)];
    if (isRecord(field) && level < DEEPEST_HEADING)
      return [formatHeading(level, name), ...formatParts(field, level + 1)];
    return [`**${name}:** ${formatInline(field, level)}`];
  });
}

function formatBullets(items: readonly unknown[]): string {
  if (items.length === 0) return 'none';
  return items.map((item) => `- ${formatInline(item, 0)}`).join('\n');
}

/** Formats a value on one line, for an item of a list. */
function formatInline(value: unknown, depth: number): string {
  if (depth > DEEP) return '…';
  if (Array.isArray(value)) return value.map((item) => formatInline(item, depth + 1)).join(', ');
  if (!isRecord(value)) return joinLines(formatScalar(value));
  return Object.entries(value)
    .map(([key, field]) => `**${nameKey(key)}:** ${formatInline(field, depth + 1)}`)
    .join(' · ');
}

function formatScalar(value: unknown): string {
  if (value === undefined || value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value);
}

function formatHeading(level: number, name: string): string {
  return `${'#'.repeat(level)} ${name}`;
}

/** `self_score` and `selfScore` → `Self score` */
function nameKey(key: string): string {
  const spaced = joinLines(key.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' '));
  const lower = spaced === spaced.toUpperCase() ? spaced : spaced.toLowerCase();
  return capitalize(lower);
}
