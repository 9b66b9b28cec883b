/** What a protocol provides for the home screen. */
import type { KeptPanel, PanelDraft, ProtocolOffer, RunRequest } from '../../console/home/offer.ts';
import type { Rates } from '../../kernel/estimate.ts';
import type { Invocation } from '../invocation.ts';
import type { Config } from '../settings/config.ts';

export interface HomePart {
  /** Returns how the protocol is offered, with the available roles. */
  offer(call: Pick<Invocation, 'flags' | 'env'>, config: Config): ProtocolOffer;
  /** Starts a run from the person's choices. Resolves to false if they turned back before a run began. */
  convene(call: Invocation, config: Config, what: RunRequest): Promise<boolean>;
  /**
   * Loads in advance what `convene` needs, so that nobody waits after Enter; absent if `convene` loads it.
   */
  prepare?(): Promise<unknown>;
  /** Stores a panel as a preset of the person's own; absent if the protocol has no panels. */
  savePanel?(call: Pick<Invocation, 'env'>, panel: PanelDraft): KeptPanel;
  /** Estimates what a run will take, in a phrase. The question is not empty. */
  estimate(what: RunRequest, config: Config, price: Rates['price']): string;
}
