/** Checks whether a prompt fits a model's context window, and makes the failure if it does not. */
import type { ModelSpec } from '../kernel/model.ts';
import type { Failure } from './failure.ts';
import type { ModelInfo } from './provider.ts';

/** The next step for a person if a prompt is too long. */
export const SHORTEN = 'Shorten the attachments, or give this seat a model with a larger context';

/**
 * The number of tokens below which a prompt fits every model together with an answer, so that the
 * context window need not be looked up. The smallest windows that servers use have 2,048 tokens.
 */
export const FITS_ANYWHERE = 1_000;

/** Tokens to keep free for an answer, about 700 words. */
const ANSWER_ROOM = 1_024;

/**
 * Returns how many tokens of a context window to keep free for the answer: 1,024, but at most a quarter
 * of the window.
 * @param window the window in tokens
 */
export function answerRoom(window: number): number {
  return Math.min(ANSWER_ROOM, Math.floor(window / 4));
}

/**
 * Returns the size in tokens that a context window must have for a prompt of `prompt` tokens and its
 * answer.
 */
export function computeLeastWindow(prompt: number): number {
  const quarter = Math.ceil((prompt * 4) / 3);
  return answerRoom(quarter) < ANSWER_ROOM ? quarter : prompt + ANSWER_ROOM;
}

/**
 * Returns the failure for a prompt that is too long; undefined if prompt and answer fit, or the
 * window is unknown. All figures are in tokens.
 */
export function tooLongFailure(
  model: ModelSpec,
  prompt: number,
  window: number | undefined,
  maxTokens = ANSWER_ROOM,
): Failure | undefined {
  if (window === undefined) return undefined;
  const answer = Math.min(maxTokens, answerRoom(window));
  const needs = prompt + answer;
  if (needs <= window) return undefined;
  return {
    code: 'too-long',
    message: `${model} holds ${formatTokens(window)} tokens; the prompt needs about ${formatTokens(prompt)}, and ${formatTokens(answer)} more for an answer`,
    next: SHORTEN,
    retry: false,
    window,
    needs,
  };
}

/** Returns the smaller of two limits. An undefined limit is ignored; undefined if both are. */
export function pickSmallerLimit(
  value: number | undefined,
  other: number | undefined,
): number | undefined {
  return value === undefined ? other : other === undefined ? value : Math.min(value, other);
}

/**
 * Returns the context windows in a list of models, in tokens. Empty if the list fails; the failure
 * is reported elsewhere.
 */
export function listWindows(
  listing: Promise<readonly ModelInfo[]>,
): Promise<ReadonlyMap<ModelSpec, number>> {
  return listing.then(
    (models) =>
      new Map(
        models.flatMap(({ spec, contextWindow }) =>
          contextWindow === undefined ? [] : [[spec, contextWindow] as const],
        ),
      ),
    () => new Map(),
  );
}

/** Formats a number of tokens in full: `8,192`. */
export function formatTokens(tokens: number): string {
  return tokens.toLocaleString('en-US');
}

/** The servers' messages, each with its own order of the two figures. */
const WORDINGS: readonly { readonly says: RegExp; readonly windowFirst: boolean }[] = [
  // An example of the message: "prompt is too long: 208310 tokens > 200000 maximum"
  { says: /(\d[\d,]*) tokens > (\d[\d,]*)/, windowFirst: false },
  // An example of the message: "maximum context length is 8192 tokens. However, your messages
  // resulted in 9900 tokens"
  {
    says: /context length is (\d[\d,]*) tokens.{0,80}?(?:resulted in|requested|contains?|has) (?:at least |about )?(\d[\d,]*)/is,
    windowFirst: true,
  },
  // An example of the message: "request (9900 tokens) exceeds the available context size (8192
  // tokens)"
  {
    says: /request \((\d[\d,]*) tokens\).{0,80}?context size \((\d[\d,]*)/is,
    windowFirst: false,
  },
];

/**
 * Finds the context window (`window`) and the length of the prompt (`needs`) in a server's error
 * message, in tokens. Returns an empty object if the message has no known wording with both.
 */
export function parseFigures(words: string): Pick<Failure, 'window' | 'needs'> {
  for (const { says, windowFirst } of WORDINGS) {
    const [first, other] = (says.exec(words)?.slice(1) ?? []).map((digits) =>
      Number(digits.replaceAll(',', '')),
    );
    if (first === undefined || other === undefined) continue;
    return windowFirst ? { window: first, needs: other } : { window: other, needs: first };
  }
  return {};
}
