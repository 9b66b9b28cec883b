/**
 * Runs the scripted models of `deliberators.ts` behind a test server of any provider, such as Ollama or
 * Anthropic. The providers differ in where a request has the prompt and the schema.
 */
import { isRecord } from '../../src/text/json.ts';
import type { RecordedRequest } from '../servers/http.ts';
import { answerRequest } from './deliberators.ts';

/** Matches a schema that is part of a prompt. */
const IN_WORDS = /fits this JSON Schema, and with nothing else:\n(\{.*\})/g;

/** Matches the beginning of the last line for which an evaluation asks. */
const ASKED_LINE = /^ANSWER: /m;

/**
 * Returns a valid answer to a request in the format of any provider (Ollama, Anthropic or OpenAI), or to the
 * prompt of a coding agent. An answer in prose to an item of an evaluation ends with `ANSWER: 3`.
 */
export function answerAnyRequest(request: Pick<RecordedRequest, 'model' | 'body'>): string {
  const { body = {} } = request;
  const messages = [...textsIn(body.system), ...textsIn(body.messages)].map((content) => ({
    content,
  }));
  const inWords = [
    ...messages
      .map(({ content }) => content)
      .join('\n')
      .matchAll(IN_WORDS),
  ];
  const words = inWords.at(-1)?.[1];
  const format =
    body.format ??
    findAt(body, 'response_format', 'json_schema', 'schema') ??
    findAt(body, 'output_config', 'format', 'schema') ??
    (words === undefined ? undefined : JSON.parse(words));
  const said = answerRequest({
    ...request,
    body: { ...body, messages, format },
  } as unknown as RecordedRequest);
  const isItem = messages.some(({ content }) => ASKED_LINE.test(content));
  return format === undefined && isItem ? `${said}\n\nANSWER: 3` : said;
}

/** Returns every text in messages or parts of them, in order. */
function textsIn(said: unknown): string[] {
  if (typeof said === 'string') return [said];
  if (Array.isArray(said)) return said.flatMap(textsIn);
  return isRecord(said) ? textsIn(said.content ?? said.text) : [];
}

function findAt(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), value);
}
