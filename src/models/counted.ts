/** What a call took in tokens: by what its server says of it, and where it says nothing, by our estimate. */
import type { Usage } from '../kernel/model.ts';
import { estimatePrompt, estimateTokens } from '../kernel/tokens.ts';
import type { ProviderRequest } from './provider.ts';

/** Ten times the largest context there is: what a server reports beyond it is no count. */
const MOST_TOKENS = 100_000_000;

/** A count as a server reports it, which may be anything: 0, as if it had not said, for whatever is none. */
export function readCount(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) return 0;
  return value > 0 && value <= MOST_TOKENS ? value : 0;
}

/**
 * What an attempt took that said something. What the server reported is kept; a prompt or an answer
 * that it reported nothing of is estimated, and the whole marked so.
 */
export function countedOrEstimated(
  reported: Usage,
  sent: Pick<ProviderRequest, 'system' | 'messages'>,
  said: { readonly text: string; readonly thinking: string },
): Usage {
  if (reported.input > 0 && reported.output > 0) return reported;
  const thinking = estimateTokens(said.thinking);
  return {
    ...reported,
    ...(reported.input > 0 ? {} : { input: estimatePrompt(sent.system, sent.messages) }),
    ...(reported.output > 0 ? {} : { output: thinking + estimateTokens(said.text), thinking }),
    estimated: true,
  };
}
