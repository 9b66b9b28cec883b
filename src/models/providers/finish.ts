/**
 * Why a server says that an answer is over. Whole is only what ends for a reason that is known to be a
 * good one: servers invent reasons, and half an answer must never count as an answer.
 */
import { clip, type Failure } from '../failure.ts';

/** What a reason means for the text that came before it. */
export type End =
  /** The model came to its own end. */
  | 'whole'
  /** The most tokens that an answer may have. */
  | 'token-limit'
  /** Prompt and answer together fill the context. */
  | 'context-limit'
  | 'declined'
  /** The model calls a tool: what it was asked for where it was offered some. */
  | 'tool'
  /** The server broke it off, and may well not do so the next time. */
  | 'broken-off';

interface Ended {
  /** The provider's name. */
  readonly name: string;
  /** As the server wrote it; undefined: it gave none. */
  readonly reason: string | undefined;
  /** The reasons of this protocol, in lower case. What is not among them is no good end. */
  readonly ends: ReadonlyMap<string, End>;
  /** Tokens of the answer, where the server has counted them; else 0. */
  readonly tokens: number;
  /** The server's words about a refusal. */
  readonly words?: string | undefined;
  /** Tools that it called, of those that it was offered. */
  readonly calls?: number | undefined;
  /** What to do about the token limit, where that is not only to ask for less. */
  readonly shorten?: string | undefined;
  /** Whether we set no limit of our own: the answer then ended at the server's, or filled the context. */
  readonly isUnlimited?: boolean | undefined;
}

const AGAIN = 'Ask again, or give this seat another model';
/** As much of an unknown reason as fits in a sentence. */
const MAX_REASON = 60;

/** Undefined: the answer is whole. */
export function finishFailure(ended: Ended): Failure | undefined {
  const { name, reason, ends, tokens, words, shorten, isUnlimited, calls = 0 } = ended;
  const unfinished = (why: string, retry: boolean): Failure => ({
    code: 'unfinished',
    message: `${name}: the answer was not finished: ${why}`,
    next: AGAIN,
    retry,
  });
  if (reason === undefined)
    return { ...unfinished('the server gave no reason', false), isOpen: true };
  const quoted = `"${clip(reason, MAX_REASON)}"`;
  const end = ends.get(reason.toLowerCase());
  switch (end) {
    case 'whole':
      return undefined;
    case 'token-limit':
    case 'context-limit': {
      const limit =
        end === 'context-limit'
          ? "end of the model's context"
          : isUnlimited
            ? "limit of the server or the end of the model's context"
            : 'token limit';
      return {
        code: 'truncated',
        message: `${name}: the answer was cut off at the ${limit}${tokens > 0 ? ` (${tokens} tokens)` : ''}`,
        next:
          shorten ??
          (isUnlimited
            ? 'Ask a narrower question, or give this seat a model with a larger context'
            : 'Ask for a shorter answer'),
        retry: false,
      };
    }
    case 'declined': {
      // `content_filter` says more than that it declined; `refusal` does not.
      const filter =
        reason === 'refusal' ? '' : ` (${clip(reason, MAX_REASON).replaceAll('_', ' ')})`;
      return {
        code: 'refused',
        message: `${name}: the model declined to answer${words ? `: ${words}` : filter}`,
        next: 'Rephrase the question, or give this seat another model',
        retry: false,
      };
    }
    case 'tool':
      if (calls > 0) return undefined;
      return unfinished(`the model called a tool (${quoted}), but none was offered`, false);
    case 'broken-off':
      return unfinished(`the server cut it off with ${quoted}`, true);
    default:
      // What nobody knows may cost the same again and end in the same way.
      return unfinished(`the server ended it with ${quoted}`, false);
  }
}

/** Of two reasons for one end the one that is no good: a later `stop` makes nothing whole again. */
export function worseOf(
  ends: ReadonlyMap<string, End>,
  before: string | undefined,
  now: string | undefined,
): string | undefined {
  if (before === undefined || now === undefined) return before ?? now;
  return ends.get(before.toLowerCase()) === 'whole' ? now : before;
}
