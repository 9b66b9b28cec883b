/** The tokens of a call: as its server reports them, or estimated if it reports none. */
import type { Usage } from '../kernel/model.ts';
import { estimatePrompt, estimateTokens } from '../kernel/tokens.ts';
import type { ProviderRequest } from './provider.ts';

/** The largest plausible count: ten times the largest context window. */
const MOST_TOKENS = 100_000_000;

/**
 * Parses a token count that a server reported. Returns 0 for anything implausible, as if there was
 * no count.
 */
export function readCount(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) return 0;
  return value > 0 && value <= MOST_TOKENS ? value : 0;
}

/**
 * Returns the usage of an attempt. Counts that the server reported are kept. If the count of the
 * prompt or of the answer is missing, it is estimated from the text, and the usage is marked as
 * estimated.
 *
 * @param sent the request, for an estimate of the prompt
 * @param said the answer's text and thinking, for an estimate of the answer
 */
export function fillInUsage(
  reported: Usage,
  sent: Pick<ProviderRequest, 'system' | 'messages' | 'tools'>,
  said: { readonly text: string; readonly thinking: string },
): Usage {
  if (reported.input > 0 && reported.output > 0) return reported;
  const thinking = estimateTokens(said.thinking);
  return {
    ...reported,
    ...(reported.input > 0
      ? {}
      : { input: estimatePrompt(sent.system, sent.messages, sent.tools) }),
    ...(reported.output > 0 ? {} : { output: thinking + estimateTokens(said.text), thinking }),
    estimated: true,
  };
}
