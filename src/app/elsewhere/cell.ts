/** A cell of an evaluation that workers of a Restate server work on. */
import { KERNEL } from '../../kernel/facts.ts';
import type { Journal } from '../../kernel/journal.ts';
import type { Ending } from '../../kernel/session.ts';
import { RestateClient } from '../../restate/client.ts';
import type { Store, Terms } from '../../store/store.ts';
import { giveTo } from './hand-on.ts';
import { follow, sent } from './mirror.ts';

export interface There {
  readonly address: string;
  readonly terms: Terms;
}

/** Hands a run over whose opening, or what is asked of it next, is recorded. */
export function giveCell(store: Store, journal: Journal, { address, terms }: There): void {
  store.keepTerms(journal.run, terms);
  giveTo(store, journal, address, 'by nobody');
}

/** Waits until the attempt is over and copied; `stop` ends it there. @throws DeliberateError */
export async function cellDone(store: Store, run: string, stop: AbortSignal): Promise<Ending> {
  const place = await sent(store, run);
  const end = (): void => {
    // Where it cannot be said, the run goes on, and the same command finds it.
    if (place !== undefined)
      void new RestateClient(place.address)
        .stop(place.key, { by: 'person' })
        .catch(() => leave.abort());
  };
  const leave = new AbortController();
  if (stop.aborted) end();
  stop.addEventListener('abort', end, { once: true });
  try {
    await follow(store, run, leave.signal);
  } finally {
    stop.removeEventListener('abort', end);
  }
  const ended = store.facts(run).findLast(KERNEL.is('run.ended'));
  return { status: ended?.status ?? 'stopped', reason: ended?.reason };
}
