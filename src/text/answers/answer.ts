/**
 * A structured answer as people read it: whole, or as far as it has come. Whoever knows what was asked
 * for has words of its own for it; any other record is laid out by its names. Model text is anything:
 * what is not of the expected kind is passed over or shown as it is, and nothing here throws.
 */

import { capitalize } from '../capitalize.ts';
import { isRecord } from '../is-record.ts';
import { joinLines } from '../line.ts';
import { sanitise, sanitiseAll } from '../sanitise.ts';
import { beginsJson, PartialJson } from './partial-json.ts';

/** Markdown of the answer to a task; undefined: nobody has words of their own for it. */
export type AnswerWords = (task: string | undefined, value: unknown) => string | undefined;

/** What a call said, and what for. */
interface Said {
  readonly task?: string | undefined;
  readonly text: string;
  /** The object that was asked for; absent where text was, and where the call did not get that far. */
  readonly value?: unknown;
}

/** What a call said, as Markdown for people; clean where it was read out of JSON. */
export function answerText({ task, text, value }: Said, words: AnswerWords): string {
  if (value !== undefined && value !== null) return readAs(task, value, words);
  if (!isRecordText(task, text, words)) return text;
  const partial = new PartialJson();
  partial.push(text);
  const said = readAs(task, partial.value ?? {}, words);
  // Prose where a record was asked for is all there is to read.
  return said !== '' || beginsJson(text) === true ? said : sanitise(text);
}

/** The same of a value. */
export function readAs(task: string | undefined, value: unknown, words: AnswerWords): string {
  const clean = sanitiseAll(value);
  return words(task, clean) ?? recordText(clean);
}

function isRecordText(task: string | undefined, text: string, words: AnswerWords): boolean {
  return beginsJson(text) === true || (words(task, {}) !== undefined && text.includes('{'));
}

/** Below this nothing has a heading of its own. */
const DEEPEST_HEADING = 4;
const DEEP = 32;

/** Headings for names, paragraphs for texts, bullets for lists. */
export function recordText(value: unknown): string {
  return parts(value, 2).filter(Boolean).join('\n\n');
}

/** All that a record says, in one line, without its names. */
export function recordLine(value: unknown): string {
  return leaves(value, 0).map(joinLines).filter(Boolean).join(' · ');
}

function leaves(value: unknown, depth: number): string[] {
  if (typeof value !== 'object' || value === null) return [show(value)];
  return depth > DEEP ? [] : Object.values(value).flatMap((one) => leaves(one, depth + 1));
}

function parts(value: unknown, level: number): string[] {
  if (!isRecord(value)) return [Array.isArray(value) ? bullets(value) : show(value)];
  return Object.entries(value).flatMap(([key, one]) => {
    const name = nameKey(key);
    if (typeof one === 'string') return [heading(level, name), one.trim()];
    if (Array.isArray(one)) return [heading(level, name), bullets(one)];
    if (isRecord(one) && level < DEEPEST_HEADING)
      return [heading(level, name), ...parts(one, level + 1)];
    return [`**${name}:** ${inline(one, level)}`];
  });
}

function bullets(items: readonly unknown[]): string {
  return items.map((item) => `- ${inline(item, 0)}`).join('\n');
}

/** On one line, so that it stays in its list. */
function inline(value: unknown, depth: number): string {
  if (depth > DEEP) return '…';
  if (Array.isArray(value)) return value.map((one) => inline(one, depth + 1)).join(', ');
  if (!isRecord(value)) return joinLines(show(value));
  return Object.entries(value)
    .map(([key, one]) => `**${nameKey(key)}:** ${inline(one, depth + 1)}`)
    .join(' · ');
}

function show(value: unknown): string {
  if (value === undefined || value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value);
}

function heading(level: number, name: string): string {
  return `${'#'.repeat(level)} ${name}`;
}

/** `self_score` and `selfScore` → `Self score` */
function nameKey(key: string): string {
  const spaced = joinLines(key.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' '));
  const lower = spaced === spaced.toUpperCase() ? spaced : spaced.toLowerCase();
  return capitalize(lower);
}
