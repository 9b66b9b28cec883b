/** From zod to the JSON Schema that providers take, each with its own limits. */
import * as z from 'zod';
import { isRecord } from '../text/is-record.ts';
import type { JsonSchema } from './provider.ts';

/**
 * The shape the model has to write, hence `input`: what zod turns it into afterwards is our affair.
 * What JSON Schema cannot say becomes `{}`; zod checks it when the answer is there.
 */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  });
  return withPortablePatterns(json) as JsonSchema;
}

/** What a class of characters is in a pattern that every server reads, between brackets. */
const CLASSES: ReadonlyMap<string, string> = new Map([
  ['d', '0-9'],
  ['w', 'A-Za-z0-9_'],
  ['s', ' \\t\\n\\r'],
]);
/** Lookarounds, named groups, back references, word boundaries, negated classes and Unicode properties. */
const NOT_PORTABLE = /\(\?[^:]|\\[1-9bBDWSpPkux]/;

/**
 * Rewrites `\d`, `\w` and `\s` in every `pattern`, and drops patterns that some servers cannot read: llama.cpp
 * ignores `\d` in its grammars, and Ollama's model runner crashes on it. zod checks the answer all the same.
 */
function withPortablePatterns(schema: unknown, isNames = false): unknown {
  if (Array.isArray(schema)) return schema.map((part) => withPortablePatterns(part));
  if (!isRecord(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
      // Under these keys are names that people chose, not keywords.
      if (isNames || typeof value !== 'string' || key !== 'pattern')
        return [[key, withPortablePatterns(value, !isNames && NAME_KEYS.has(key))]];
      const pattern = portablePattern(value);
      return pattern === undefined ? [] : [[key, pattern]];
    }),
  );
}

const NAME_KEYS: ReadonlySet<string> = new Set(['properties', '$defs']);

/** Returns undefined for a pattern that cannot be written in the common form. */
function portablePattern(pattern: string): string | undefined {
  if (NOT_PORTABLE.test(pattern)) return undefined;
  let isInBrackets = false;
  return pattern.replace(/\\(.)|[[\]]/gs, (found, escaped: string | undefined) => {
    if (found === '[') isInBrackets = true;
    if (found === ']') isInBrackets = false;
    const characters = escaped === undefined ? undefined : CLASSES.get(escaped);
    if (characters === undefined) return found;
    return isInBrackets ? characters : `[${characters}]`;
  });
}

/**
 * Whether OpenAI's strict mode takes the schema: every object closed, with every property required.
 * https://platform.openai.com/docs/guides/structured-outputs (supported schemas)
 */
export function fitsStrictMode(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(fitsStrictMode);
  if (!isRecord(schema)) return true;
  const { properties } = schema;
  if (schema.type === 'object') {
    const required = Array.isArray(schema.required) ? schema.required : [];
    const names = isRecord(properties) ? Object.keys(properties) : [];
    if (schema.additionalProperties !== false || names.length === 0) return false;
    if (!names.every((name) => required.includes(name))) return false;
  }
  return Object.entries(schema).every(([key, value]) =>
    // Under these keys are names that people chose, not keywords.
    key === 'properties' || key === '$defs'
      ? !isRecord(value) || Object.values(value).every(fitsStrictMode)
      : !['oneOf', 'allOf', 'patternProperties', 'propertyNames'].includes(key) &&
        fitsStrictMode(value),
  );
}

/** The schema put into words, for servers that cannot be given one. */
export function schemaInWords(schema: JsonSchema): string {
  return `Answer with one JSON object that fits this JSON Schema, and with nothing else:\n${JSON.stringify(schema)}`;
}
