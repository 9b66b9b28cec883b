/** What a model is told about an answer that does not have the right form, so that it can mend it. */
import type { Message } from '../../kernel/model.ts';
import { schemaInWords } from '../json-schema.ts';
import type { JsonSchema } from '../provider.ts';
import { answerRoom } from '../window.ts';

/** As much of the answer as goes back, in characters, where the model's window is not known. */
const MAX_QUOTED = 20_000;
/** The shortest quotation of a bad answer that is worth sending back, in characters. */
const MIN_QUOTED = 400;
/** Characters a token, at the least, of text that models write. */
const PER_TOKEN = 3;

/**
 * Returns the turn that says what is wrong, and how the answer has to look.
 *
 * @param schema the form of the answer; undefined leaves the form out, for windows without room for it
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
 * Returns the bad answer as the model's own turn, shortened where it would not fit its window.
 *
 * @param prompt tokens of all other turns
 * @param window in tokens; undefined where nobody knows it
 */
export function answerTurn(answer: string, prompt: number, window: number | undefined): Message {
  const room = window === undefined ? MAX_QUOTED : roomFor(prompt, window) * PER_TOKEN;
  const most = Math.min(MAX_QUOTED, Math.floor(room));
  const text =
    answer.length > most && most < MIN_QUOTED
      ? `[${answer.length.toLocaleString('en-US')} characters left out]`
      : shorten(answer, most);
  return { role: 'assistant', parts: [{ text }] };
}

/**
 * Returns whether a prompt leaves no room to quote the bad answer.
 *
 * @param prompt in tokens
 * @param window in tokens; undefined if it is not known, and then there is room
 */
export function isTight(prompt: number, window: number | undefined): boolean {
  return window !== undefined && roomFor(prompt, window) * PER_TOKEN < MIN_QUOTED;
}

/** Returns how many tokens of a window a prompt and the next answer leave free; may be negative. */
function roomFor(prompt: number, window: number): number {
  return window - prompt - answerRoom(window);
}

/** Returns the text, or its beginning and end with a line between them that says what is left out. */
function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, Math.floor((most * 2) / 3)).toWellFormed();
  const tail = text.slice(text.length - Math.floor(most / 3)).toWellFormed();
  const left = (text.length - head.length - tail.length).toLocaleString('en-US');
  return `${head}\n[… ${left} characters left out …]\n${tail}`;
}
