/** Answers of test servers that fit a schema, for models that keep to schemas always or in some cases. */

/** When a model keeps to the schema of a request. */
export type SchemaManner =
  | 'obeys'
  /** Only if the request switches thinking off. */
  | 'obeys-unthinking'
  /** Only if the request does not switch thinking off. */
  | 'obeys-thinking'
  /** Only if the schema stands in the prompt; a schema in a field is ignored. */
  | 'obeys-words';

type Json = Readonly<Record<string, unknown>>;

/**
 * Returns an answer that keeps to the request's schema; undefined if the request has none or the model
 * ignores it.
 */
export function makeSchemaAnswer(
  body: Json | undefined,
  manner: SchemaManner | undefined,
): string | undefined {
  if (body === undefined || manner === undefined) return undefined;
  const unthinking = body.think === false;
  if (manner === 'obeys-unthinking' && !unthinking) return undefined;
  if (manner === 'obeys-thinking' && unthinking) return undefined;
  const schema = manner === 'obeys-words' ? inWords(body) : findSchema(body);
  return schema === undefined ? undefined : JSON.stringify(sampleOf(schema));
}

/** Returns the schema from the field in which one of the four protocols has it. */
function findSchema({ format, output_config, response_format, text }: Json): Json | undefined {
  const responses = (text as { format?: { schema?: Json } } | undefined)?.format?.schema;
  const anthropic = (output_config as { format?: { schema?: Json } } | undefined)?.format?.schema;
  const openai = (response_format as { json_schema?: { schema?: Json } } | undefined)?.json_schema;
  return (format as Json | undefined) ?? anthropic ?? openai?.schema ?? responses;
}

function inWords({ messages, input }: Json): Json | undefined {
  const last = ((messages ?? input) as { content: unknown }[] | undefined)?.at(-1)?.content;
  const words = typeof last === 'string' ? last : '';
  const named = words.indexOf('JSON Schema');
  return named < 0 ? undefined : (JSON.parse(words.slice(words.indexOf('{', named))) as Json);
}

function sampleOf(schema: Json): unknown {
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries((schema.properties ?? {}) as Record<string, Json>).map(([key, value]) => [
          key,
          sampleOf(value),
        ]),
      );
    case 'array':
      return [];
    case 'integer':
      return 12;
    case 'number':
      return 0.5;
    case 'boolean':
      return true;
    default:
      return 'spring';
  }
}
