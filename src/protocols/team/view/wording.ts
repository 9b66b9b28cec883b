/** The words of a team's record as people read them: how things stand, what a check was for, what a file is. */
import { line } from '../../../text/line.ts';
import { paragraphs } from '../../../text/markdown/blocks.ts';
import { truncate } from '../../../text/width.ts';
import type { CheckKind, FactOf, RequirementState, Tier } from '../facts.ts';
import type { Level } from '../forms/plan.ts';

export type CheckRan = FactOf<'check.ran'>;

/** How a row of the team stands: a sign and a word, either of which is enough. */
export type State =
  | 'waiting'
  | 'working'
  | 'asks'
  | 'done'
  | 'green'
  | 'red'
  | 'stuck'
  | 'dropped'
  | 'skipped';

export const SIGNS: Readonly<Record<State, string>> = {
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

/** Who approved a plan: what a program has said is nobody's yes. */
export const BY_WHOM: Readonly<Record<FactOf<'team.approved'>['by'], string>> = {
  person: 'you',
  default: 'default',
  program: 'a program',
};

export const REQUIREMENT_SIGNS: Readonly<Record<RequirementState, string>> = {
  unmet: '✗',
  disputed: '?',
  unproved: '·',
  met: '✓',
};

/** What needs somebody first. */
export const REQUIREMENT_ORDER: readonly RequirementState[] = [
  'unmet',
  'disputed',
  'unproved',
  'met',
];

/** Cells of a piece of evidence where only its kind is told. */
const MOST_EVIDENCE = 80;

/** `t5-1: yes, t5-2: yes, src/streak.js`, without the quotation: enough to know what it is. */
export function shortEvidence(evidence: string): string {
  const text = line(evidence);
  const place = /^((?:t5-\d: (?:yes|no), )+[^:]+): /.exec(text)?.[1];
  return truncate(place ?? text, MOST_EVIDENCE);
}

export const LEVEL_WORDS: Readonly<Record<Level, string>> = {
  'fast-cheap': 'fast',
  capable: 'capable',
  'reasoning-heavy': 'heavy',
};

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

export const TIER_WORDS: Readonly<Record<Tier, string>> = {
  T1: 'goal and acceptance',
  T2: 'design',
  T3: 'coordination',
  T4: 'work',
  T5: 'verification',
};

/** Green by its exit code alone; what it means is judged elsewhere. */
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

/** `green`, `red (exit 1)`, `out of time`; of new tests on the base, that they were to fail there. */
export function checkWords({ exit, ended, kind, flaky }: CheckRan): string {
  const how = (): string => {
    if (ended !== undefined) return ENDED_WORDS[ended];
    if (kind === 'red-before') return exit === 0 ? 'green: shows nothing' : 'red, as expected';
    return exit === 0 ? 'green' : `red (exit ${exit ?? 'unknown'})`;
  };
  return `${how()}${flaky ? ', flaky' : ''}`;
}

export function checkSign(one: CheckRan): string {
  if (one.ended !== undefined || one.flaky) return '?';
  return isGreen(one) === (one.kind !== 'red-before') ? '✓' : '✗';
}

/** `3✓ 1✗` of several runs; empty where there is none. */
export function tallyWords(checks: readonly CheckRan[]): string {
  const green = checks.filter((one) => checkSign(one) === '✓').length;
  const rest = checks.length - green;
  return [green === 0 ? '' : `${green}✓`, rest === 0 ? '' : `${rest}✗`].filter(Boolean).join(' ');
}

/** `12 passed, 1 failed, 2 skipped`; empty where its runner is not known. */
export function countWords({ counts }: CheckRan): string {
  if (counts === undefined) return '';
  const { passed, failed, skipped } = counts;
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/** Enough of a commit to tell it from others. */
export function shortCommit(commit: string): string {
  return commit.slice(0, 8);
}

/** A heading with what stands below it; nothing where that is nothing. */
export function part(mark: string, title: string, ...below: readonly string[]): string {
  const said = paragraphs(below);
  return said === '' ? '' : `${mark} ${title}\n\n${said}`;
}

/** Who is heard in a team's page. */
export const MEMBERS = 'tiers';

/** Two texts of others in a row, each a sentence of its own. */
export function inSentences(first: string, second: string): string {
  const said = first.trim();
  return /[.!?…:;]["”’)]?$/.test(said) || said === '' || second.trim() === ''
    ? `${said} ${second}`.trim()
    : `${said}. ${second}`;
}
