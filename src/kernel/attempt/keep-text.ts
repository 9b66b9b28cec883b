/** Stores the text of running calls from time to time. */
import type { Bus } from '../bus.ts';
import { isCall } from '../call.ts';
import { StoreError } from '../errors.ts';
import type { Chunk, Journal } from '../journal.ts';

/**
 * How often, in milliseconds, the text of running calls is stored for other processes and for recovery
 * after a crash.
 */
const KEEP_MS = 500;

/**
 * Stores the text of running calls while they run. Returns a function that ends this, without storing
 * what came last.
 */
export function keepRunningText(feed: Bus, journal: Pick<Journal, 'keep'>): () => void {
  const chunks = new Map<string, Chunk>();
  const requests = new Map<string, number>();
  const flush = (): void => {
    if (chunks.size === 0) return;
    try {
      journal.keep([...chunks.values()]);
      chunks.clear();
    } catch (error) {
      // Keep the text and try again at the next interval. If the database fails for good, recording the next
      // fact raises the error.
      if (!(error instanceof StoreError)) throw error;
    }
  };
  const forget = feed.subscribe({
    live: (news) => {
      if (news.type === 'sent') {
        // The text of a new request replaces the text of an earlier request of the same step.
        requests.set(news.step, news.attempt);
        chunks.delete(news.step);
      }
      if (news.type !== 'text' && news.type !== 'thinking') return;
      const before = chunks.get(news.step);
      chunks.set(news.step, {
        step: news.step,
        attempt: `${news.call}#${requests.get(news.step) ?? 1}`,
        text: (before?.text ?? '') + (news.type === 'text' ? news.text : ''),
        thinking: (before?.thinking ?? '') + (news.type === 'thinking' ? news.text : ''),
      });
    },
    fact: (one) => {
      if (isCall(one)) chunks.delete(one.step);
    },
  });
  const timer = setInterval(flush, KEEP_MS);
  return () => {
    clearInterval(timer);
    forget();
  };
}
