import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { feedFromFirstRequest } from '../../src/app/run/first-request.ts';
import { Bus, type LiveEvent } from '../../src/kernel/bus.ts';
import type { AnyFact } from '../../src/kernel/vocabulary.ts';

const CALL = { step: 'seat/critic', seat: 'critic', call: 'a1' };
const OTHER = { step: 'seat/analyst', seat: 'analyst', call: 'a2' };

/** Returns the live events that a listener which subscribes now has got. */
function heardBy(feed: Awaited<ReturnType<typeof feedFromFirstRequest>>): LiveEvent[] {
  const heard: LiveEvent[] = [];
  feed.subscribe({ live: (event) => heard.push(event) });
  return heard;
}

describe('feedFromFirstRequest, which delays a console until a model is asked,', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('delivers the live events of the delay, and then each later event once', async () => {
    const bus = new Bus();
    const waiting = feedFromFirstRequest(bus);
    bus.live({ ...CALL, type: 'sent', attempt: 1 });
    bus.live({ ...CALL, type: 'text', text: 'The first ' });
    bus.flush();
    await vi.advanceTimersByTimeAsync(6);
    const heard = heardBy(await waiting);
    bus.live({ ...CALL, type: 'text', text: 'words.' });
    bus.flush();
    expect(heard).toEqual([
      { ...CALL, type: 'sent', attempt: 1 },
      { ...CALL, type: 'text', text: 'The first ' },
      { ...CALL, type: 'text', text: 'words.' },
    ]);
  });

  it('leaves out the events of a call that ended during the delay', async () => {
    const bus = new Bus();
    const waiting = feedFromFirstRequest(bus);
    bus.live({ ...CALL, type: 'sent', attempt: 1 });
    bus.live({ ...OTHER, type: 'sent', attempt: 1 });
    bus.facts([{ type: 'call.completed', step: CALL.step } as unknown as AnyFact]);
    await vi.advanceTimersByTimeAsync(6);
    expect(heardBy(await waiting)).toEqual([{ ...OTHER, type: 'sent', attempt: 1 }]);
  });

  it('ends the delay after 40 ms if no model has been asked', async () => {
    let isThere = false;
    const waiting = feedFromFirstRequest(new Bus()).then((feed) => {
      isThere = true;
      return feed;
    });
    await vi.advanceTimersByTimeAsync(39);
    expect(isThere).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isThere).toBe(true);
    expect(heardBy(await waiting)).toEqual([]);
  });
});
