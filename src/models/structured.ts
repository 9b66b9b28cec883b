/**
 * Turns a model's text into a checked value. Providers promise a shape and do not always keep to it, so
 * every answer is tried in the same order: as it is, without a code fence, the object inside the prose, and
 * a repair; Zod checks each result. Pure and total: no input makes it throw, and its time is linear in the
 * length of the text (the repair is quadratic at worst, hence its limit).
 */
import { jsonrepair } from 'jsonrepair';
import type * as z from 'zod';
import { isRecord } from '../text/json.ts';

/** The result of parsing a structured answer. */
export type Structured =
  | { readonly ok: true; readonly value: unknown; readonly notes: readonly string[] }
  /** The problems, as sentences with which the model is asked to correct the answer. */
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * The most characters to repair. For its worst input jsonrepair takes 0.3 s for 64,000 characters and 16 s
 * for 300,000.
 */
const MAX_REPAIR = 64_000;
/** The most objects in the prose that are tried; examples may precede the answer. */
const MAX_OBJECTS = 16;
/** How often the search begins again behind a brace that never closes, which would hide later objects. */
const MAX_RESTARTS = 8;
const MAX_PROBLEMS = 8;

/**
 * Parses a structured answer and checks it by the schema. If `ended` is false, the answer was cut: a
 * complete JSON object in it still counts, but nothing is repaired.
 */
export function readStructured(text: string, schema: z.ZodType, ended = true): Structured {
  const bare = withoutFence(withoutThinking(text)).trim();
  const whole = parseJson(bare);
  const first = whole && checkValue(whole.value, schema);
  if (first?.ok) return first;

  let best = first;
  const objects = balancedObjects(bare);
  for (const object of objects) {
    const parsed = parseJson(object);
    const checked =
      parsed && checkValue(parsed.value, schema, 'took the JSON out of the surrounding text');
    if (checked?.ok) return checked;
    best ??= checked;
  }
  // Do not repair a text that is valid JSON of the wrong form: the model is asked again instead.
  if (best) return best;
  if (!ended) return { ok: false, problems: ['the answer was cut'] };

  for (const candidate of [objects[0], bare.slice(Math.max(0, bare.indexOf('{')))]) {
    const repaired = candidate?.startsWith('{') ? repairJson(candidate) : undefined;
    const checked = repaired && checkValue(repaired.value, schema, 'repaired JSON');
    if (checked?.ok) return checked;
    best ??= checked;
  }
  return best ?? { ok: false, problems: ['there is no JSON object in the answer'] };
}

/**
 * Returns the structured answer of a model from its thinking, if there is no text. Servers that
 * separate thinking from text, such as vLLM, sometimes take an answer for thinking. Returns undefined
 * unless the thinking is exactly one JSON object, since a draft within the thinking is no answer.
 */
export function answerInThoughts(text: string, thinking: string): string | undefined {
  if (text.trim() !== '') return undefined;
  const bare = withoutFence(thinking.replace('</think>', '')).trim();
  return bare.startsWith('{') && isRecord(parseJson(bare)?.value) ? bare : undefined;
}

function checkValue(value: unknown, schema: z.ZodType, note?: string): Structured {
  try {
    const result = schema.safeParse(value);
    if (result.success) return { ok: true, value: result.data, notes: note ? [note] : [] };
    const problems = result.error.issues.slice(0, MAX_PROBLEMS).map(({ path, message }) => {
      const where = path.map(String).join('.');
      return where ? `${where}: ${message}` : message;
    });
    const more = result.error.issues.length - problems.length;
    return { ok: false, problems: more > 0 ? [...problems, `and ${more} more`] : problems };
  } catch (error) {
    // Report an exception as a problem of the answer: a check of the schema threw, or the value is nested
    // so deeply that the stack overflowed.
    return { ok: false, problems: [error instanceof Error ? error.message : String(error)] };
  }
}

/**
 * Removes a thinking block at the start, also one without its opening tag, which some templates add
 * themselves. Later mentions of the tag stay.
 */
function withoutThinking(text: string): string {
  const close = '</think>';
  const opened = text.trimStart().startsWith('<think>');
  const brace = text.indexOf('{');
  const end = opened
    ? text.indexOf(close)
    : text.lastIndexOf(close, brace < 0 ? text.length : brace);
  return end < 0 ? text : text.slice(end + close.length);
}

function withoutFence(text: string): string {
  const open = /^\s*```[a-z0-9]*[^\S\n]*\n/i.exec(text);
  if (!open) return text;
  const body = text.slice(open[0].length);
  const close = body.lastIndexOf('```');
  return close < 0 ? body : body.slice(0, close);
}

function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function repairJson(text: string): { value: unknown } | undefined {
  if (text.length > MAX_REPAIR) return undefined;
  try {
    const value: unknown = JSON.parse(jsonrepair(text));
    return isRecord(value) ? { value } : undefined;
  } catch (error) {
    // jsonrepair throws an error of its own, or overflows the stack if the text is nested deeply.
    if (error instanceof Error) return undefined;
    throw error;
  }
}

/** Returns the outermost complete `{…}` in the text, in order. */
function balancedObjects(text: string): string[] {
  const found: string[] = [];
  let from = text.indexOf('{');
  for (let restarts = 0; from >= 0 && found.length < MAX_OBJECTS && restarts <= MAX_RESTARTS; ) {
    const end = closingBrace(text, from);
    if (end < 0) restarts += 1;
    else found.push(text.slice(from, end + 1));
    from = text.indexOf('{', (end < 0 ? from : end) + 1);
  }
  return found;
}

/** Returns the end of the object that begins at `from`, or -1. Braces inside strings do not count. */
function closingBrace(text: string, from: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = from; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (quoted) {
      if (char === BACKSLASH) at += 1;
      else if (char === QUOTE) quoted = false;
    } else if (char === QUOTE) quoted = true;
    else if (char === OPEN) depth += 1;
    else if (char === CLOSE) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
