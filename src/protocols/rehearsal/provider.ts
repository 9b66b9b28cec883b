/**
 * The embedded stand-in for where no model server is found: it streams prose in the shape of the
 * seat's role, or JSON that fits the schema, always the same for the same prompt, seat and seed. It
 * is not a model and says so in everything it writes. By its model name it also acts out faults,
 * so that every screen for a failure can be seen without one, and the ways in which a deliberation
 * goes wrong (`rehearsal/temper.ts`). What it says is loaded when it is asked: who asks models waits
 * for none of it.
 */

import type { Provider } from '../../models/provider.ts';
import type { Clock } from '../../models/retry.ts';

interface RehearsalOptions {
  /** A factor of the ordinary pace. Default 1. */
  readonly speed?: number | undefined;
  /** Default: the system's. */
  readonly clock?: Clock;
}

export function rehearsalProvider({ speed = 1, clock }: RehearsalOptions): Provider {
  return {
    name: 'rehearsal',
    endpoint: 'built in',
    queues: false,
    stream: async (request, context) => {
      const { perform } = await import('./perform.ts');
      return perform(request, context, speed, clock);
    },
    list: async () => [
      { spec: 'rehearsal/panel', note: 'a stand-in for models; it has no opinions' },
    ],
  };
}
