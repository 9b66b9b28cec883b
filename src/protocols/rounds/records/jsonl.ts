/**
 * Reads JSONL files, which people may have edited or a crash may have damaged. Each line is parsed
 * by itself, so that an invalid line affects no other.
 */

import type * as z from 'zod';
import { parseRecord } from '../../../text/json.ts';
import { splitLines } from '../../../text/lines.ts';
import { findDuplicateKey } from './double-keys.ts';
import { type ErrorRule, type Problem, shortenText } from './problem.ts';

/** A parsed line of a JSONL file, with its number from 1. */
export interface Line<T> {
  readonly value: T;
  /** Counted from 1. */
  readonly line: number;
}

/**
 * Parses the lines of a JSONL file. A line that does not fit the schema is left out and reported as
 * a problem. A line with a duplicate key is kept and reported.
 */
export function readLines<T>(
  file: string,
  text: string,
  schema: z.ZodType<T>,
): { lines: Line<T>[]; problems: Problem<ErrorRule>[] } {
  const lines: Line<T>[] = [];
  const problems: Problem<ErrorRule>[] = [];
  for (const [index, raw] of splitLines(text.replace(/^\uFEFF/, '')).entries()) {
    if (raw.trim() === '') continue;
    const line = index + 1;
    const object = parseObject(raw);
    if (object === undefined) {
      const message = `not a JSON object: ${shortenText(raw.trim())}`;
      problems.push({ file, line, id: '', rule: 'malformed-line', message });
      continue;
    }
    const parsed = schema.safeParse(object);
    const id = getRecordId(object);
    if (!parsed.success) {
      problems.push({ file, line, id, ...getFirstProblem(parsed.error, object) });
      continue;
    }
    lines.push({ value: parsed.data, line });
    const key = findDuplicateKey(raw);
    if (key !== undefined) problems.push({ file, line, id, ...describeDuplicateKey(key) });
  }
  return { lines, problems };
}

/** Describes the problem of a duplicate key. */
export function describeDuplicateKey(key: string): Pick<Problem<ErrorRule>, 'rule' | 'message'> {
  return {
    rule: 'duplicate-key',
    message: `it has the key ${shortenText(JSON.stringify(key))} twice`,
  };
}

/**
 * Parses a line as a JSON object. Returns undefined if the line is anything else. A line that does
 * not begin with a brace is not even parsed, because raising an error for each such line would take
 * too long.
 */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  return text.trimStart().startsWith('{') ? parseRecord(text) : undefined;
}

/** Returns the first problem of a line that does not fit the schema. */
function getFirstProblem(
  error: z.ZodError,
  object: unknown,
): Pick<Problem<ErrorRule>, 'rule' | 'message'> {
  const issue = error.issues[0];
  const where = issue?.path.map(String).join('.') ?? '';
  const given = findValueAt(object, issue?.path ?? []);
  if (issue === undefined || given === undefined)
    return { rule: 'malformed-line', message: `${where} is missing` };
  const said = `${where} is ${typeof given === 'object' ? kindOf(given) : shortenText(JSON.stringify(given))}`;
  if (issue.code === 'invalid_value')
    return {
      rule: 'unknown-value',
      message: `${said}, not one of ${issue.values.map(String).join(', ')}`,
    };
  return { rule: 'malformed-line', message: `${said}: ${issue.message}` };
}

/**
 * Names the kind of a value without formatting it, because foreign objects may be nested too deeply
 * for JSON.stringify.
 */
function kindOf(value: object | null): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : 'an object';
}

function findValueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let here = value;
  for (const key of path) {
    if (typeof here !== 'object' || here === null) return undefined;
    here = (here as Record<PropertyKey, unknown>)[key];
  }
  return here;
}

/** Returns the id of a record, or an empty text if it has none. */
export function getRecordId(object: Readonly<Record<string, unknown>> | undefined): string {
  return typeof object?.id === 'string' ? object.id : '';
}
