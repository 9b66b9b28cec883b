/**
 * What a model cannot do or its server refuses, and which of it a call can be made without: some of it we
 * do without and say so, the rest fails by name.
 */
import type { ModelRequest } from '../../kernel/model.ts';
import type { Failure } from '../failure.ts';

/**
 * Parts of a request that some models refuse or do not get on with; the call is then made without them.
 * Thinking is left out only where a schema is asked for.
 */
export type Feature = 'temperature' | 'effort' | 'schema' | 'thinking' | 'limit' | 'tools';

export const NO_EFFORT = 'the model has no effort levels: sent without one';
export const NO_SCHEMA = 'the model does not support schemas: put in the prompt';
export const UNTOLD_SCHEMA = 'the server does not say that it takes schemas: put in the prompt';

/** As the servers call the limit that they refuse. */
const LIMIT = /max_(completion_|output_)?tokens|num_predict/i;
/** As they speak of tools that they do not take. */
const TOOLS = /\btools?\b|tool_(?:choice|call)|function.?call/i;
/** Of a schema that they do not take. */
const SCHEMA =
  /response_format|text\.format|output_config|output_format|json.?schema|structured.?output|grammar/i;
/** And of a model that has no such setting. A level that it does not know is no such thing. */
const EFFORT =
  /(?:unsupported|unknown|unrecognized)[ _](?:request )?(?:parameter|argument|field)\b.{0,40}effort|(?:not|n't) support\b.{0,30}\beffort parameter|effort: extra inputs/i;

interface Asked {
  readonly request: ModelRequest;
  /** The level that it was asked with. */
  readonly effort: string | undefined;
  /** What is left out already. */
  readonly refuses: ReadonlySet<Feature>;
  /** A schema goes with it. */
  readonly structured: boolean;
}

/** The part of the request that the provider's words object to, if it can be left out. */
export function refusedIn(
  { code, message }: Failure,
  { request, effort, refuses, structured }: Asked,
): { readonly feature: Feature; readonly note?: string } | undefined {
  const { seat, limits, maxTokens, tools } = request;
  const isLimited = limits?.tokens !== undefined && maxTokens === undefined;
  // Some call an answer too long that might get so long.
  if (isLimited && !refuses.has('limit') && LIMIT.test(message))
    return { feature: 'limit', note: 'the model does not support this limit: enforced locally' };
  if (code !== 'rejected') return undefined;
  if (tools !== undefined && !refuses.has('tools') && TOOLS.test(message))
    return { feature: 'tools' };
  if (seat.temperature !== undefined && !refuses.has('temperature') && /temperature/i.test(message))
    return {
      feature: 'temperature',
      note: 'the model does not support a temperature: sent without one',
    };
  if (effort !== undefined && !refuses.has('effort') && EFFORT.test(message))
    return { feature: 'effort', note: NO_EFFORT };
  if (structured && !refuses.has('schema') && SCHEMA.test(message))
    return { feature: 'schema', note: NO_SCHEMA };
  return undefined;
}

/** Whether the provider's words are about a level, or a model, that is not what it takes. */
export function isAboutEffort({ code, message }: Failure): boolean {
  return code === 'rejected' && /\beffort\b|reasoning_effort/i.test(message);
}

/** Where a call can do without a level that its model does not know. */
export function withoutLevel(effort: string): string {
  return `the model does not know the effort "${effort}": sent without one`;
}

/** A level that its model does not know, which some servers take for the default without a word. */
export function unknownEffort(
  spec: string,
  effort: string,
  known: readonly string[],
): Failure | undefined {
  if (known.includes(effort)) return undefined;
  return {
    code: 'rejected',
    message: `${spec} has no effort "${effort}", only ${known.map((one) => `"${one}"`).join(', ')}`,
    next: 'Use one of these, or none',
    retry: false,
  };
}
