/** Makes the turns that ask a model to correct an answer of the wrong form. */
import type { Message } from '../../kernel/model.ts';
import { schemaInWords } from '../json-schema.ts';
import type { JsonSchema } from '../provider.ts';
import { answerRoom } from '../window.ts';

/** The most characters of the bad answer that are sent back if the model's window is unknown. */
const MAX_QUOTED = 20_000;
/** The shortest quotation of a bad answer that is worth sending back, in characters. */
const MIN_QUOTED = 400;
/** A low estimate of the characters per token in text that models write. */
const PER_TOKEN = 3;

/**
 * Returns the message that tells the model what is wrong with its structured answer, and describes
 * the required form.
 * @param schema the required form; if undefined, the message does not describe it, for lack of room in the
 * context window
 */
export function problemTurn(problems: readonly string[], schema: JsonSchema | undefined): Message {
  const listed = problems.map((problem) => `- ${problem}`).join('\n');
  const words = [
    `Your answer does not have the right form:\n${listed}`,
    ...(schema ? [schemaInWords(schema)] : []),
  ];
  return { role: 'user', parts: [{ text: words.join('\n\n') }] };
}

/**
 * Returns an answer that does not fit its schema as a message of the model, which is then asked to
 * correct it. The answer is shortened to 20,000 characters, and further if the model's context window
 * has no room for them. If it has nearly none, only the length of the answer is given.
 *
 * @param prompt the tokens of all other messages
 * @param window the context window in tokens; undefined if unknown
 */
export function answerTurn(answer: string, prompt: number, window: number | undefined): Message {
  const room = window === undefined ? MAX_QUOTED : roomFor(prompt, window) * PER_TOKEN;
  const most = Math.min(MAX_QUOTED, Math.floor(room));
  const text =
    answer.length > most && most < MIN_QUOTED
      ? `[${answer.length.toLocaleString('en-US')} characters left out]`
      : shortenText(answer, most);
  return { role: 'assistant', parts: [{ text }] };
}

/**
 * Returns whether the prompt leaves too little room in the context window to quote the answer that
 * the model has to correct. Returns false if the window is unknown.
 *
 * @param prompt the tokens of the prompt
 * @param window the context window in tokens; undefined if unknown
 */
export function isTight(prompt: number, window: number | undefined): boolean {
  return window !== undefined && roomFor(prompt, window) * PER_TOKEN < MIN_QUOTED;
}

/** Returns how many tokens of a window a prompt and the next answer leave free; may be negative. */
function roomFor(prompt: number, window: number): number {
  return window - prompt - answerRoom(window);
}

/**
 * Returns the text; a text that is too long is cut in the middle, with a line that gives the number of
 * omitted characters.
 */
function shortenText(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, Math.floor((most * 2) / 3)).toWellFormed();
  const tail = text.slice(text.length - Math.floor(most / 3)).toWellFormed();
  const left = (text.length - head.length - tail.length).toLocaleString('en-US');
  return `${head}\n[… ${left} characters left out …]\n${tail}`;
}
