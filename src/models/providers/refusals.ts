/**
 * Recognizes what a model or its server refuses. A call is repeated without a part that can be left out,
 * with a note; for other parts it fails with a message that names the part.
 */
import type { ModelRequest } from '../../kernel/model.ts';
import type { Failure } from '../failure.ts';

/**
 * A part of a request that some models refuse or handle badly. The request is then sent without it.
 * Thinking is only switched off in calls with a schema.
 */
export type Feature = 'temperature' | 'effort' | 'schema' | 'thinking' | 'limit' | 'tools';

/** The note on an answer whose request was sent without its thinking effort. */
export const NO_EFFORT = 'the model has no effort levels: sent without one';
/**
 * The note on an answer whose request had its schema in the prompt, since the model does not
 * support schemas.
 */
export const NO_SCHEMA = 'the model does not support schemas: put in the prompt';
/**
 * The note on an answer whose request had its schema in the prompt, since the server does not
 * report whether it takes schemas.
 */
export const UNTOLD_SCHEMA = 'the server does not say that it takes schemas: put in the prompt';

/** The names of the token limit in error messages. */
const LIMIT = /max_(completion_|output_)?tokens|num_predict/i;
/** The names of tools in error messages. */
const TOOLS = /\btools?\b|tool_(?:choice|call)|function.?call/i;
/** The names of schemas in error messages. */
const SCHEMA =
  /response_format|text\.format|output_config|output_format|json.?schema|structured.?output|grammar/i;
/**
 * Matches error messages of models without effort levels. Messages about an unknown level do not
 * match.
 */
const EFFORT =
  /(?:unsupported|unknown|unrecognized)[ _](?:request )?(?:parameter|argument|field)\b.{0,40}effort|(?:not|n't) support\b.{0,30}\beffort parameter|effort: extra inputs/i;

interface Asked {
  readonly request: ModelRequest;
  /** The effort level of the request. */
  readonly effort: string | undefined;
  /** The features that are already left out. */
  readonly refuses: ReadonlySet<Feature>;
  /** Whether the request has a schema. */
  readonly structured: boolean;
}

/**
 * Returns the part of a request that a server refuses according to its error message, so that the
 * request can be sent again without it. `note` tells a person that the part was left out; it is absent
 * for tools. Returns undefined if the error names no part that can be left out.
 */
export function findRefusedFeature(
  { code, message }: Failure,
  { request, effort, refuses, structured }: Asked,
): { readonly feature: Feature; readonly note?: string } | undefined {
  const { seat, limits, maxTokens, tools } = request;
  const isLimited = limits?.tokens !== undefined && maxTokens === undefined;
  // A server may refuse the token limit with another code than `rejected`, so look for the name of its parameter,
  // such as `max_tokens`, in every failure. The request is then repeated without the limit.
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

/** Returns whether an error of the server is about the thinking effort. */
export function isAboutEffort({ code, message }: Failure): boolean {
  return code === 'rejected' && /\beffort\b|reasoning_effort/i.test(message);
}

/**
 * Returns the note on a call that was sent without its thinking effort, because the model does not
 * know the level.
 */
export function unknownLevelNote(effort: string): string {
  return `the model does not know the effort "${effort}": sent without one`;
}

/**
 * Returns the failure for a level of thinking effort that is not among `known`; undefined if the
 * level is known. Without this check, some servers would silently use the default.
 */
export function unknownEffort(
  spec: string,
  effort: string,
  known: readonly string[],
): Failure | undefined {
  if (known.includes(effort)) return undefined;
  return {
    code: 'rejected',
    message: `${spec} has no effort "${effort}", only ${known.map((level) => `"${level}"`).join(', ')}`,
    next: 'Use one of these, or none',
    retry: false,
  };
}
