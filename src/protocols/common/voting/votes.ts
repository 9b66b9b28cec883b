/**
 * The plain vote: which options code recognizes as the same choice, how many votes each has, and what they are
 * worth. `same-choice.ts` asks a model about the other options.
 */
import { joinLines } from '../../../text/line.ts';
import { countEffectiveVotes } from './lineage.ts';

/**
 * The sentence beside every count of votes, which says that a vote decides nothing and how related
 * models are counted.
 */
export const WORTH =
  'A vote decides nothing here. Seats on one model count as one voter, models of one family as partly one (an assumed correlation of 0.5).';

/** An option with its votes. */
export interface OptionTally {
  readonly option: string;
  /** The ids of the seats that voted for the option. */
  readonly seats: readonly string[];
  /** The number of ballots for the option. */
  readonly votes: number;
  /** How many independent votes these ballots are worth; see `countEffectiveVotes`. */
  readonly effective: number;
}

/**
 * Counts the votes for each option, most votes first. Of options with equally many, the one that is worth more
 * independent votes is first.
 * @param labels for each ballot, in the order of `ballots`, the option that it counts for
 */
export function countVotes(
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
        effective: countEffectiveVotes(own.map(({ model }) => model)),
      };
    })
    .sort((left, right) => right.votes - left.votes || right.effective - left.effective);
}

const OPTION_WORDS = 6;
const OPTION_LENGTH = 60;

/** Shortens an option to the length of a ballot: one line of at most six words and sixty characters. */
export function shortenOption(text: string): string {
  const words = joinLines(text).split(' ').slice(0, OPTION_WORDS).join(' ');
  return [...words].slice(0, OPTION_LENGTH).join('').trim();
}

/** Formats a confidence from 0 to 1 with at most two decimal places: `0.86`, `1`. */
export function formatConfidence(confidence: number): string {
  return String(Number(confidence.toFixed(2)));
}

/**
 * Normalizes an option for comparison: options become equal if they have the same words, whatever their case and
 * the punctuation and spaces between the words.
 */
export function normalizeOption(option: string): string {
  const plain = option
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  // Keep the signs of an option that has neither letters nor digits, because "+" and "-" differ as much as "yes" and
  // "no".
  return plain === '' ? option.trim() : plain;
}

const NOT = /^(?:not|no|never|dont|don|without|against|cannot|cant|avoid|reject)$/;
/** Matches words that do not distinguish options from each other. */
const IDLE =
  /^(?:t|a|an|the|it|this|that|to|do|does|we|i|should|will|be|is|now|yes|please|just|go|for)$/;

/**
 * Returns whether the wording alone shows that two options differ: a yes and a no, a phrase and its
 * negation, or different numbers. Only English negations are recognized, so false means that the
 * wording does not decide.
 */
export function areOpposed(one: string, other: string): boolean {
  const [left, right] = [wordingOf(one), wordingOf(other)];
  if (left.numbers.length > 0 && right.numbers.length > 0)
    if (left.numbers.join() !== right.numbers.join()) return true;
  if (left.denies === right.denies) return false;
  const isContained = (few: readonly string[], many: readonly string[]) =>
    few.length > 0 ? few.every((word) => many.includes(word)) : many.length === 0;
  return isContained(left.about, right.about) || isContained(right.about, left.about);
}

interface Wording {
  readonly denies: boolean;
  readonly about: readonly string[];
  readonly numbers: readonly string[];
}

function wordingOf(option: string): Wording {
  const words = normalizeOption(option).split(' ');
  return {
    denies: words.filter((word) => NOT.test(word)).length % 2 === 1,
    about: words.filter((word) => !NOT.test(word) && !IDLE.test(word)),
    numbers: words.filter((word) => /^\d/.test(word)).sort(),
  };
}

/**
 * Groups options that mean the same choice. Options that `normalizeOption` makes equal are always in one group.
 * Returns for each option the first wording in its group.
 * @param same pairs of indexes in `options` that mean the same choice
 * @param apart returns whether two options must stay in different groups
 */
export function groupOptions(
  options: readonly string[],
  same: readonly (readonly [number, number])[] = [],
  apart: (one: string, other: string) => boolean = () => false,
): string[] {
  const leader = options.map((option) =>
    options.findIndex((other) => normalizeOption(other) === normalizeOption(option)),
  );
  for (const [one, other] of same) {
    const [left, right] = [leader[one], leader[other]];
    if (left === undefined || right === undefined) continue;
    const getGroup = (of: number) => options.filter((_option, index) => leader[index] === of);
    if (
      getGroup(left).some((leftOption) =>
        getGroup(right).some((rightOption) => apart(leftOption, rightOption)),
      )
    )
      continue;
    const [first, later] = [Math.min(left, right), Math.max(left, right)];
    leader.forEach((own, index) => {
      if (own === later) leader[index] = first;
    });
  }
  return leader.map((index) => options[index] ?? '');
}
