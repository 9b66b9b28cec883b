/**
 * What can be wrong with a folder of records, in a form that scripts and people both can use. docs/records.md
 * says what each rule asks for; a test holds the page against these lists.
 */

/** The record contradicts itself, lies, or cannot be read: whoever kept it. */
export const ERRORS = [
  'malformed-line',
  'unknown-value',
  'not-utf8',
  'duplicate-key',
  'duplicate-id',
  'changed-record',
  'round-mismatch',
  'empty-text',
  'unknown-claim',
  'unlisted-claim',
  'missing-file',
  'missing-anchor',
  'too-few-refs',
  'later-evidence',
  'untested-claim',
  'no-superseder',
  'circular-supersession',
  'backwards',
  'no-citation',
  'self-citation',
  'dangling-citation',
  'not-testable',
  'illegal-transition',
  'wrong-from',
  'no-new-evidence',
  'status-mismatch',
  'absent-lead',
  'doubled-lead',
  'missing-check',
  'unknown-rules',
  'empty-state',
] as const;

/** Asked only of folders that say they were held under the second rules. */
export const ERRORS_OF_SECOND_RULES = [
  'degraded-evidence',
  'wrong-basis',
  'weak-ground',
  'weak-superseder',
  'wrong-line',
  'uncited-ref',
  'no-quotation',
  'false-quotation',
  'found-word',
  'no-finding',
  'no-second-look',
  'no-entrance',
] as const;

/** Errors under the second rules, whose code keeps them; elsewhere a person may have had a reason. */
export const GUARDED = [
  'one-sided',
  'wrong-role',
  'raised-elsewhere',
  'unknown-seat',
  'withdrawn-ground',
  'cites-later',
  'doubled-check',
  'missing-lead',
  'no-status-changes',
  'stale-status',
  'untraced-status',
] as const;

/** Lawful and still worth a look, or what a foreign folder may well lack. */
export const WARNINGS = [
  'byte-order-mark',
  'crlf',
  'missing-drift',
  'unlisted-finding',
  'reworded-adoption',
  'relied-on',
  'fallen-ground',
  'no-lead-history',
  'no-budget',
  'unreadable-run-file',
  'ref-without-anchor',
  'missing-artifact',
  'claim-inflation',
  'absent-role-artifact',
  'absent-role-verdict',
] as const;

export type GuardedRule = (typeof GUARDED)[number];
export type ErrorRule =
  | (typeof ERRORS)[number]
  | (typeof ERRORS_OF_SECOND_RULES)[number]
  | GuardedRule;
export type WarningRule = (typeof WARNINGS)[number] | GuardedRule;

export interface Problem<Rule extends ErrorRule | WarningRule> {
  readonly file: string;
  /** Counted from 1; 0 where it is about the file as a whole. */
  readonly line: number;
  /** Of the record, empty where there is none or it cannot be read. */
  readonly id: string;
  readonly rule: Rule;
  readonly message: string;
}

/** Enough of a foreign text to recognise it by. */
const SHOWN = 80;

export function shorten(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN - 1)}…`;
}
