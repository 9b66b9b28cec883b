/**
 * The copies that a person's own database has of runs at a Restate server: handed over, brought up to date,
 * followed. What is shown of such a run is read from the copy, as of any other run.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { DeliberateError } from '../../kernel/errors.ts';
import { RestateClient } from '../../restate/client.ts';
import type { Handed } from '../../restate/handed.ts';
import type { Place } from '../../store/elsewhere.ts';
import type { Store } from '../../store/store.ts';
import type { Invocation } from '../invocation.ts';
import { version } from '../version.ts';

/** How long it is waited before a server is asked again that did not answer. */
const AGAIN_MS = 1_000;
/** So many runs are asked for at a time. */
const AT_ONCE = 16;

/** Takes the logs as far as they are. What cannot be reached is said, once for each server. */
export async function bringUpToDate({ err, flags }: Invocation, store: Store): Promise<void> {
  const places = store.elsewhere.openPlaces();
  const problems = new Map<string, DeliberateError>();
  const work = async (): Promise<void> => {
    for (let place = places.shift(); place !== undefined; place = places.shift()) {
      // One that does not answer is not waited for again and again.
      if (problems.has(place.address)) continue;
      try {
        await refresh(store, place);
      } catch (error) {
        if (!(error instanceof DeliberateError)) throw error;
        problems.set(place.address, error);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  if (flags.quiet) return;
  for (const { message, next } of problems.values())
    err.write(`${message}; shown is what was copied before. ${next ?? ''}\n`);
}

/** Hands the run over where that is not done, and copies what is there. @throws DeliberateError */
async function refresh(store: Store, { run }: Place): Promise<void> {
  const place = await sent(store, run);
  if (place === undefined) return;
  const client = new RestateClient(place.address);
  for (let { batches } = place; ; ) {
    const more = await client.read(place.key, batches);
    if (more.length === 0 || !store.elsewhere.copy(place, batches, more)) return;
    batches += more.length;
  }
}

/** Hands a run over; the same again where nobody knows whether the server has it. @throws DeliberateError */
export async function sent(store: Store, run: string): Promise<Place | undefined> {
  const place = store.elsewhere.find(run);
  if (place === undefined || place.isSent) return place;
  const { address, key, answered } = place;
  const handed: Handed = {
    run: store.archive(run, version()),
    // What may run without a sandbox here may not on another machine.
    terms: { limits: {}, ...store.terms(run), unsandboxed: undefined },
    answered,
    look: [...store.lookRoots(run)],
  };
  await new RestateClient(address).submit(key, handed);
  store.elsewhere.markSent(run, key);
  return store.elsewhere.find(run);
}

/**
 * Copies the log of a run as it grows, until the run is over or `signal` aborts. A server or worker that
 * does not answer is asked again; `say` is told once each time that this begins.
 */
export async function follow(
  store: Store,
  run: string,
  signal: AbortSignal,
  say: (problem: string) => void = () => undefined,
): Promise<void> {
  let isSaid = false;
  while (!signal.aborted) {
    const place = store.elsewhere.find(run);
    if (place === undefined || place.isOver) return;
    try {
      await sent(store, run);
      const more = await new RestateClient(place.address).read(place.key, place.batches, {
        wait: true,
        signal,
      });
      store.elsewhere.copy(place, place.batches, more);
      isSaid = false;
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof DeliberateError)) throw error;
      if (!isSaid) say(`${error.message}. ${error.next ?? ''}`);
      isSaid = true;
      await sleep(AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
