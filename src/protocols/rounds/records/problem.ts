/** What can be wrong with a folder of records, in a form that scripts and people both can use. */

export type ErrorRule =
  | 'malformed-line'
  | 'unknown-value'
  | 'duplicate-id'
  | 'round-mismatch'
  | 'unknown-claim'
  | 'missing-file'
  | 'missing-anchor'
  | 'too-few-refs'
  | 'untested-claim'
  | 'no-superseder'
  | 'no-citation'
  | 'dangling-citation'
  | 'not-testable'
  | 'illegal-transition'
  | 'wrong-from'
  | 'no-new-evidence'
  | 'status-mismatch'
  | 'empty-state';

export type WarningRule =
  | 'no-status-changes'
  | 'stale-status'
  | 'untraced-status'
  | 'unlisted-claim'
  | 'no-lead-history'
  | 'no-budget'
  | 'unreadable-run-file'
  | 'ref-without-anchor'
  | 'missing-artifact'
  | 'claim-inflation'
  | 'absent-role-artifact'
  | 'absent-role-verdict'
  | 'cites-later';

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
