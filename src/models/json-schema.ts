/** Converts Zod schemas to the JSON Schema that providers accept, each with its own limits. */
import * as z from 'zod';
import { isRecord } from '../text/json.ts';
import type { JsonSchema } from './provider.ts';

/**
 * Converts a Zod schema to the JSON Schema that is sent to a model. If the Zod schema transforms
 * values, the JSON Schema describes the values before the transformation. A part that JSON Schema
 * cannot express becomes `{}`, which allows any value, and a `pattern` that some servers cannot read is
 * dropped; Zod checks these parts of the answer later.
 */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  });
  return withPortablePatterns(json) as JsonSchema;
}

/** Character classes in a form that every server supports, to be put between brackets. */
const CLASSES: ReadonlyMap<string, string> = new Map([
  ['d', '0-9'],
  ['w', 'A-Za-z0-9_'],
  ['s', ' \\t\\n\\r'],
]);
/**
 * Matches patterns with constructs that some servers do not support: lookarounds, named groups, back
 * references, word boundaries, negated classes and Unicode properties.
 */
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
      // Below a key such as `properties`, a key named `pattern` is a property and not the keyword of JSON
      // Schema, so it is left as it is.
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

/** The widest range of a number that is listed, and the listed values per unit. */
const LISTED = { range: 1, perUnit: 100 };

/**
 * Returns the schema with every number whose bounds are at most 1 apart, such as a confidence from 0
 * to 1, replaced by a list of the allowed hundredths. The servers of llama.cpp and Ollama enforce such
 * a list, but they ignore the bounds of a number that is no integer.
 */
export function withListedNumbers(schema: JsonSchema): JsonSchema {
  const listNumbers = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(listNumbers);
    if (!isRecord(part)) return part;
    const { type, minimum, maximum, ...rest } = part;
    if (type === 'number' && typeof minimum === 'number' && typeof maximum === 'number') {
      const steps = Math.round((maximum - minimum) * LISTED.perUnit);
      if (steps > 0 && steps <= LISTED.range * LISTED.perUnit) {
        const values = Array.from({ length: steps + 1 }, (_, step) =>
          Number((minimum + step / LISTED.perUnit).toFixed(2)),
        );
        return { ...rest, enum: values };
      }
    }
    return Object.fromEntries(
      Object.entries(part).map(([key, value]) => [key, listNumbers(value)]),
    );
  };
  return listNumbers(schema) as JsonSchema;
}

/**
 * Returns whether OpenAI's strict mode accepts the schema: all objects are closed and not empty, all
 * properties are required, and no keyword such as `oneOf` occurs.
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
    // The keys of `properties` and `$defs` are names, not keywords of JSON Schema: check only their values.
    key === 'properties' || key === '$defs'
      ? !isRecord(value) || Object.values(value).every(fitsStrictMode)
      : !['oneOf', 'allOf', 'patternProperties', 'propertyNames'].includes(key) &&
        fitsStrictMode(value),
  );
}

/**
 * Returns the instruction that describes a schema in a prompt, for example for servers that do not
 * accept schemas.
 */
export function schemaInWords(schema: JsonSchema): string {
  return `Answer with one JSON object that fits this JSON Schema, and with nothing else:\n${JSON.stringify(schema)}`;
}
