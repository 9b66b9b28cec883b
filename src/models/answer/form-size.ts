/** Computes how many tokens the longest answer has that fits a JSON Schema. */
import { isRecord } from '../../text/json.ts';
import type { JsonSchema } from '../provider.ts';

/** Tokens of the largest number that is written out, and of marks and white space around a value. */
const [NUMBER, AROUND] = [24, 4];
/** Tokens beside the form itself: models that no server holds to the form think aloud before it. */
const BESIDE = 1_000;
/** Characters of names and words per token, few so that white space between them has room. */
const PER_TOKEN = 2;
/** The deepest nesting that is added up. */
const DEEP = 32;

/**
 * Returns the most tokens that an answer needs to fill a schema, or infinity if a text, a list or a part of the
 * schema has no bound. A free text counts a token for each of its characters, as for Chinese.
 */
export function largestFormTokens(schema: JsonSchema): number {
  return Math.ceil(BESIDE + sizeOf(schema, 0));
}

function sizeOf(schema: unknown, depth: number): number {
  if (!isRecord(schema) || depth > DEEP) return Number.POSITIVE_INFINITY;
  const within = (part: unknown): number => sizeOf(part, depth + 1);
  const most = (parts: readonly unknown[]): number => Math.max(...parts.map(within));
  if ('const' in schema) return sizeOfValue(schema.const);
  if (Array.isArray(schema.enum)) return Math.max(...schema.enum.map(sizeOfValue));
  for (const choice of [schema.anyOf, schema.oneOf]) if (Array.isArray(choice)) return most(choice);
  switch (schema.type) {
    case 'boolean':
    case 'null':
      return AROUND;
    case 'integer':
    case 'number':
      return NUMBER;
    case 'string':
      return AROUND + bound(schema.maxLength);
    case 'array':
      return AROUND + bound(schema.maxItems) * (AROUND + within(schema.items));
    case 'object': {
      if (!isRecord(schema.properties) || isRecord(schema.additionalProperties))
        return Number.POSITIVE_INFINITY;
      const fields = Object.entries(schema.properties);
      return fields.reduce(
        (sum, [name, part]) => sum + AROUND + sizeOfValue(name) + within(part),
        AROUND,
      );
    }
    default:
      return Number.POSITIVE_INFINITY;
  }
}

function sizeOfValue(value: unknown): number {
  return AROUND + JSON.stringify(value ?? null).length / PER_TOKEN;
}

function bound(value: unknown): number {
  return typeof value === 'number' ? Math.max(1, value) : Number.POSITIVE_INFINITY;
}
