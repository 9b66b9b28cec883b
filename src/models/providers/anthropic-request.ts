/** A request in the form of the Messages API. */
import type Anthropic from '@anthropic-ai/sdk';
import type { Message } from '../../kernel/model.ts';
import type { ProviderRequest } from '../provider.ts';
import type { Described } from './anthropic-models.ts';
import { tokensToAsk } from './limits.ts';
import { argumentsOf } from './tool-calls.ts';

type Params = Anthropic.Messages.MessageStreamParams;

/** `max_tokens` is required and counts thinking too, which current models do unasked. */
const MAX_TOKENS = 32_000;
/** What models before version 4 take at most, where the server does not say what its models take. */
const OLDER_MAX_TOKENS: readonly (readonly [prefix: string, tokens: number])[] = [
  ['claude-3-5', 8_192],
  ['claude-3-7', 32_000],
  ['claude-3', 4_096],
  ['claude-2', 4_096],
];

/** The API takes four cache breakpoints a request. */
const BREAKPOINTS = 4;
/** The library's rewrite of a schema: keywords that the API does not know go into descriptions. */
export async function transformer(
  request: ProviderRequest,
): Promise<Record<string, unknown> | undefined> {
  if (!request.schema) return undefined;
  const { transformJSONSchema } = await import('@anthropic-ai/sdk/lib/transform-json-schema');
  return { ...transformJSONSchema({ ...request.schema }) };
}

export function messageParams(
  request: ProviderRequest,
  described: Described,
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
    // Other providers take up to 2.
    ...(temperature === undefined ? {} : { temperature: Math.min(1, temperature) }),
    ...(request.think === false && described.unthinking !== false
      ? { thinking: { type: 'disabled' } }
      : {}),
    ...toolParams(request),
    ...(schema || effort !== undefined
      ? {
          output_config: {
            ...(schema ? { format: { type: 'json_schema', schema } } : {}),
            // A level that the model does not know was refused before.
            ...(effort === undefined ? {} : { effort: effort as 'low' }),
          },
        }
      : {}),
  };
}

function ceilingByName(model: string): number {
  return OLDER_MAX_TOKENS.find(([prefix]) => model.startsWith(prefix))?.[1] ?? MAX_TOKENS;
}

/** What is kept for five minutes is read again at a tenth of its price; for an hour it costs twice. */
function cacheControl({ cacheFor }: Pick<ProviderRequest, 'cacheFor'>) {
  const hour = cacheFor === 'hour' ? { ttl: '1h' as const } : {};
  return { type: 'ephemeral' as const, ...hour };
}

/** A breakpoint caches all before it, so where there are too many, the last ones are worth most. */
function contentOf(request: ProviderRequest, breakpoints: number): Params['messages'] {
  const { messages } = request;
  const stable = messages.flatMap(({ parts }) => parts.filter(isMarked));
  const kept = new Set(stable.slice(Math.max(0, stable.length - breakpoints)));
  return messages.map(({ role, parts, calls = [], results = [], turn }) => {
    const texts = parts
      // The API refuses blocks without text.
      .filter((part) => part.text.trim() !== '')
      .map((part) => ({
        type: 'text' as const,
        text: part.text,
        ...(kept.has(part) ? { cache_control: cacheControl(request) } : {}),
      }));
    // Thoughts are signed, and refused where the turn they belong to comes back otherwise.
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
    // Not left out: messages that hold calls need to know the tools.
    ...(toolsClosed === true ? { tool_choice: { type: 'none' } } : {}),
  };
}

type Content = Anthropic.Messages.ContentBlockParam;

function isMarked(part: Message['parts'][number]): boolean {
  return part.stable === true && part.text.trim() !== '';
}
