/**
 * The plain vote: which options are one choice, how the votes stand, what they are worth, and what
 * became of a stance under the no-peer control. Votes decide nothing in this method; they are shown
 * beside what was tested.
 */
import { effectiveVotes } from './lineage.ts';

/** What is said beside every tally: a number that looks like a result is none. */
export const WORTH =
  'A vote decides nothing here. Seats on one model count as one voter, models of one family as partly one (an assumed correlation of 0.5).';

/** A vote as it was counted. */
export interface CountedVote {
  readonly round: number;
  /** False for the blind vote, taken before anybody had said anything. */
  readonly peers: boolean;
  /** Who found which options are one choice. */
  readonly by: 'verifier' | 'wording';
  readonly ballots: readonly {
    readonly seat: string;
    readonly model: string;
    readonly option: string;
  }[];
}

/** What became of a seat's first stance under the no-peer control. */
export interface Shift {
  readonly seat: string;
  readonly label: 'unchanged' | 'unstable' | 'persuaded' | 'conformed' | 'unexplained';
  readonly why: string;
}

/** Where a seat stands: with the panel's record or without, first or when asked once more. */
interface Stance {
  readonly seat: string;
  readonly peers: boolean;
  readonly again: boolean;
}

export interface OptionTally {
  readonly option: string;
  readonly seats: readonly string[];
  readonly votes: number;
  /** See `effectiveVotes`. */
  readonly effective: number;
}

export interface VoteReading {
  readonly round: number;
  /** False for the blind vote, taken before anybody had said anything. */
  readonly peers: boolean;
  readonly by: CountedVote['by'];
  readonly cast: number;
  /** Most votes first. */
  readonly options: readonly OptionTally[];
  /** Of the no-peer control; empty where there was none. */
  readonly shifts: readonly Shift[];
}

/** Every vote that was counted, in its order. */
export function readVotes({
  rounds,
}: {
  readonly rounds: readonly {
    readonly votes: readonly CountedVote[];
    readonly shifts: readonly Shift[];
  }[];
}): VoteReading[] {
  return rounds.flatMap((round) => round.votes.map((vote) => readVote(vote, round.shifts)));
}

/** One vote, with what the control found where it was the last one of its round. */
export function readVote(
  { round, peers, by, ballots }: CountedVote,
  shifts: readonly Shift[] = [],
): VoteReading {
  return {
    round,
    peers,
    by,
    cast: ballots.length,
    options: tally(
      ballots,
      ballots.map(({ option }) => option),
    ),
    shifts: peers ? shifts.map(({ seat, label, why }) => ({ seat, label, why })) : [],
  };
}

/** `"split it": 3 of 4, worth 1.3 independent votes; "wait": 1 of 4, worth 1.0` */
export function tallyText({ options, cast }: VoteReading): string {
  return options
    .map(
      ({ option, votes, effective }, index) =>
        `"${option}": ${votes} of ${cast}, worth ${effective.toFixed(1)}${index === 0 ? ' independent votes' : ''}`,
    )
    .join('; ');
}

/** `Round 1, blind` or `Round 8, with the record` */
export function voteTitle({ round, peers }: { round: number; peers: boolean }): string {
  return `Round ${round}, ${peers ? 'with the record' : 'blind'}`;
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

/** Whether a call only asked a seat where it stands: nothing that the deliberation is made of. */
export function isBallot(step: string): boolean {
  return /^round-\d+\/[^/]+\/(?:stance|alone)\//.test(step);
}

const OPTION_WORDS = 6;
const OPTION_LENGTH = 60;

/** An option as it stands on the ballot: one line, at most six words. */
export function ballotOption(text: string): string {
  const words = text.replace(/\s+/g, ' ').trim().split(' ').slice(0, OPTION_WORDS).join(' ');
  return [...words].slice(0, OPTION_LENGTH).join('').trim();
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

/** A place, claim or verdict named in a text. Decisions are the panel's own word and no evidence. */
const CITED = /\b[CV]-\d+-\d+\b|artifacts\/round_\d+\/[a-z]+\.md#[\w-]+/g;

/** What a stance names as its reason, in its list or in its words, as far as it exists. */
export function citesOf(
  position: string,
  listed: readonly string[],
  known: ReadonlySet<string>,
): string[] {
  const named = [...listed, position].flatMap((text) => text.match(CITED) ?? []);
  return [...new Set(named)].filter((id) => known.has(id));
}

export interface Comparison {
  /** Blind, before anybody spoke; alone, when asked once more; and with the panel's record. */
  readonly first: string;
  readonly alone: string;
  readonly peers: string;
  /** What its last answer cites and what exists. */
  readonly cites: readonly string[];
  /** Where the other seats stand with the record. */
  readonly others: readonly string[];
}

/** What became of a first stance. Options are compared as they are: group them before. */
export function compareStances({
  first,
  alone,
  peers,
  cites,
  others,
}: Comparison): Pick<Shift, 'label' | 'why'> {
  const quoted = (option: string): string => `"${option}"`;
  if (alone !== first)
    return {
      label: 'unstable',
      why: `alone, it first chose ${quoted(first)} and then ${quoted(alone)}: a change says nothing of its peers`,
    };
  if (peers === first) return { label: 'unchanged', why: `it chose ${quoted(first)} throughout` };
  const change = `alone it chose ${quoted(first)} twice, with the record ${quoted(peers)}`;
  if (cites.length > 0)
    return { label: 'persuaded', why: `${change}, and cites ${cites.join(', ')}` };
  const agreeing = others.filter((option) => option === peers).length;
  return agreeing * 2 > others.length
    ? {
        label: 'conformed',
        why: `${change}, as ${agreeing} of ${others.length} others do, and cites nothing that was tested`,
      }
    : {
        label: 'unexplained',
        why: `${change}, which is not where most others stand, and cites nothing that was tested`,
      };
}

/** A round's stance by that seat, of that kind. */
export function stanceOf<S extends Stance>(
  { stances }: { readonly stances: readonly S[] },
  seat: string,
  kind: Pick<Stance, 'peers' | 'again'>,
): S | undefined {
  return stances.find(
    (one) => one.seat === seat && one.peers === kind.peers && one.again === kind.again,
  );
}
