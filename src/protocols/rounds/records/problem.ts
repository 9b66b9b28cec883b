/**
 * The problems that a folder of records can have, in a form for scripts and people. docs/records.md
 * explains each rule; a test compares the page with these lists.
 */

/**
 * The validation rules that every folder of records must keep. A violation is an error, such as a
 * contradiction, a false statement or an unreadable file.
 */
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

/**
 * The validation rules for records of runs since edition 2 of the rules of rounds. A violation is an error. Older
 * records are not checked by these rules.
 */
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

/**
 * The validation rules whose violation is an error in records of runs since edition 2 of the rules of rounds, because
 * this program never violates them. In older records and those of other programs, a violation is only a warning,
 * because a person may have written the entry on purpose.
 */
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

/**
 * The validation rules whose violation is only a warning. They concern unusual entries, and files
 * that a folder by another program may lack.
 */
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

/**
 * The name of a validation rule whose violation is an error in records of runs since edition 2 of the rules of rounds,
 * and a warning in other records.
 */
export type GuardedRule = (typeof GUARDED)[number];
/** The name of a validation rule whose violation is an error, at least in some records. */
export type ErrorRule =
  | (typeof ERRORS)[number]
  | (typeof ERRORS_OF_SECOND_RULES)[number]
  | GuardedRule;
/** The name of a validation rule whose violation is a warning, at least in some records. */
export type WarningRule = (typeof WARNINGS)[number] | GuardedRule;

/** A violation of a validation rule, with its place in the folder of records. */
export interface Problem<Rule extends ErrorRule | WarningRule> {
  readonly file: string;
  /** The line number from 1; 0 if the problem concerns the whole file. */
  readonly line: number;
  /** The id of the record. Empty if there is none, or if it cannot be read. */
  readonly id: string;
  readonly rule: Rule;
  readonly message: string;
}

/** The most characters of a foreign text in a problem's message. */
const SHOWN = 80;

/** Cuts a text to the length that fits into a problem's message. */
export function shortenText(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN - 1)}…`;
}
