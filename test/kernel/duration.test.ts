/** Tests durations as people type them, and waiting for a moment. */
import { describe, expect, it } from 'vitest';
import { waitUntil } from '../../src/kernel/duration.ts';

describe('waitUntil', () => {
  const never = new Promise<never>(() => undefined);
  const later = new Date(Date.now() + 3_600_000).toISOString();

  it('returns false at once if its limit was aborted before', async () => {
    expect(await waitUntil(later, never, AbortSignal.abort())).toBe(false);
  });

  it('returns false if its limit is aborted, or the awaited promise settles, before the moment', async () => {
    const limit = new AbortController();
    const waiting = waitUntil(later, never, limit.signal);
    limit.abort();
    expect(await waiting).toBe(false);
    expect(await waitUntil(later, Promise.resolve(), new AbortController().signal)).toBe(false);
    const failed = Promise.reject(new Error('gone'));
    expect(await waitUntil(later, failed, new AbortController().signal)).toBe(false);
  });

  it('returns true at the moment, and for a moment that has passed', async () => {
    const soon = new Date(Date.now() + 20).toISOString();
    expect(await waitUntil(soon, never, new AbortController().signal)).toBe(true);
    expect(await waitUntil('2020-01-01T00:00:00.000Z', never, new AbortController().signal)).toBe(
      true,
    );
  });
});
