/** Whether a prompt fits a model's context window, and what is said where it does not. */
import type { ModelSpec } from '../kernel/model.ts';
import type { Failure } from './failure.ts';
import type { ModelInfo } from './provider.ts';

/** What to do about a prompt that is too long. */
export const SHORTEN = 'Shorten the attachments, or give this seat a model with a larger context';

/**
 * Prompts below this fit every model there is, and an answer with them: nobody's window is asked for. In
 * tokens; the smallest windows that servers are started with have 2,048.
 */
export const FITS_ANYWHERE = 1_000;

/** An answer of some 700 words, in tokens: less room than this is not worth beginning in. */
const ANSWER_ROOM = 1_024;

/** Returns the tokens that are kept free for an answer: of a small window a quarter, not half of it. */
export function answerRoom(window: number): number {
  return Math.min(ANSWER_ROOM, Math.floor(window / 4));
}

/** Returns the least window, in tokens, that a prompt fits with room for an answer. */
export function leastWindow(prompt: number): number {
  const quarter = Math.ceil((prompt * 4) / 3);
  return answerRoom(quarter) < ANSWER_ROOM ? quarter : prompt + ANSWER_ROOM;
}

/** `prompt`, `window` and `maxTokens` in tokens. Undefined where prompt and answer fit. */
export function tooLong(
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
    message: `${model} holds ${figure(window)} tokens; the prompt needs about ${figure(prompt)}, and ${figure(answer)} more for an answer`,
    next: SHORTEN,
    retry: false,
    window,
    needs,
  };
}

/** Of two limits that may be unknown, the one that holds. */
export function smaller(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined ? other : other === undefined ? one : Math.min(one, other);
}

/** The windows that a list of models gives; none where there is no list, which is another's business. */
export function knownWindows(
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

function figure(tokens: number): string {
  return tokens.toLocaleString('en-US');
}

/** How servers say it, each with its own order of the two figures. */
const WORDINGS: readonly { readonly says: RegExp; readonly windowFirst: boolean }[] = [
  // "prompt is too long: 208310 tokens > 200000 maximum"
  { says: /(\d[\d,]*) tokens > (\d[\d,]*)/, windowFirst: false },
  // "maximum context length is 8192 tokens. However, your messages resulted in 9900 tokens"
  {
    says: /context length is (\d[\d,]*) tokens.{0,80}?(?:resulted in|requested|contains?|has) (?:at least |about )?(\d[\d,]*)/is,
    windowFirst: true,
  },
  // "request (9900 tokens) exceeds the available context size (8192 tokens)"
  {
    says: /request \((\d[\d,]*) tokens\).{0,80}?context size \((\d[\d,]*)/is,
    windowFirst: false,
  },
];

/** The figures in a server's own words about a prompt that is too long; none where it gives none. */
export function figuresIn(words: string): Pick<Failure, 'window' | 'needs'> {
  for (const { says, windowFirst } of WORDINGS) {
    const [one, other] = (says.exec(words)?.slice(1) ?? []).map((digits) =>
      Number(digits.replaceAll(',', '')),
    );
    if (one === undefined || other === undefined) continue;
    return windowFirst ? { window: one, needs: other } : { window: other, needs: one };
  }
  return {};
}
