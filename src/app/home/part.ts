/** What a protocol brings to the home screen. */
import type { Convening, KeptPanel, PanelDraft, ProtocolOffer } from '../../console/home/offer.ts';
import type { Rates } from '../../kernel/estimate.ts';
import type { Invocation } from '../invocation.ts';
import type { Config } from '../settings/config.ts';

export interface HomePart {
  /** How it is offered, with the roles there are. */
  offer(call: Pick<Invocation, 'flags' | 'env'>, config: Config): ProtocolOffer;
  /** Holds what the person decided. False where they turned back before there was a run. */
  convene(call: Invocation, config: Config, what: Convening): Promise<boolean>;
  /**
   * Loads in advance what `convene` needs, so that nobody waits after Enter; absent if `convene` loads it.
   */
  prepare?(): Promise<unknown>;
  /** Keeps a panel as a preset of the person's own; absent where the protocol has no panels. */
  savePanel?(call: Pick<Invocation, 'env'>, panel: PanelDraft): KeptPanel;
  /** What it will take, in a phrase; the question is not empty. */
  estimate(what: Convening, config: Config, price: Rates['price']): string;
}
