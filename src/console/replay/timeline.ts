/**
 * A recorded run laid out in time, for playing it back: when each fact came, when each call spoke.
 * Silences are shortened, so that a night between two attempts is no night in front of a screen.
 * Pure: milliseconds in, milliseconds out.
 */

import { isCall } from '../../kernel/call.ts';
import { KERNEL } from '../../kernel/facts.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';

/** The longest silence that is played, at the recorded speed. */
export const LONGEST_GAP_MS = 3000;

/** What a call said, spread over the time it spoke. */
export interface Utterance {
  readonly step: string;
  readonly seat: string;
  readonly call: string;
  readonly thinking: string;
  readonly text: string;
  /** Index of the fact that began the call, and of the one that ended it. */
  readonly begun: number;
  readonly ended: number;
  /** Playing time of its first and last word. */
  readonly from: number;
  readonly to: number;
}

export interface Timeline {
  readonly facts: readonly AnyFact[];
  /** Playing time of each fact. */
  readonly at: readonly number[];
  readonly utterances: readonly Utterance[];
  /** Playing time of the whole run. */
  readonly length: number;
  /** Where calls begin, and where rounds, phases, syntheses and attempts do: to jump to. */
  readonly steps: readonly number[];
  readonly phases: readonly number[];
  /** The moment of the run, in milliseconds since 1970, that is played then. */
  recordedAt(played: number): number;
  /** How long the silence was that is being shortened then; undefined where none is. */
  gapAt(played: number): number | undefined;
}

/** Starts nearer to each other than this are one place to jump to. */
const TOGETHER_MS = 100;

interface Stretch {
  readonly recorded: number;
  readonly played: number;
  readonly recordedMs: number;
  readonly playedMs: number;
}

/** `marks`: kinds of facts of the protocol's own that begin something worth jumping to. */
export function timelineOf(facts: readonly AnyFact[], marks: readonly string[]): Timeline {
  const beginsPhase = ({ type }: AnyFact): boolean =>
    BEGINS_PHASE.has(type) || marks.includes(type);
  const moments = momentsOf(facts);
  const spoken = facts.flatMap((one, index) => spokenIn(facts, moments, one, index));
  const stretches = stretchesOf(moments, spoken);
  const playedAt = (moment: number): number => {
    const one = stretches[lastAt(stretches, moment, 'recorded')];
    if (one === undefined) return 0;
    const share = one.recordedMs === 0 ? 0 : (moment - one.recorded) / one.recordedMs;
    return one.played + Math.min(1, share) * one.playedMs;
  };
  const at = moments.map(playedAt);
  const starts = (wanted: (one: AnyFact) => boolean): number[] =>
    facts
      .flatMap((one, index) => (wanted(one) ? [at[index] ?? 0] : []))
      // The last of those together: whoever jumps there finds all of them begun.
      .filter((start, index, all) => (all[index + 1] ?? Infinity) - start > TOGETHER_MS);
  return {
    facts,
    at,
    utterances: spoken.map(({ from, to, ...one }) => ({
      ...one,
      from: playedAt(from),
      to: playedAt(to),
    })),
    length: at.at(-1) ?? 0,
    steps: starts((one) => BEGINS_STEP.has(one.type) || beginsPhase(one)),
    phases: starts(
      (one) => beginsPhase(one) || (isStart(one) && one.step.startsWith('synthesis/')),
    ),
    recordedAt: (played) => {
      const one = stretches[lastAt(stretches, played, 'played')];
      if (one === undefined) return moments[0] ?? 0;
      const share = one.playedMs === 0 ? 1 : Math.min(1, (played - one.played) / one.playedMs);
      return one.recorded + Math.max(0, share) * one.recordedMs;
    },
    gapAt: (played) => {
      const one = stretches[lastAt(stretches, played, 'played')];
      return one !== undefined && one.playedMs < one.recordedMs ? one.recordedMs : undefined;
    },
  };
}

const isStart = KERNEL.is('step.started');
const BEGINS_STEP: ReadonlySet<string> = new Set(['step.started', 'gate.opened']);
const BEGINS_PHASE: ReadonlySet<string> = new Set([
  'run.started',
  'run.resumed',
  'run.ended',
  'question.asked',
]);

/**
 * Where to begin: `50%`, a time such as `90` or `2m` in `toMs`, or the step that is named or the first
 * one within it. Undefined where it is none of these.
 */
export function placeOf(
  { facts, at, length }: Timeline,
  wanted: string,
  toMs: (text: string) => number | undefined,
): number | undefined {
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(wanted)?.[1];
  if (percent !== undefined) return (Math.min(100, Number(percent)) / 100) * length;
  const step = facts.findIndex(
    (one) => isStart(one) && (one.step === wanted || one.step.startsWith(`${wanted}/`)),
  );
  if (step >= 0) return at[step];
  const ms = toMs(wanted);
  return ms === undefined ? undefined : Math.min(ms, length);
}

/** A clock may have been set back while the run went on: time does not run backwards here. */
function momentsOf(facts: readonly AnyFact[]): number[] {
  let last = 0;
  return facts.map(({ at }) => {
    last = Math.max(last, Date.parse(at));
    return last;
  });
}

/** Times are still those of the record. What was taken over from another run was not said in this one. */
function spokenIn(
  facts: readonly AnyFact[],
  moments: readonly number[],
  one: AnyFact,
  ended: number,
): Utterance[] {
  if (!isCall(one) || one.inherited === true || one.text + one.thinking === '') return [];
  const begun = facts.findLastIndex(
    (start, index) => index < ended && isStart(start) && start.attempt === one.attempt,
  );
  if (begun < 0) return [];
  const to = moments[ended] ?? 0;
  const from = Math.max(moments[begun] ?? to, to - one.latencyMs + (one.firstTokenMs ?? 0));
  const { step, seat, attempt: call, thinking, text } = one;
  return [{ step, seat, call, thinking, text, begun, ended, from: Math.min(from, to), to }];
}

/** The record cut where something begins or ends; a stretch in which nobody speaks is shortened. */
function stretchesOf(moments: readonly number[], spoken: readonly Utterance[]): Stretch[] {
  const streams = new Map<number, number>(moments.map((moment) => [moment, 0]));
  for (const { from, to } of spoken) {
    streams.set(from, (streams.get(from) ?? 0) + 1);
    streams.set(to, (streams.get(to) ?? 0) - 1);
  }
  const cuts = [...streams].sort(([left], [right]) => left - right);
  let speaking = 0;
  let played = 0;
  return cuts.map(([recorded, change], index) => {
    speaking += change;
    const recordedMs = (cuts[index + 1]?.[0] ?? recorded) - recorded;
    const playedMs = speaking > 0 ? recordedMs : Math.min(recordedMs, LONGEST_GAP_MS);
    const stretch = { recorded, played, recordedMs, playedMs };
    played += playedMs;
    return stretch;
  });
}

/** The last stretch that begins at or before `time`; the first one where none does. */
function lastAt(stretches: readonly Stretch[], time: number, by: 'recorded' | 'played'): number {
  let low = 0;
  let high = stretches.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((stretches[middle]?.[by] ?? 0) <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}
