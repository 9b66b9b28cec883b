/** Converts requests and messages to Ollama's native API. */
import type { Message as ChatMessage, ChatRequest, Tool } from 'ollama';
import type { Message } from '../../kernel/model.ts';
import type { ToolCall, ToolInfo } from '../../kernel/tools/tools.ts';
import { isRecord } from '../../text/json.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import type { ProviderRequest } from '../provider.ts';
import { tokensToAsk } from './limits.ts';
import { argumentsOf, isOffered, readArguments } from './tool-calls.ts';

/**
 * Returns a request in Ollama's native API. `numCtx` is the context to load the model with, in
 * tokens; undefined: the server chooses.
 */
export function chatRequest(
  request: ProviderRequest,
  numCtx: number | undefined,
): ChatRequest & { stream: true; truncate: false; shift: false } {
  const { system, messages, schema, temperature, seed, effort } = request;
  const think = request.think ?? (effort === 'none' ? false : effort);
  const wanted = tokensToAsk(request);
  // Limit the answer's tokens to the size of the model's context. Ollama servers that ignore `shift: false` would
  // otherwise drop the beginning of a full context and go on up to the limit.
  const maxTokens =
    wanted === undefined || numCtx === undefined ? wanted : Math.min(wanted, numCtx);
  return {
    model: request.model,
    stream: true,
    // By default, the server drops the beginning of a prompt that is too long; `truncate: false` forbids this. It
    // also drops the beginning of a context that an answer has filled; `shift: false` forbids that. Versions
    // before 0.12.4 ignore both settings.
    truncate: false,
    shift: false,
    // Send any effort level: the library's type names only three levels, but servers accept more.
    ...(think === undefined ? {} : { think: think as boolean | 'high' }),
    messages: [
      ...(system ? [{ role: 'system', content: system }] : []),
      ...messages.flatMap(chatMessages),
    ],
    ...(isOffered(request) ? { tools: (request.tools ?? []).map(toolOf) } : {}),
    ...(schema ? { format: schema } : {}),
    options: withoutUndefined({ num_ctx: numCtx, temperature, num_predict: maxTokens, seed }),
  };
}

function chatMessages({ role, parts, calls, results = [], turn }: Message): ChatMessage[] {
  const content = parts.map((part) => part.text).join('\n\n');
  const thinking = isRecord(turn) && typeof turn.thinking === 'string' ? turn.thinking : undefined;
  const own: ChatMessage = {
    role,
    content,
    ...withoutUndefined({ thinking }),
    ...(calls === undefined
      ? {}
      : {
          tool_calls: calls.map((call) => ({
            function: { name: call.name, arguments: argumentsOf(call) },
          })),
        }),
  };
  return [
    ...results.map(({ name, text }) => ({ role: 'tool', content: text, tool_name: name })),
    own,
  ];
}

function toolOf({ name, description, parameters }: ToolInfo): Tool {
  return { type: 'function', function: { name, description, parameters } };
}

/**
 * Returns the tool calls in a part of the answer, with ids that count on from `before`, the number of
 * earlier calls. Arguments may be an object or, from some servers with this API, JSON text.
 */
export function callsIn(called: unknown, before: number): ToolCall[] {
  if (!Array.isArray(called)) return [];
  return called.flatMap((call: unknown, at) => {
    const fn = isRecord(call) && isRecord(call.function) ? call.function : {};
    const { name } = fn;
    return typeof name === 'string'
      ? [{ id: `call-${before + at + 1}`, name, arguments: readArguments(fn.arguments) }]
      : [];
  });
}
