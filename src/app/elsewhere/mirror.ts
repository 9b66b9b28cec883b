/**
 * Keeps local copies of runs at a Restate server: submits them, copies new facts and follows them. Commands
 * read such a run from the copy, as they read any other run.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { DeliberateError } from '../../kernel/errors.ts';
import { RestateClient } from '../../restate/client.ts';
import type { SubmittedRun } from '../../restate/handed.ts';
import type { RestateRun } from '../../store/elsewhere.ts';
import type { Store } from '../../store/store.ts';
import type { Invocation } from '../invocation.ts';
import { readVersion } from '../version.ts';

/** Milliseconds to wait before a server that did not answer is asked again. */
const AGAIN_MS = 1_000;
/** The most runs that are copied at the same time. */
const AT_ONCE = 16;

/**
 * Copies the new facts of all runs at Restate servers into the local database. Unless `--quiet` is
 * given, prints one message for each server that cannot be reached.
 */
export async function copyRemoteRuns({ err, flags }: Invocation, store: Store): Promise<void> {
  const places = store.elsewhere.openRuns();
  const problems = new Map<string, DeliberateError>();
  const copyNextRuns = async (): Promise<void> => {
    for (let place = places.shift(); place !== undefined; place = places.shift()) {
      // After a Restate server has failed to answer, skip the other runs that are kept there.
      if (problems.has(place.address)) continue;
      try {
        await copyRun(store, place);
      } catch (error) {
        if (!(error instanceof DeliberateError)) throw error;
        problems.set(place.address, error);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, copyNextRuns));
  if (flags.quiet) return;
  for (const { message, next } of problems.values())
    err.write(`${message}; shown is what was copied before. ${next ?? ''}\n`);
}

/**
 * Submits the run if needed, then copies its new facts.
 * @throws DeliberateError if the server cannot be used
 */
async function copyRun(store: Store, { run }: RestateRun): Promise<void> {
  const place = await submitRun(store, run);
  if (place === undefined) return;
  const client = new RestateClient(place.address);
  for (let { batches } = place; ; ) {
    const more = await client.read(place.key, batches);
    if (more.length === 0 || !store.elsewhere.copy(place, batches, more)) return;
    batches += more.length;
  }
}

/**
 * Submits a run to its Restate server, unless the server has confirmed it already. Submitting twice
 * is harmless.
 *
 * @returns where the run is kept at its server, or undefined for a run that is in the local database only
 * @throws DeliberateError if the server cannot be used
 */
export async function submitRun(store: Store, run: string): Promise<RestateRun | undefined> {
  const place = store.elsewhere.find(run);
  if (place === undefined || place.isSent) return place;
  const { address, key, answered } = place;
  const handed: SubmittedRun = {
    run: store.archive(run, readVersion()),
    // Do not send the person's consent to run without a sandbox to the Restate server: it holds only for this
    // machine, and a worker elsewhere may take the run.
    terms: { limits: {}, ...store.detached.find(run), unsandboxed: undefined },
    answered,
    look: [...store.lookRoots(run)],
  };
  await new RestateClient(address).submit(key, handed);
  store.elsewhere.markSent(run, key);
  return store.elsewhere.find(run);
}

/**
 * Copies a run's log from its Restate server while it grows, until the run has ended or `signal`
 * aborts. Failures are retried.
 *
 * @param say called with a message once whenever the server or its worker stops answering
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
      await submitRun(store, run);
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
