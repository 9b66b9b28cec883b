/** The one clock: how many frames are drawn, and when none is. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FrameClock } from '../../src/console/terminal/clock.ts';

/** Milliseconds that have passed: those of timers, and those that drawing has taken. */
let time = 0;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  time = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => time);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

interface Trial {
  readonly clock: FrameClock;
  readonly state: { frames: number; pending: number; ticking: boolean; cost: number };
}

function trial(): Trial {
  const state = { frames: 0, pending: 0, ticking: false, cost: 2 };
  const clock = new FrameClock({
    draw: () => {
      state.frames += 1;
      time += state.cost;
    },
    pending: () => state.pending,
    ticking: () => state.ticking,
  });
  return { clock, state };
}

/** Lets so many milliseconds pass, one by one, so that timers end in between. */
function pass(ms: number): void {
  for (let passed = 0; passed < ms; passed += 1) {
    time += 1;
    vi.advanceTimersByTime(1);
  }
}

/** Wakes the clock every 5 ms, as news of eight seats would. */
function stream({ clock }: Trial, seconds = 1): void {
  for (const end = time + seconds * 1000; time < end; ) {
    clock.wake();
    pass(5);
  }
}

test('the frame clock draws at most 15 frames a second', () => {
  const one = trial();
  stream(one);
  expect(one.state.frames).toBeGreaterThanOrEqual(13);
  expect(one.state.frames).toBeLessThanOrEqual(16);
});

test('the frame clock has no timer while nothing changes', () => {
  const one = trial();
  one.clock.wake();
  pass(1000);
  expect(one.state.frames).toBe(1);
  expect(vi.getTimerCount()).toBe(0);
});

test('the frame clock draws every second while the run is live', () => {
  const one = trial();
  one.state.ticking = true;
  one.clock.wake();
  pass(5100);
  expect(one.state.frames).toBe(6);
  one.clock.stop();
  expect(vi.getTimerCount()).toBe(0);
});

test('the frame clock draws no frames while the terminal is slow, and afterwards the latest one', () => {
  const one = trial();
  one.state.pending = 100_000;
  stream(one);
  expect(one.state.frames).toBe(0);
  one.state.pending = 0;
  pass(100);
  expect(one.state.frames).toBe(1);
});

test('the frame clock draws less often if frames take long', () => {
  const one = trial();
  one.state.cost = 30;
  stream(one, 2);
  const before = one.state.frames;
  stream(one);
  expect(one.state.frames - before).toBeLessThanOrEqual(11);
  expect(one.clock.interval).toBe(100);
});

test('the frame clock draws at once after a key', () => {
  const one = trial();
  one.clock.wake();
  pass(20);
  expect(one.state.frames).toBe(1);
  one.clock.wake();
  one.clock.hurry();
  pass(1);
  expect(one.state.frames).toBe(2);
});
