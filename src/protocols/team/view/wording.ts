/** Defines how a team's record is put into words: states, purposes of checks, tiers and levels. */
import { toLine } from '../../../text/line.ts';
import { truncateLine } from '../../../text/width.ts';
import type { CheckKind, FactOf, RequirementState, Tier } from '../facts.ts';
import type { Level } from '../forms/plan.ts';

/** A run of a check on record. */
export type CheckRan = FactOf<'check.ran'>;

/**
 * The state of a row of the Team tab, which shows it by a sign and in words. `asks`: a person is asked about it.
 * `green`: passed so far or in part. `stuck`: the run ended because of it. `skipped`: left out
 * on purpose.
 */
export type RowState =
  | 'waiting'
  | 'working'
  | 'asks'
  | 'done'
  | 'green'
  | 'red'
  | 'stuck'
  | 'dropped'
  | 'skipped';

/** The sign of each state of a row of the Team tab. */
export const SIGNS: Readonly<Record<RowState, string>> = {
  waiting: '·',
  working: '●',
  asks: '?',
  done: '✓',
  green: '◐',
  red: '✗',
  stuck: '?',
  dropped: '■',
  skipped: '-',
};

/**
 * The words for who approved a plan. `you` is only for a person: an approval by a program is named
 * as such.
 */
export const BY_WHOM: Readonly<Record<FactOf<'team.approved'>['by'], string>> = {
  person: 'you',
  default: 'default',
  program: 'a program',
};

/** The sign of each state of a requirement. */
export const REQUIREMENT_SIGNS: Readonly<Record<RequirementState, string>> = {
  unmet: '✗',
  disputed: '?',
  unproved: '·',
  met: '✓',
};

/** The states of requirements, those that need attention first. */
export const REQUIREMENT_ORDER: readonly RequirementState[] = [
  'unmet',
  'disputed',
  'unproved',
  'met',
];

/** The most cells of a shortened piece of evidence. */
const MOST_EVIDENCE = 80;

/**
 * Shortens a piece of evidence to at most 80 cells. Of verifiers' statements, only the seats, their yes or no and
 * the file are kept, such as `t5-1: yes, t5-2: yes, src/streak.js`; the quotation is left out.
 */
export function shortenEvidence(evidence: string): string {
  const text = toLine(evidence);
  const place = /^((?:t5-\d: (?:yes|no), )+[^:]+): /.exec(text)?.[1];
  return truncateLine(place ?? text, MOST_EVIDENCE);
}

/** A short word for each capability level. */
export const LEVEL_WORDS: Readonly<Record<Level, string>> = {
  'fast-cheap': 'fast',
  capable: 'capable',
  'reasoning-heavy': 'heavy',
};

/** The words for why a check ran. */
export const KIND_WORDS: Readonly<Record<CheckKind, string>> = {
  base: 'before the work',
  commit: 'as committed',
  'old-tests': "with the base's tests",
  'red-before': 'new tests on the base',
  joined: 'after a join',
  probe: "verifier's probe",
  'without-locked': 'joined, without the locked tests, for comparison',
  'old-version': 'with tests as they were, for comparison',
  asked: 'asked for by T4',
};

/** What each tier is for, in words. */
export const TIER_WORDS: Readonly<Record<Tier, string>> = {
  T1: 'goal and acceptance',
  T2: 'design',
  T3: 'coordination',
  T4: 'work',
  T5: 'verification',
};

/** Returns whether a check exited with 0. What this means is judged elsewhere. */
function isGreen({ exit, ended }: CheckRan): boolean {
  return exit === 0 && ended === undefined;
}

const ENDED_WORDS: Readonly<Record<NonNullable<CheckRan['ended']>, string>> = {
  time: 'out of time',
  output: 'too much output',
  signal: 'ended by a signal',
  stopped: 'stopped',
  'not-started': 'did not start',
};

/**
 * Formats how a check ended: `green`, `red (exit 1)`, `out of time`. New tests are expected to fail on the
 * base.
 */
export function formatCheckEnd({ exit, ended, kind, flaky }: CheckRan): string {
  const describeEnd = (): string => {
    if (ended !== undefined) return ENDED_WORDS[ended];
    if (kind === 'red-before') return exit === 0 ? 'green: shows nothing' : 'red, as expected';
    return exit === 0 ? 'green' : `red (exit ${exit ?? 'unknown'})`;
  };
  return `${describeEnd()}${flaky ? ', flaky' : ''}`;
}

/**
 * Returns the sign of a run of a check: `✓` if it ended as expected, `✗` if not, `?` if it did not finish or is
 * flaky. New tests are expected to fail on the base, and every other check to pass.
 */
export function checkSign(check: CheckRan): string {
  if (check.ended !== undefined || check.flaky) return '?';
  return isGreen(check) === (check.kind !== 'red-before') ? '✓' : '✗';
}

/**
 * Formats how many of several checks have the sign `✓` and how many have another sign, such as `3✓ 1✗`;
 * empty if there are none.
 */
export function formatCheckTally(checks: readonly CheckRan[]): string {
  const green = checks.filter((check) => checkSign(check) === '✓').length;
  const rest = checks.length - green;
  return [green === 0 ? '' : `${green}✓`, rest === 0 ? '' : `${rest}✗`].filter(Boolean).join(' ');
}

/** Formats counts of tests, such as `12 passed, 1 failed, 2 skipped`; empty if they were not counted. */
export function formatTestCounts({ counts }: CheckRan): string {
  if (counts === undefined) return '';
  const { passed, failed, skipped } = counts;
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/** Returns the first 8 characters of a commit's id. */
export function shortCommit(commit: string): string {
  return commit.slice(0, 8);
}

/** The word for a team's seats in the headings of syntheses, as in `3 of 4 tiers`. */
export const MEMBERS = 'tiers';

/** Joins two texts so that each ends as a sentence of its own. */
export function joinSentences(first: string, second: string): string {
  const said = first.trim();
  return /[.!?…:;]["”’)]?$/.test(said) || said === '' || second.trim() === ''
    ? `${said} ${second}`.trim()
    : `${said}. ${second}`;
}
