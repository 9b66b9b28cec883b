/** Lets workers of a Restate server work on the cells of an evaluation. */
import { KERNEL } from '../../kernel/facts.ts';
import type { Journal } from '../../kernel/journal.ts';
import type { Ending } from '../../kernel/session.ts';
import { RestateClient } from '../../restate/client.ts';
import type { Store } from '../../store/store.ts';
import type { Terms } from '../../store/terms.ts';
import { handToServer } from './hand-on.ts';
import { follow, submitRun } from './mirror.ts';

/**
 * The Restate server at which the runs of an evaluation are carried out, and the limits of each
 * run.
 */
export interface RestateTarget {
  readonly address: string;
  readonly terms: Terms;
}

/**
 * Records that a Restate server is to carry out a run of an evaluation, and releases the run here. `waitForCell` then
 * submits it to the server. The run must have been opened before, so that `journal` has its first fact.
 */
export function handOverCell(
  store: Store,
  journal: Journal,
  { address, terms }: RestateTarget,
): void {
  store.detached.keep(journal.run, terms);
  handToServer(store, journal, address, 'by nobody');
}

/**
 * Waits until a Restate server has finished a run of an evaluation, and copies the result.
 *
 * @param stop stops the run when aborted
 * @throws DeliberateError if the run is not at the server yet and cannot be submitted
 */
export async function waitForCell(store: Store, run: string, stop: AbortSignal): Promise<Ending> {
  const place = await submitRun(store, run);
  const stopCell = (): void => {
    // If the server cannot be reached to stop the run, stop waiting for the result, without an error. The server
    // still carries out the run, and the same `deliberate eval` finds the run later.
    if (place !== undefined)
      void new RestateClient(place.address)
        .stop(place.key, { by: 'person' })
        .catch(() => leave.abort());
  };
  const leave = new AbortController();
  if (stop.aborted) stopCell();
  stop.addEventListener('abort', stopCell, { once: true });
  try {
    await follow(store, run, leave.signal);
  } finally {
    stop.removeEventListener('abort', stopCell);
  }
  const ended = store.facts(run).findLast(KERNEL.is('run.ended'));
  return { status: ended?.status ?? 'stopped', reason: ended?.reason };
}
