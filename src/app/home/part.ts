/** What a protocol provides for the home screen. */
import type { KeptPanel, PanelDraft, ProtocolOffer, RunRequest } from '../../console/home/offer.ts';
import type { Rates } from '../../kernel/estimate.ts';
import type { Invocation } from '../invocation.ts';
import type { Config } from '../settings/config.ts';

/** What a protocol offers on the home screen. */
export interface HomePart {
  /** Returns the protocol's description and the roles that can be chosen. */
  offer(call: Pick<Invocation, 'flags' | 'env'>, config: Config): ProtocolOffer;
  /** Starts a run from the person's choices. Resolves to false if they turned back before a run began. */
  convene(call: Invocation, config: Config, what: RunRequest): Promise<boolean>;
  /** Loads the code that `convene` needs in advance, so that nobody waits after Enter. */
  prepare?(): Promise<unknown>;
  /**
   * Stores a panel of seats as a preset of the person's own; absent if the protocol has no panels.
   */
  savePanel?(call: Pick<Invocation, 'env'>, panel: PanelDraft): KeptPanel;
  /** Estimates what a run will take, in a phrase. Expects a question that is not empty. */
  estimate(what: RunRequest, config: Config, price: Rates['price']): string;
}
