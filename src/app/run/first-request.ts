/**
 * Delays the first frame of a run's console until the run's first request is on its way. To draw that frame
 * takes tens of milliseconds in which the request could not be sent.
 */
import type { Feed, LiveEvent } from '../../kernel/bus.ts';

/** Milliseconds after which the console is shown although no request was sent. */
const LONGEST_DELAY_MS = 40;

/** Milliseconds that the requests of the other seats and their connections get before the frame is drawn. */
const CONNECT_MS = 5;

/** The facts that end a call. */
const ENDS: ReadonlySet<string> = new Set(['call.completed', 'call.failed', 'call.stopped']);

/**
 * Waits until shortly after the run's first request to a model was sent, at most 40 milliseconds, so
 * that the console opens with something to show.
 *
 * @returns a feed that first repeats to each listener the live events that came before anybody
 *   listened. Left out are events of calls that have ended, and facts, which the console reads from
 *   the journal.
 */
export async function feedFromFirstRequest(feed: Feed): Promise<Feed> {
  let missed: LiveEvent[] = [];
  const forget = await new Promise<() => void>((resolve) => {
    const latest = setTimeout(endWait, LONGEST_DELAY_MS);
    const unsubscribe = feed.subscribe({
      live: (event) => {
        missed.push(event);
        if (event.type === 'sent') setTimeout(endWait, CONNECT_MS);
      },
      fact: (fact) => {
        if (ENDS.has(fact.type) && 'step' in fact)
          missed = missed.filter(({ step }) => step !== fact.step);
      },
    });
    function endWait(): void {
      clearTimeout(latest);
      resolve(unsubscribe);
    }
  });
  return {
    subscribe: (listener) => {
      forget();
      for (const event of missed) listener.live?.(event);
      return feed.subscribe(listener);
    },
  };
}
