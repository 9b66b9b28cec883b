/**
 * Limits the length of answers: the limit that a provider is given, the limit at which an answer is cut,
 * and notes on answers that are longer or shorter than requested. Schemas cannot do this alone, since some
 * have texts without a bound, and a model can write into one string without end.
 */
import { entryOf } from '../../kernel/entry.ts';
import type { Limits, ModelRequest, NumberRange } from '../../kernel/model.ts';
import { isRecord } from '../../text/json.ts';
import type { Failure } from '../failure.ts';
import type { JsonSchema, ProviderRequest } from '../provider.ts';

/** The most tokens of a structured answer without a limit of its own: four times the longest report. */
const MOST_OF_FORM = 16_000;
/** The most tokens of prose without a limit of its own, about 24,000 words. Some servers never stop. */
const MOST_OF_PROSE = 32_000;
/**
 * Tokens that are added to a provider's limit for thinking, whose length is unknown: OpenAI advises to
 * reserve 25,000 tokens. The answer itself is cut here, where thinking and answer are told apart.
 */
const THINKING_ROOM = 24_000;
/**
 * The highest bound that is added to a schema: llama.cpp, Ollama and LM Studio refuse a schema with as many
 * repetitions (`MAX_REPETITION_THRESHOLD`).
 */
const MOST_REPETITIONS = 2_000;
/** The deepest nesting that is checked. */
const DEEP = 64;
const MOST_NAMED = 4;
/** Tokens of the largest number that is written out, and of marks and white space around a value. */
const [NUMBER, AROUND] = [24, 4];
/** Tokens beside the form itself: models that no server holds to the form think aloud before it. */
const BESIDE = 1_000;
/** Characters of names and words per token, few so that white space between them has room. */
const CHARACTERS_PER_TOKEN = 2;

/**
 * Returns the most estimated tokens that an answer may have, without thinking; a longer answer is cut.
 *
 * @param schema the schema of a structured answer, which also limits its length; undefined for prose
 */
export function mostTokens(
  { limits, maxTokens = 0 }: Pick<ModelRequest, 'limits' | 'maxTokens'>,
  schema: JsonSchema | undefined,
): number {
  // The gateway cuts an answer by its own estimate. The estimate may be too high, so let it reach twice `maxTokens`.
  const most =
    limits?.tokens ?? Math.max(schema === undefined ? MOST_OF_PROSE : MOST_OF_FORM, 2 * maxTokens);
  return schema === undefined ? most : Math.min(most, largestFormTokens(schema));
}

/**
 * Returns the token limit to send with a request: `maxTokens`, or else `answerTokens` with room for thinking
 * unless thinking is off, since providers count thinking too. Undefined: none is sent, and the provider uses
 * its own limit.
 */
export function tokensToAsk({
  maxTokens,
  answerTokens,
  think,
}: Pick<ProviderRequest, 'maxTokens' | 'answerTokens' | 'think'>): number | undefined {
  if (maxTokens !== undefined || answerTokens === undefined) return maxTokens;
  return answerTokens + (think === false ? 0 : THINKING_ROOM);
}

/**
 * Returns the schema with a maximal length for every free text and every list that has none, as far as
 * `limits` has one below `MOST_REPETITIONS` for texts and for lists.
 */
export function addLimits(schema: JsonSchema, limits: Limits | undefined): JsonSchema {
  const { text = MOST_REPETITIONS, items = MOST_REPETITIONS } = limits ?? {};
  const addBounds = (part: unknown, names = false): unknown => {
    if (Array.isArray(part)) return part.map((each) => addBounds(each));
    if (!isRecord(part)) return part;
    const entries = Object.entries(part).map(([key, value]): [string, unknown] =>
      // Leave the values of keys such as `enum` (`VALUES`) unchanged: they are no schemas. Below keys such as
      // `properties` (`NAMES`), every key is a name and every value a schema.
      !names && VALUES.has(key) ? [key, value] : [key, addBounds(value, !names && NAMES.has(key))],
    );
    const more: [string, unknown][] = names
      ? []
      : part.type === 'string' && text < MOST_REPETITIONS && isUnbounded(part)
        ? [['maxLength', text]]
        : part.type === 'array' && items < MOST_REPETITIONS && !('maxItems' in part)
          ? [['maxItems', Math.max(items, Number(part.minItems ?? 0))]]
          : [];
    return Object.fromEntries([...entries, ...more]);
  };
  return addBounds(schema) as JsonSchema;
}

const NAMES: ReadonlySet<string> = new Set(['properties', '$defs']);
const VALUES: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples', 'required']);

function isUnbounded(schema: JsonSchema): boolean {
  return !['maxLength', 'enum', 'const', 'pattern', 'format'].some((key) => key in schema);
}

/**
 * Returns sentences for the model about texts and lists that are too long. A text of exactly the
 * maximal length was cut by the server, often within a word, and counts as too long.
 */
export function lengthProblems(value: unknown, limits: Limits | undefined): string[] {
  const { text, items } = limits ?? {};
  const found: string[] = [];
  walkValue(value, (part, path) => {
    if (typeof part === 'string' && text !== undefined && part.length >= text)
      found.push(`${path}: longer than ${text.toLocaleString('en-US')} characters`);
    if (Array.isArray(part) && items !== undefined && part.length > items)
      found.push(`${path}: more than ${items} entries`);
  });
  return found.length > MOST_NAMED
    ? [...found.slice(0, MOST_NAMED), `and ${found.length - MOST_NAMED} more`]
    : found;
}

/** Returns notes on a usable answer that has more or fewer words or entries than requested. */
export function lengthNotes(value: unknown, limits: Limits | undefined): string[] {
  const { words, counts = {} } = limits ?? {};
  let said = 0;
  const notes: string[] = [];
  walkValue(value, (part, path, name) => {
    if (typeof part === 'string') said += part.split(/\s+/).filter(Boolean).length;
    const asked = Array.isArray(part) ? entryOf(counts, name) : undefined;
    if (Array.isArray(part) && asked !== undefined && !isWithin(part.length, asked))
      notes.push(`${path}: ${part.length} where ${formatAmount(asked)} were asked for`);
  });
  if (words !== undefined && !isWithin(said, words))
    notes.unshift(`${said} words where ${formatAmount(words)} were asked for`);
  return notes.length > MOST_NAMED
    ? [...notes.slice(0, MOST_NAMED), `and ${notes.length - MOST_NAMED} more of that kind`]
    : notes;
}

function isWithin(count: number, { least, most }: NumberRange): boolean {
  return count >= least && count <= most;
}

function formatAmount({ least, most }: NumberRange): string {
  return least <= 0 ? `at most ${most}` : least === most ? String(most) : `${least} to ${most}`;
}

function walkValue(
  value: unknown,
  visit: (value: unknown, path: string, name: string) => void,
  path = '',
  name = '',
  depth = 0,
): void {
  if (depth > DEEP) return;
  visit(value, path || 'answer', name);
  const joinPath = (key: string): string => (path === '' ? key : `${path}.${key}`);
  if (Array.isArray(value))
    value.forEach((entry, index) => {
      walkValue(entry, visit, joinPath(String(index)), '', depth + 1);
    });
  else if (isRecord(value))
    for (const [key, field] of Object.entries(value))
      walkValue(field, visit, joinPath(key), key, depth + 1);
}

/**
 * Returns the failure for an answer that was cut at its token limit. The failure is not retried,
 * since a retry would end the same way.
 */
export function overLimitFailure(provider: string, tokens: number): Failure {
  const most = tokens.toLocaleString('en-US');
  return {
    code: 'truncated',
    message: `${provider}: the answer did not finish and was cut after about ${most} tokens`,
    next: 'Ask it again, or give this seat another model',
    retry: false,
  };
}

/**
 * Returns the most tokens that an answer needs to fill a schema, or infinity if a text, a list or a part of the
 * schema has no bound. A free text counts a token for each of its characters, as for Chinese.
 */
function largestFormTokens(schema: JsonSchema): number {
  return Math.ceil(BESIDE + sizeOf(schema, 0));
}

function sizeOf(schema: unknown, depth: number): number {
  if (!isRecord(schema) || depth > DEEP) return Number.POSITIVE_INFINITY;
  const measurePart = (part: unknown): number => sizeOf(part, depth + 1);
  const measureLargest = (parts: readonly unknown[]): number => Math.max(...parts.map(measurePart));
  if ('const' in schema) return sizeOfValue(schema.const);
  if (Array.isArray(schema.enum)) return Math.max(...schema.enum.map(sizeOfValue));
  for (const choice of [schema.anyOf, schema.oneOf])
    if (Array.isArray(choice)) return measureLargest(choice);
  switch (schema.type) {
    case 'boolean':
    case 'null':
      return AROUND;
    case 'integer':
    case 'number':
      return NUMBER;
    case 'string':
      return AROUND + boundOf(schema.maxLength);
    case 'array':
      return AROUND + boundOf(schema.maxItems) * (AROUND + measurePart(schema.items));
    case 'object': {
      if (!isRecord(schema.properties) || isRecord(schema.additionalProperties))
        return Number.POSITIVE_INFINITY;
      const fields = Object.entries(schema.properties);
      return fields.reduce(
        (sum, [name, part]) => sum + AROUND + sizeOfValue(name) + measurePart(part),
        AROUND,
      );
    }
    default:
      return Number.POSITIVE_INFINITY;
  }
}

function sizeOfValue(value: unknown): number {
  return AROUND + JSON.stringify(value ?? null).length / CHARACTERS_PER_TOKEN;
}

function boundOf(value: unknown): number {
  return typeof value === 'number' ? Math.max(1, value) : Number.POSITIVE_INFINITY;
}
