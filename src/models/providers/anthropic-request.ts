/** Converts a request to Anthropic's Messages API. */
import type Anthropic from '@anthropic-ai/sdk';
import type { Message } from '../../kernel/model.ts';
import type { ProviderRequest } from '../provider.ts';
import type { ModelDescription } from './anthropic-models.ts';
import { tokensToAsk } from './limits.ts';
import { argumentsOf } from './tool-calls.ts';

type Params = Anthropic.Messages.MessageStreamParams;

/**
 * The `max_tokens` to send if the request has no limit, since the API requires one. The limit
 * includes thinking, and current models think by default.
 */
const MAX_TOKENS = 32_000;
/** The largest `max_tokens` of models before version 4, if the server does not report it. */
const OLDER_MAX_TOKENS: readonly (readonly [prefix: string, tokens: number])[] = [
  ['claude-3-5', 8_192],
  ['claude-3-7', 32_000],
  ['claude-3', 4_096],
  ['claude-2', 4_096],
];

/** The most cache breakpoints per request. */
const BREAKPOINTS = 4;
/**
 * Returns the request's schema as Anthropic's library rewrites it, with unsupported keywords moved
 * into descriptions. Returns undefined if the request has no schema.
 */
export async function transformSchema(
  request: ProviderRequest,
): Promise<Record<string, unknown> | undefined> {
  if (!request.schema) return undefined;
  const { transformJSONSchema } = await import('@anthropic-ai/sdk/lib/transform-json-schema');
  return { ...transformJSONSchema({ ...request.schema }) };
}

/**
 * Returns the parameters of a request to Anthropic's API. `described` is what the server reports about
 * the model, `schema` the result of `transformSchema`.
 */
export function messageParams(
  request: ProviderRequest,
  described: ModelDescription,
  schema: Record<string, unknown> | undefined,
): Params {
  const { model, system, temperature, effort } = request;
  const ceiling = Math.min(MAX_TOKENS, described.maxTokens ?? ceilingByName(model));
  const cached = { cache_control: cacheControl(request) };
  return {
    model,
    max_tokens: request.maxTokens ?? Math.min(ceiling, tokensToAsk(request) ?? ceiling),
    messages: contentOf(request, BREAKPOINTS - (system ? 1 : 0)),
    ...(system ? { system: [{ type: 'text', text: system, ...cached }] } : {}),
    // Lower a temperature above 1, which Anthropic refuses. Other providers accept up to 2.
    ...(temperature === undefined ? {} : { temperature: Math.min(1, temperature) }),
    ...(request.think === false && described.unthinking !== false
      ? { thinking: { type: 'disabled' } }
      : {}),
    ...toolParams(request),
    ...(schema || effort !== undefined
      ? {
          output_config: {
            ...(schema ? { format: { type: 'json_schema', schema } } : {}),
            // The seat's level was checked before: the model supports it, although the library's
            // type may not list it.
            ...(effort === undefined ? {} : { effort: effort as 'low' }),
          },
        }
      : {}),
  };
}

function ceilingByName(model: string): number {
  return OLDER_MAX_TOKENS.find(([prefix]) => model.startsWith(prefix))?.[1] ?? MAX_TOKENS;
}

/**
 * Returns the cache control: five minutes by default, or an hour, for which writing costs twice as much.
 * Reading costs a tenth of the price.
 */
function cacheControl({ cacheFor }: Pick<ProviderRequest, 'cacheFor'>) {
  const hour = cacheFor === 'hour' ? { ttl: '1h' as const } : {};
  return { type: 'ephemeral' as const, ...hour };
}

/**
 * Returns the messages with cache breakpoints. A breakpoint caches everything before it, so if there are
 * too many, the last ones are kept.
 */
function contentOf(request: ProviderRequest, breakpoints: number): Params['messages'] {
  const { messages } = request;
  const stable = messages.flatMap(({ parts }) => parts.filter(isMarked));
  const kept = new Set(stable.slice(Math.max(0, stable.length - breakpoints)));
  return messages.map(({ role, parts, calls = [], results = [], turn }) => {
    const texts = parts
      // The API refuses blocks without text, so leave them out.
      .filter((part) => part.text.trim() !== '')
      .map((part) => ({
        type: 'text' as const,
        text: part.text,
        ...(kept.has(part) ? { cache_control: cacheControl(request) } : {}),
      }));
    // Thinking is signed, and the API refuses a changed turn, so send the turn back unchanged.
    if (Array.isArray(turn)) return { role, content: turn as Content[] };
    const used = calls.map((call) => ({
      type: 'tool_use' as const,
      id: call.id,
      name: call.name,
      input: argumentsOf(call),
    }));
    const found = results.map(({ id, text }) => ({
      type: 'tool_result' as const,
      tool_use_id: id,
      content: text,
    }));
    return { role, content: [...found, ...texts, ...used] };
  });
}

function toolParams({
  tools = [],
  toolsClosed,
}: ProviderRequest): Pick<Params, 'tools' | 'tool_choice'> {
  if (tools.length === 0) return {};
  return {
    tools: tools.map(({ name, description, parameters }) => ({
      name,
      description,
      input_schema: { ...parameters, type: 'object' },
    })),
    // Declare the tools even if they may not be used now: messages with tool calls require the
    // declaration.
    ...(toolsClosed === true ? { tool_choice: { type: 'none' } } : {}),
  };
}

type Content = Anthropic.Messages.ContentBlockParam;

function isMarked(part: Message['parts'][number]): boolean {
  return part.stable === true && part.text.trim() !== '';
}
