/**
 * The plain vote: which options code can tell to be one choice, how the votes stand, and what they are
 * worth. What a model is asked of the other options is in `same-choice.ts`.
 */
import { joinLines } from '../../text/line.ts';
import { effectiveVotes } from './lineage.ts';

/** What is said beside every tally: a number that looks like a result is none. */
export const WORTH =
  'A vote decides nothing here. Seats on one model count as one voter, models of one family as partly one (an assumed correlation of 0.5).';

export interface OptionTally {
  readonly option: string;
  readonly seats: readonly string[];
  readonly votes: number;
  /** See `effectiveVotes`. */
  readonly effective: number;
}

/** Ballots by what they choose, most votes first. `labels` names what each chooses. */
export function tally(
  ballots: readonly { readonly seat: string; readonly model: string }[],
  labels: readonly string[],
): OptionTally[] {
  return [...new Set(labels)]
    .map((option) => {
      const own = ballots.filter((_one, index) => labels[index] === option);
      return {
        option,
        seats: own.map(({ seat }) => seat),
        votes: own.length,
        effective: effectiveVotes(own.map(({ model }) => model)),
      };
    })
    .sort((left, right) => right.votes - left.votes || right.effective - left.effective);
}

const OPTION_WORDS = 6;
const OPTION_LENGTH = 60;

/** An option as it stands on the ballot: one line, at most six words. */
export function ballotOption(text: string): string {
  const words = joinLines(text).split(' ').slice(0, OPTION_WORDS).join(' ');
  return [...words].slice(0, OPTION_LENGTH).join('').trim();
}

/** A confidence with two digits at most: `0.86`, `1`. */
export function formatConfidence(confidence: number): string {
  return String(Number(confidence.toFixed(2)));
}

/** Equal for options that differ in case, punctuation or spaces only. */
export function normalize(option: string): string {
  const plain = option
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  // An option of signs only is itself: "+" and "-" are no more the same than "yes" and "no".
  return plain === '' ? option.trim() : plain;
}

const NOT = /^(?:not|no|never|dont|don|without|against|cannot|cant|avoid|reject)$/;
/** Words that choose nothing by themselves. */
const IDLE =
  /^(?:t|a|an|the|it|this|that|to|do|does|we|i|should|will|be|is|now|yes|please|just|go|for)$/;

/**
 * Whether the wording alone shows that two options are not one choice, whoever says they are: a yes and
 * a no, one word for word the other's denial, or other numbers (`wait 2 weeks`, `wait 6 weeks`). It knows
 * English denials only; false means that code cannot tell.
 */
export function areOpposed(one: string, other: string): boolean {
  const [left, right] = [wordingOf(one), wordingOf(other)];
  if (left.numbers.length > 0 && right.numbers.length > 0)
    if (left.numbers.join() !== right.numbers.join()) return true;
  if (left.denies === right.denies) return false;
  const within = (few: readonly string[], many: readonly string[]) =>
    few.length > 0 ? few.every((word) => many.includes(word)) : many.length === 0;
  return within(left.about, right.about) || within(right.about, left.about);
}

interface Wording {
  readonly denies: boolean;
  readonly about: readonly string[];
  readonly numbers: readonly string[];
}

function wordingOf(option: string): Wording {
  const words = normalize(option).split(' ');
  return {
    denies: words.filter((word) => NOT.test(word)).length % 2 === 1,
    about: words.filter((word) => !NOT.test(word) && !IDLE.test(word)),
    numbers: words.filter((word) => /^\d/.test(word)).sort(),
  };
}

/**
 * The wording that stands for each option: that of the earliest one of its group. `same` holds pairs
 * that somebody found to be one choice, by their place in `options`; none puts two options into one
 * group that `apart` keeps apart.
 */
export function groupOptions(
  options: readonly string[],
  same: readonly (readonly [number, number])[] = [],
  apart: (one: string, other: string) => boolean = () => false,
): string[] {
  const leader = options.map((option) =>
    options.findIndex((other) => normalize(other) === normalize(option)),
  );
  for (const [one, other] of same) {
    const [left, right] = [leader[one], leader[other]];
    if (left === undefined || right === undefined) continue;
    const group = (of: number) => options.filter((_option, index) => leader[index] === of);
    if (group(left).some((mine) => group(right).some((theirs) => apart(mine, theirs)))) continue;
    const [first, later] = [Math.min(left, right), Math.max(left, right)];
    leader.forEach((own, index) => {
      if (own === later) leader[index] = first;
    });
  }
  return leader.map((index) => options[index] ?? '');
}
