/**
 * From a model's words to a checked value. Providers promise the shape and do not always keep it,
 * so every answer climbs the same ladder: as it is, without a code fence, the object inside the
 * prose, a repair, and at the end always zod. Pure and total: no input makes it throw, and none
 * takes more than time linear in its length (the repair is quadratic at worst, hence its limit).
 */
import { jsonrepair } from 'jsonrepair';
import type * as z from 'zod';
import { isRecord } from '../text/is-record.ts';

export type Structured =
  | { readonly ok: true; readonly value: unknown; readonly notes: readonly string[] }
  /** What is wrong with it, in words that the model can be asked to mend it with. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** jsonrepair needs 0.3 s for 64,000 characters of its worst input, and 16 s for 300,000. */
const MAX_REPAIR = 64_000;
/** Objects in the prose that are looked at: examples before the answer, seldom more. */
const MAX_OBJECTS = 16;
/** A brace that never closes hides the objects after it, so the search begins again behind it. */
const MAX_RESTARTS = 8;
const MAX_PROBLEMS = 8;

/** `ended`: the answer came to its end. One that was cut is read as far as it is sound, and never repaired. */
export function readStructured(text: string, schema: z.ZodType, ended = true): Structured {
  const bare = withoutFence(withoutThinking(text)).trim();
  const whole = parse(bare);
  const first = whole && check(whole.value, schema);
  if (first?.ok) return first;

  let best = first;
  const objects = balancedObjects(bare);
  for (const object of objects) {
    const parsed = parse(object);
    const checked =
      parsed && check(parsed.value, schema, 'took the JSON out of the surrounding text');
    if (checked?.ok) return checked;
    best ??= checked;
  }
  // A well-formed answer of the wrong shape is not to be repaired but asked for again.
  if (best) return best;
  if (!ended) return { ok: false, problems: ['the answer was cut'] };

  for (const candidate of [objects[0], bare.slice(Math.max(0, bare.indexOf('{')))]) {
    const repaired = candidate?.startsWith('{') ? repair(candidate) : undefined;
    const checked = repaired && check(repaired.value, schema, 'repaired JSON');
    if (checked?.ok) return checked;
    best ??= checked;
  }
  return best ?? { ok: false, problems: ['there is no JSON object in the answer'] };
}

/**
 * The answer of a model that said nothing and only thought: servers that part the two by a parser of their
 * own (vLLM) may put an answer by a schema with the thoughts. It is one only where the thoughts are nothing
 * else than one object: what is drafted in the middle of thoughts is no answer.
 */
export function answerInThoughts(text: string, thinking: string): string | undefined {
  if (text.trim() !== '') return undefined;
  const bare = withoutFence(thinking.replace('</think>', '')).trim();
  return bare.startsWith('{') && isRecord(parse(bare)?.value) ? bare : undefined;
}

function check(value: unknown, schema: z.ZodType, note?: string): Structured {
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
    // A refinement that throws, or a value nested deeper than the stack.
    return { ok: false, problems: [error instanceof Error ? error.message : String(error)] };
  }
}

/**
 * A thinking block at the start, or one that its model did not open: some templates write the
 * opening tag themselves. What an answer says about the tag later on stays.
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

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function repair(text: string): { value: unknown } | undefined {
  if (text.length > MAX_REPAIR) return undefined;
  try {
    const value: unknown = JSON.parse(jsonrepair(text));
    return isRecord(value) ? { value } : undefined;
  } catch (error) {
    // jsonrepair gives up with an error of its own class, or runs out of stack on deep nesting.
    if (error instanceof Error) return undefined;
    throw error;
  }
}

/** The `{…}` in `text` that are closed, outermost ones, in order. */
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

/** Where the object that begins at `from` ends, or -1. Braces inside strings do not count. */
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
