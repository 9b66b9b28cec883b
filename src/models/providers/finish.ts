/**
 * Interprets the reason with which a server ends an answer. An answer counts as whole only for a known good
 * reason: servers invent reasons, and half an answer must never count as an answer.
 */
import { clipLine, type Failure } from '../failure.ts';

/**
 * What a provider's reason for ending an answer says about the text, such as that it is whole or
 * was cut.
 */
export type End =
  /** The model ended the answer itself. */
  | 'whole'
  /** The token limit of the answer was reached. */
  | 'token-limit'
  /** Prompt and answer fill the context. */
  | 'context-limit'
  /** The model, or a filter of its server, declined to answer. */
  | 'declined'
  /** The model calls a tool. */
  | 'tool'
  /** The server aborted the answer; another attempt may succeed. */
  | 'broken-off';

interface Ended {
  /** The provider's name. */
  readonly name: string;
  /** The reason as the server sent it; undefined if none. */
  readonly reason: string | undefined;
  /** The known reasons of the protocol, in lower case. Any other reason is a failure. */
  readonly ends: ReadonlyMap<string, End>;
  /** The tokens of the answer if the server counted them; otherwise 0. */
  readonly tokens: number;
  /** The server's message about a refusal. */
  readonly words?: string | undefined;
  /** The number of calls of offered tools. */
  readonly calls?: number | undefined;
  /**
   * The next step for a person when the token limit was reached. Absent: the person is told to ask
   * for a shorter answer or a narrower question.
   */
  readonly shorten?: string | undefined;
  /**
   * Whether the request had no token limit, so that the server's own limit or the context ended the answer.
   */
  readonly isUnlimited?: boolean | undefined;
}

const AGAIN = 'Ask again, or give this seat another model';
/** The most characters of an unknown reason in a message. */
const MAX_REASON = 60;

/** Returns the failure for an answer that is not complete; undefined if the answer is complete. */
export function finishFailure(ended: Ended): Failure | undefined {
  const { name, reason, ends, tokens, words, shorten, isUnlimited, calls = 0 } = ended;
  const makeUnfinished = (why: string, retry: boolean): Failure => ({
    code: 'unfinished',
    message: `${name}: the answer was not finished: ${why}`,
    next: AGAIN,
    retry,
  });
  if (reason === undefined)
    return { ...makeUnfinished('the server gave no reason', false), isOpen: true };
  const quoted = `"${clipLine(reason, MAX_REASON)}"`;
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
      // If the model gave no words of its own, quote the provider's reason in the message, such as
      // `content_filter`, unless it only says `refusal`.
      const filter =
        reason === 'refusal' ? '' : ` (${clipLine(reason, MAX_REASON).replaceAll('_', ' ')})`;
      return {
        code: 'refused',
        message: `${name}: the model declined to answer${words ? `: ${words}` : filter}`,
        next: 'Rephrase the question, or give this seat another model',
        retry: false,
      };
    }
    case 'tool':
      if (calls > 0) return undefined;
      return makeUnfinished(`the model called a tool (${quoted}), but none was offered`, false);
    case 'broken-off':
      return makeUnfinished(`the server cut it off with ${quoted}`, true);
    default:
      // If the server ended the answer for a reason that this program does not know, do not retry: the retry may
      // cost as much and end the same way.
      return makeUnfinished(`the server ended it with ${quoted}`, false);
  }
}

/**
 * Returns which of two reasons for the end of an answer counts: the earlier one, unless it says that the
 * answer is whole, or that the model called a tool and the later one says that the answer was cut. If an answer
 * was cut, a later `stop` from the server does not make it complete.
 * @param ends the meaning of each reason, by the provider's word for the reason in lower case
 * @param before the earlier reason; undefined if there was none
 * @param now the later reason; undefined if there is none
 */
export function chooseWorseEnd(
  ends: ReadonlyMap<string, End>,
  before: string | undefined,
  now: string | undefined,
): string | undefined {
  if (before === undefined || now === undefined) return before ?? now;
  const [first, last] = [ends.get(before.toLowerCase()), ends.get(now.toLowerCase())];
  return first === 'whole' || (first === 'tool' && last !== 'whole') ? now : before;
}
