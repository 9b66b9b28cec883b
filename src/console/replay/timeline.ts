/**
 * Computes the times for playing back a recorded run: when each fact is due and when each call speaks. Silences
 * are shortened, so that nobody waits for a night between two attempts. Pure functions on milliseconds.
 */

import { isCall } from '../../kernel/call.ts';
import { KERNEL } from '../../kernel/facts.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';

/** The longest silence that is played back at its recorded length, in milliseconds. */
export const LONGEST_GAP_MS = 3000;

/** The output of one call, which is played back over the time in which it arrived. */
export interface Utterance {
  /** The key of the step. */
  readonly step: string;
  readonly seat: string;
  /** The id of the call's attempt. */
  readonly call: string;
  readonly thinking: string;
  readonly text: string;
  /** The index of the fact with which the call began. */
  readonly begun: number;
  /** The index of the fact with which the call ended. */
  readonly ended: number;
  /** The playing time of the first word; if that time is not recorded, the playing time of the call's beginning. */
  readonly from: number;
  /** The playing time of the last word. */
  readonly to: number;
}

/**
 * A recorded run with playing times. Playing time is recorded time with long silences shortened, in
 * milliseconds.
 */
export interface Timeline {
  readonly facts: readonly AnyFact[];
  /** The playing time of each fact. */
  readonly at: readonly number[];
  readonly utterances: readonly Utterance[];
  /** The playing time of the whole run. */
  readonly length: number;
  /** The playing times of the steps that a person can jump to, such as calls. */
  readonly steps: readonly number[];
  /** The playing times of the phases that a person can jump to, such as rounds. */
  readonly phases: readonly number[];
  /** Converts a playing time to the recorded time, in milliseconds since 1970. */
  recordedAt(played: number): number;
  /**
   * Returns the recorded length, in milliseconds, of the silence that is shortened at a playing time;
   * undefined if none is.
   */
  gapAt(played: number): number | undefined;
}

/** Beginnings that are closer than this are one place to jump to. */
const TOGETHER_MS = 100;

interface Stretch {
  readonly recorded: number;
  readonly played: number;
  readonly recordedMs: number;
  readonly playedMs: number;
}

/**
 * Computes the playing times of a run's facts and texts. Long silences are shortened.
 * @param marks types of the protocol's facts at which phases begin, besides attempts, further questions and
 *   syntheses
 */
export function timelineOf(facts: readonly AnyFact[], marks: readonly string[]): Timeline {
  const beginsPhase = ({ type }: AnyFact): boolean =>
    BEGINS_PHASE.has(type) || marks.includes(type);
  const moments = momentsOf(facts);
  const spoken = facts.flatMap((fact, index) => spokenIn(facts, moments, fact, index));
  const stretches = stretchesOf(moments, spoken);
  const playedAt = (moment: number): number => {
    const stretch = stretches[lastAt(stretches, moment, 'recorded')];
    if (stretch === undefined) return 0;
    const share = stretch.recordedMs === 0 ? 0 : (moment - stretch.recorded) / stretch.recordedMs;
    return stretch.played + Math.min(1, share) * stretch.playedMs;
  };
  const at = moments.map(playedAt);
  const listStarts = (wanted: (fact: AnyFact) => boolean): number[] =>
    facts
      .flatMap((fact, index) => (wanted(fact) ? [at[index] ?? 0] : []))
      // If several steps or phases start at almost the same time, offer a jump only to the last of them: what
      // started just before it is then on the screen as well.
      .filter((start, index, all) => (all[index + 1] ?? Infinity) - start > TOGETHER_MS);
  return {
    facts,
    at,
    utterances: spoken.map(({ from, to, ...utterance }) => ({
      ...utterance,
      from: playedAt(from),
      to: playedAt(to),
    })),
    length: at.at(-1) ?? 0,
    steps: listStarts((fact) => BEGINS_STEP.has(fact.type) || beginsPhase(fact)),
    phases: listStarts(
      (fact) => beginsPhase(fact) || (isStart(fact) && fact.step.startsWith('synthesis/')),
    ),
    recordedAt: (played) => {
      const stretch = stretches[lastAt(stretches, played, 'played')];
      if (stretch === undefined) return moments[0] ?? 0;
      const share =
        stretch.playedMs === 0 ? 1 : Math.min(1, (played - stretch.played) / stretch.playedMs);
      return stretch.recorded + Math.max(0, share) * stretch.recordedMs;
    },
    gapAt: (played) => {
      const stretch = stretches[lastAt(stretches, played, 'played')];
      return stretch !== undefined && stretch.playedMs < stretch.recordedMs
        ? stretch.recordedMs
        : undefined;
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
 * Converts a position that a person wrote to a playing time in milliseconds. The position is a share
 * (`50%`), the key of a step or the first parts of a key, or a playing time such as `90` or `2m`. What
 * lies beyond the end means the end. Returns undefined for other texts.
 *
 * @param toMs converts a time such as `2m` to milliseconds; returns undefined for other texts
 */
export function toPlayingTime(
  { facts, at, length }: Timeline,
  wanted: string,
  toMs: (text: string) => number | undefined,
): number | undefined {
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(wanted)?.[1];
  if (percent !== undefined) return (Math.min(100, Number(percent)) / 100) * length;
  const step = facts.findIndex(
    (fact) => isStart(fact) && (fact.step === wanted || fact.step.startsWith(`${wanted}/`)),
  );
  if (step >= 0) return at[step];
  const ms = toMs(wanted);
  return ms === undefined ? undefined : Math.min(ms, length);
}

/** Returns the facts' times, made monotonic, because the clock may have been set back during the run. */
function momentsOf(facts: readonly AnyFact[]): number[] {
  let last = 0;
  return facts.map(({ at }) => {
    last = Math.max(last, Date.parse(at));
    return last;
  });
}

/** Returns the utterances with recorded times. Calls copied from another run are left out. */
function spokenIn(
  facts: readonly AnyFact[],
  moments: readonly number[],
  fact: AnyFact,
  ended: number,
): Utterance[] {
  if (!isCall(fact) || fact.inherited === true || fact.text + fact.thinking === '') return [];
  const begun = facts.findLastIndex(
    (start, index) => index < ended && isStart(start) && start.attempt === fact.attempt,
  );
  if (begun < 0) return [];
  const to = moments[ended] ?? 0;
  const from = Math.max(moments[begun] ?? to, to - fact.latencyMs + (fact.firstTokenMs ?? 0));
  const { step, seat, attempt: call, thinking, text } = fact;
  return [{ step, seat, call, thinking, text, begun, ended, from: Math.min(from, to), to }];
}

/** Divides the record where something begins or ends; stretches without output are shortened. */
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

/** Returns the index of the last stretch that begins at or before `time`; 0 if there is none. */
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
