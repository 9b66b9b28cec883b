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
  return json;
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
