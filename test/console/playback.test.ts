/** A recorded run played back: the timeline by plain values, the player on a clock turned by hand. */

import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Player } from '../../src/console/replay/playback.ts';
import { LONGEST_GAP_MS, timelineOf, toPlayingTime } from '../../src/console/replay/timeline.ts';
import type { LiveEvent } from '../../src/kernel/bus.ts';
import { type Fact, type FactBody, type FactOf, fact } from '../every-fact.ts';
import { makeCompletedCall, makeRunStarted, makeSynthesisFact } from '../store/bodies.ts';
import { rounds } from './views.ts';

const BEGAN = Date.parse('2026-01-01T00:00:00.000Z');

/** Returns facts that were recorded so many seconds after the beginning of the run. */
const makeLog = (...bodies: (readonly [seconds: number, body: FactBody])[]): Fact[] =>
  bodies.map(([seconds, body], index) => ({
    ...body,
    run: 'r',
    seq: index + 1,
    at: new Date(BEGAN + seconds * 1000).toISOString(),
  }));

const makeStart = (step: string): FactBody =>
  fact('step.started', { step, attempt: `${step}#`, kind: 'call', seat: 'a', model: 'o/m' });
const makeAnswer = (
  step: string,
  text: string,
  more: Partial<FactOf<'call.completed'>> = {},
): FactBody =>
  makeCompletedCall({ step, attempt: `${step}#`, seat: 'a', text, latencyMs: 10_000, ...more });

const TEXT = 'abcdefghij';
/**
 * A run that asks at once: the first word comes after 2 s and the last after 10 s. An hour later, a
 * synthesis takes 5 s.
 */
const RUN = makeLog(
  [0, makeRunStarted('Why?')],
  [0.01, makeStart('seat/a')],
  [10.01, makeAnswer('seat/a', TEXT, { firstTokenMs: 2000 })],
  [3610, makeStart('synthesis/1')],
  [3615, makeAnswer('synthesis/1', 'klmno', { latencyMs: 5000, firstTokenMs: 0 })],
  [3615, makeSynthesisFact(1, 'klmno')],
  [3615, fact('run.ended', { status: 'done' })],
);

describe('A timeline of a recorded run', () => {
  it('keeps the pace of output and shortens silences', () => {
    const line = timelineOf(RUN, rounds.marks);
    expect(line.at.map(Math.round)).toEqual([0, 10, 10_010, 13_010, 18_010, 18_010, 18_010]);
    expect(line.length).toBe(18_010);
    expect(line.utterances.map(({ from, to }) => [from, to])).toEqual([
      [2010, 10_010],
      [13_010, 18_010],
    ]);
    expect(line.recordedAt(5000) - BEGAN).toBe(5000);
    expect(line.recordedAt(10_010 + LONGEST_GAP_MS / 2) - BEGAN).toBeCloseTo(1_810_005, 0);
    expect(line.recordedAt(18_010) - BEGAN).toBe(3_615_000);
    expect(line.gapAt(11_000)).toBe(3_599_990);
    expect(line.gapAt(5000)).toBeUndefined();
  });

  it('finds positions by step, time and percentage', () => {
    const line = timelineOf(RUN, rounds.marks);
    expect(line.steps).toEqual([10, 13_010, 18_010]);
    expect(line.phases).toEqual([0, 13_010, 18_010]);
    const parseMs = (text: string): number | undefined => Number.parseInt(text, 10) || undefined;
    expect(toPlayingTime(line, '50%', parseMs)).toBe(9005);
    expect(toPlayingTime(line, '400%', parseMs)).toBe(18_010);
    expect(toPlayingTime(line, 'synthesis/1', parseMs)).toBe(13_010);
    expect(toPlayingTime(line, 'seat', parseMs)).toBe(10);
    expect(toPlayingTime(line, '700', parseMs)).toBe(700);
    expect(toPlayingTime(line, '99999999', parseMs)).toBe(18_010);
    expect(toPlayingTime(line, 'nowhere', parseMs)).toBeUndefined();
  });

  it('never runs backwards, even if the clock was set back', () => {
    const back = timelineOf(
      makeLog(
        [5, makeRunStarted('?')],
        [2, makeStart('a')],
        [9, makeAnswer('a', TEXT, { latencyMs: 60_000 })],
      ),
      rounds.marks,
    );
    expect(back.at).toEqual([0, 0, 4000]);
    expect(back.utterances[0]).toMatchObject({ from: 0, to: 4000 });
    const lost = timelineOf(
      makeLog([0, makeRunStarted('?')], [1, makeStart('a')], [90_000, makeStart('a')]),
      rounds.marks,
    );
    expect(lost.at).toEqual([0, 1000, 1000 + LONGEST_GAP_MS]);
    expect(lost.utterances).toEqual([]);
    expect(timelineOf(makeLog([7, makeRunStarted('?')]), rounds.marks).length).toBe(0);
    expect(timelineOf([], rounds.marks).length).toBe(0);
    expect(timelineOf([], rounds.marks).recordedAt(5)).toBe(0);
  });
});

function startPlayer(options: { speed?: number; from?: number } = {}) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const player = new Player(timelineOf(RUN, rounds.marks), {
    ...options,
    monotonic: () => Date.now(),
  });
  onTestFinished(() => player.stop());
  let facts = [...player.facts];
  let text = '';
  player.feed.subscribe({
    fact: (fact) => facts.push(fact),
    live: (news: LiveEvent) => {
      if (news.type === 'text') text += news.text;
    },
  });
  player.onRewind((before) => {
    facts = [...before];
    text = '';
  });
  player.start();
  return {
    player,
    turn: (ms: number) => vi.advanceTimersByTime(ms),
    seqs: () => facts.map(({ seq }) => seq),
    said: () => text,
  };
}

describe('A player of a recorded run', () => {
  it('publishes every fact once and at its time', () => {
    const { player, turn, seqs, said } = startPlayer();
    turn(2000);
    expect([seqs(), said()]).toEqual([[1, 2], '']);
    turn(4090);
    expect([seqs(), said()]).toEqual([[1, 2], 'abcde']);
    turn(60_000);
    expect(seqs()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(player.ended).toBe(true);
    expect(player.now()).toBe(BEGAN + 3_615_000);
  });

  it('plays at the chosen speed, and stops while paused', () => {
    const { player, turn, seqs } = startPlayer({ speed: 4 });
    player.toggle();
    turn(60_000);
    expect([player.position, seqs()]).toEqual([0, [1]]);
    player.toggle();
    turn(1000);
    expect(player.position).toBe(4000);
    player.faster();
    turn(1000);
    expect([player.speed, player.position]).toEqual([8, 12_000]);
    for (let press = 0; press < 20; press++) player.slower();
    turn(1000);
    expect([player.speed, player.position]).toEqual([0.25, 12_250]);
    for (let press = 0; press < 20; press++) player.faster();
    expect(player.speed).toBe(64);
  });

  it('can go back to an earlier moment, with the output until then', () => {
    const { player, turn, seqs, said } = startPlayer();
    turn(15_500);
    expect(seqs()).toEqual([1, 2, 3, 4]);
    player.step(-1);
    turn(50);
    expect(player.position).toBeCloseTo(13_060, 0);
    player.step(-1);
    expect([seqs(), said()]).toEqual([[1, 2], '']);
    turn(6050);
    expect(said()).toBe('abcde');
    player.step(1);
    expect([player.position, seqs()]).toEqual([13_010, [1, 2, 3, 4]]);
    player.phase(-1);
    expect(seqs()).toEqual([1]);
    player.toEnd();
    expect(seqs()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    player.phase(1);
    expect(player.ended).toBe(true);
    player.toggle();
    expect([player.position, player.paused, seqs()]).toEqual([0, false, [1]]);
  });

  it('can begin in the middle of a run', () => {
    const { turn, seqs, said } = startPlayer({ from: 6010 });
    turn(40);
    expect([seqs(), said()]).toEqual([[1, 2], 'abcde']);
  });
});
