/** Lets workers of a Restate server work on the cells of an evaluation. */
import { KERNEL } from '../../kernel/facts.ts';
import type { Journal } from '../../kernel/journal.ts';
import type { Ending } from '../../kernel/session.ts';
import { RestateClient } from '../../restate/client.ts';
import type { Store, Terms } from '../../store/store.ts';
import { handToServer } from './hand-on.ts';
import { follow, submitRun } from './mirror.ts';

/** The Restate server that works on the cells, and the limits that it is given. */
export interface RestateTarget {
  readonly address: string;
  readonly terms: Terms;
}

/** Hands a run to the server after its opening, or the next request to it, was recorded. */
export function handOverCell(
  store: Store,
  journal: Journal,
  { address, terms }: RestateTarget,
): void {
  store.keepTerms(journal.run, terms);
  handToServer(store, journal, address, 'by nobody');
}

/**
 * Waits until the server's workers have finished the cell and it is copied. Aborting `stop` stops it there.
 * @throws DeliberateError if the server cannot be used
 */
export async function waitForCell(store: Store, run: string, stop: AbortSignal): Promise<Ending> {
  const place = await submitRun(store, run);
  const end = (): void => {
    // If the server cannot be reached, the run continues there, and the same command finds it later.
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
