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

function makeTrial(): Trial {
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
function passTime(ms: number): void {
  for (let passed = 0; passed < ms; passed += 1) {
    time += 1;
    vi.advanceTimersByTime(1);
  }
}

/** Wakes the clock every 5 ms, as news of eight seats would. */
function streamNews({ clock }: Trial, seconds = 1): void {
  for (const end = time + seconds * 1000; time < end; ) {
    clock.wake();
    passTime(5);
  }
}

test('the frame clock draws 13 to 16 frames in a second in which news arrives all the time', () => {
  const trial = makeTrial();
  streamNews(trial);
  expect(trial.state.frames).toBeGreaterThanOrEqual(13);
  expect(trial.state.frames).toBeLessThanOrEqual(16);
});

test('the frame clock has no timer while nothing changes', () => {
  const trial = makeTrial();
  trial.clock.wake();
  passTime(1000);
  expect(trial.state.frames).toBe(1);
  expect(vi.getTimerCount()).toBe(0);
});

test('the frame clock draws every second while the run is live', () => {
  const trial = makeTrial();
  trial.state.ticking = true;
  trial.clock.wake();
  passTime(5100);
  expect(trial.state.frames).toBe(6);
  trial.clock.stop();
  expect(vi.getTimerCount()).toBe(0);
});

test('the frame clock draws no frames while the terminal is slow, and one after it has caught up', () => {
  const trial = makeTrial();
  trial.state.pending = 100_000;
  streamNews(trial);
  expect(trial.state.frames).toBe(0);
  trial.state.pending = 0;
  passTime(100);
  expect(trial.state.frames).toBe(1);
});

test('the frame clock draws less often if frames take long', () => {
  const trial = makeTrial();
  trial.state.cost = 30;
  streamNews(trial, 2);
  const before = trial.state.frames;
  streamNews(trial);
  expect(trial.state.frames - before).toBeLessThanOrEqual(11);
  expect(trial.clock.interval).toBe(100);
});

test('the frame clock draws at once after a key', () => {
  const trial = makeTrial();
  trial.clock.wake();
  passTime(20);
  expect(trial.state.frames).toBe(1);
  trial.clock.wake();
  trial.clock.hurry();
  passTime(1);
  expect(trial.state.frames).toBe(2);
});
