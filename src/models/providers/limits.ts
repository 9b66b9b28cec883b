/**
 * Limits the length of answers: which limit a provider is given, when an answer is cut, and which notes an
 * answer gets that is longer or shorter than its task wants. Code has to do this since no schema bounds every
 * text in a form, and a model can write into one string without end.
 */
import { entryOf } from '../../kernel/entry.ts';
import type { Amount, Limits, ModelRequest } from '../../kernel/model.ts';
import { isRecord } from '../../text/is-record.ts';
import type { Failure } from '../failure.ts';
import type { JsonSchema, ProviderRequest } from '../provider.ts';

/** The most tokens of a form whose task sets no limit: four times the longest report that anybody reads. */
const MOST_OF_FORM = 16_000;
/** The most tokens of prose whose task sets no limit: about 24,000 words. Some servers never stop. */
const MOST_OF_PROSE = 32_000;
/**
 * Providers count what a model thinks into their limit, and we do not know how long it thinks: OpenAI
 * tells to keep 25,000 tokens for it. What comes after is cut here, where the two are told apart.
 */
const THINKING_ROOM = 24_000;
/**
 * llama.cpp, and with it Ollama and LM Studio, refuses a schema with as many repetitions
 * (`MAX_REPETITION_THRESHOLD`): of those no text or list is told.
 */
const MOST_REPETITIONS = 2_000;
/** Values nested deeper are not looked at: zod has seen the shape. */
const DEEP = 64;
const MOST_NAMED = 4;

/** Returns how many tokens an answer may have without thinking, by our estimate, before it is cut. */
export function mostTokens(
  { limits, maxTokens = 0 }: Pick<ModelRequest, 'limits' | 'maxTokens'>,
  isForm: boolean,
): number {
  // What somebody has allowed its provider counts better than we do.
  return limits?.tokens ?? Math.max(isForm ? MOST_OF_FORM : MOST_OF_PROSE, 2 * maxTokens);
}

/** What a provider is told, whose limit counts thinking too; undefined: its own limit. */
export function tokensToAsk({
  maxTokens,
  answerTokens,
  think,
}: Pick<ProviderRequest, 'maxTokens' | 'answerTokens' | 'think'>): number | undefined {
  if (maxTokens !== undefined || answerTokens === undefined) return maxTokens;
  return answerTokens + (think === false ? 0 : THINKING_ROOM);
}

/** The schema with a bound on every text and list in it that has none of its own. */
export function addLimits(schema: JsonSchema, limits: Limits | undefined): JsonSchema {
  const { text = MOST_REPETITIONS, items = MOST_REPETITIONS } = limits ?? {};
  const bound = (one: unknown, names = false): unknown => {
    if (Array.isArray(one)) return one.map((each) => bound(each));
    if (!isRecord(one)) return one;
    const entries = Object.entries(one).map(([key, value]): [string, unknown] =>
      // Under these keys are names that people chose, not keywords; under those no schemas.
      VALUES.has(key) ? [key, value] : [key, bound(value, !names && NAMES.has(key))],
    );
    const more: [string, unknown][] = names
      ? []
      : one.type === 'string' && text < MOST_REPETITIONS && isFree(one)
        ? [['maxLength', text]]
        : one.type === 'array' && items < MOST_REPETITIONS && !('maxItems' in one)
          ? [['maxItems', Math.max(items, Number(one.minItems ?? 0))]]
          : [];
    return Object.fromEntries([...entries, ...more]);
  };
  return bound(schema) as JsonSchema;
}

const NAMES: ReadonlySet<string> = new Set(['properties', '$defs']);
const VALUES: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples', 'required']);

function isFree(schema: JsonSchema): boolean {
  return !['maxLength', 'enum', 'const', 'pattern', 'format'].some((key) => key in schema);
}

/**
 * What is too long, in words that the model can be asked to mend it with. A text that fills its limit
 * was cut by it: whoever enforces a schema ends it there, in the middle of a word.
 */
export function beyond(value: unknown, limits: Limits | undefined): string[] {
  const { text, items } = limits ?? {};
  const found: string[] = [];
  walk(value, (one, path) => {
    if (typeof one === 'string' && text !== undefined && one.length >= text)
      found.push(`${path}: longer than ${text.toLocaleString('en-US')} characters`);
    if (Array.isArray(one) && items !== undefined && one.length > items)
      found.push(`${path}: more than ${items} entries`);
  });
  return found.length > MOST_NAMED
    ? [...found.slice(0, MOST_NAMED), `and ${found.length - MOST_NAMED} more`]
    : found;
}

/** Where the answer is not as long as the task asks for, though it can be used. */
export function unlike(value: unknown, limits: Limits | undefined): string[] {
  const { words, counts = {} } = limits ?? {};
  let said = 0;
  const notes: string[] = [];
  walk(value, (one, path, name) => {
    if (typeof one === 'string') said += one.split(/\s+/).filter(Boolean).length;
    const asked = Array.isArray(one) ? entryOf(counts, name) : undefined;
    if (Array.isArray(one) && asked !== undefined && !isWithin(one.length, asked))
      notes.push(`${path}: ${one.length} where ${amount(asked)} were asked for`);
  });
  if (words !== undefined && !isWithin(said, words))
    notes.unshift(`${said} words where ${amount(words)} were asked for`);
  return notes.length > MOST_NAMED
    ? [...notes.slice(0, MOST_NAMED), `and ${notes.length - MOST_NAMED} more of that kind`]
    : notes;
}

function isWithin(count: number, { least, most }: Amount): boolean {
  return count >= least && count <= most;
}

function amount({ least, most }: Amount): string {
  return least <= 0 ? `at most ${most}` : least === most ? String(most) : `${least} to ${most}`;
}

function walk(
  value: unknown,
  visit: (value: unknown, path: string, name: string) => void,
  path = '',
  name = '',
  depth = 0,
): void {
  if (depth > DEEP) return;
  visit(value, path || 'answer', name);
  const below = (key: string): string => (path === '' ? key : `${path}.${key}`);
  if (Array.isArray(value))
    value.forEach((one, index) => {
      walk(one, visit, below(String(index)), '', depth + 1);
    });
  else if (isRecord(value))
    for (const [key, one] of Object.entries(value)) walk(one, visit, below(key), key, depth + 1);
}

/** It would go on in the same way if it was asked again. */
export function overLimit(provider: string, tokens: number): Failure {
  const most = tokens.toLocaleString('en-US');
  return {
    code: 'truncated',
    message: `${provider}: the answer did not finish and was cut after about ${most} tokens`,
    next: 'Ask it again, or give this seat another model',
    retry: false,
  };
}
