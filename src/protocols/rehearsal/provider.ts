/**
 * The built-in stand-in for when there is no model: it streams prose in the form of the seat's role, or JSON
 * that fits the schema, always the same for the same prompt, seat and seed. It is no model, and says so in
 * everything it writes. Model names make it act out faults (`perform.ts`), so that every error screen can be
 * seen, and the ways in which a deliberation goes wrong (`temper.ts`).
 * `tasks.ts` chooses the answer by the request's `task`; the files beside it play one protocol each, from the
 * data in `words/`. They work from the request's `about` (a `Scene`), not from the prompt, which only seeds the
 * random choices. Answers are loaded when the stand-in is first called, so that calls to real models do not
 * wait for them.
 * This folder may import `kernel`, `models` (types) and `text`, and other protocols' task names and schemas.
 */

import type { Provider } from '../../models/provider.ts';
import type { Clock } from '../../models/retry.ts';

interface RehearsalOptions {
  /** A factor of the usual pace. Default 1. */
  readonly speed?: number | undefined;
  /** Default: the system's clock. */
  readonly clock?: Clock;
}

/**
 * Makes the provider of the stand-in, which answers with placeholder text instead of asking a
 * model.
 */
export function createRehearsalProvider({ speed = 1, clock }: RehearsalOptions): Provider {
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
