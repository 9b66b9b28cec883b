/** What a model is told about an answer that does not have the right form, so that it can mend it. */
import type { Message } from '../../kernel/model.ts';
import { schemaInWords } from '../json-schema.ts';
import type { JsonSchema } from '../provider.ts';
import { answerRoom } from '../window.ts';

/** As much of the answer as goes back, in characters, where the model's window is not known. */
const MAX_QUOTED = 20_000;
/** And where the window is full already: enough to see which answer is meant. */
const MIN_QUOTED = 400;
/** Characters a token, at the least, of text that models write. */
const PER_TOKEN = 3;

/** Returns the turn that says what is wrong, and how the answer has to look. */
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
  const room =
    window === undefined ? MAX_QUOTED : (window - prompt - answerRoom(window)) * PER_TOKEN;
  const most = Math.min(MAX_QUOTED, Math.max(MIN_QUOTED, Math.floor(room)));
  return { role: 'assistant', parts: [{ text: shorten(answer, most) }] };
}

/** Returns the text, or its beginning and end with a line between them that says what is left out. */
function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, Math.floor((most * 2) / 3)).toWellFormed();
  const tail = text.slice(text.length - Math.floor(most / 3)).toWellFormed();
  const left = (text.length - head.length - tail.length).toLocaleString('en-US');
  return `${head}\n[… ${left} characters left out …]\n${tail}`;
}
