/** Defines the Checks tab: every run of a check, why it ran, and what it printed. */
import { recordKind } from '../../../record-kinds/kind.ts';
import { formatMs } from '../../../text/numbers.ts';
import type { TeamDisplay } from './display-state.ts';
import { checkText, checkTone, countCells } from './task-text.ts';
import { type CheckRan, formatCheckEnd, KIND_WORDS, shortCommit } from './wording.ts';

/** From this width in cells on, the tab has room for the commit and all counts. */
const WIDE = 110;

/** A run of a check. Runs have no ids, so they are numbered from 1. */
type NumberedCheck = CheckRan & { readonly number: number };

/** The kind of record for runs of checks: the Checks tab and its section of the report. */
export const CHECK = recordKind({
  name: 'Checks',
  about:
    'Every run of a check, in order. New tests must fail on the base; everything else must be green.',
  all: ({ team: { checks } }: TeamDisplay) =>
    checks.map((check, at) => ({ ...check, number: at + 1 })),
  none: () => 'No checks yet.',
  id: ({ number }: NumberedCheck) => `check-${number}`,
  heading: ({ check, kind }) => `${check} · ${KIND_WORDS[kind]}`,
  columns: [
    { title: 'check', of: (check) => ({ text: check.check, tone: checkTone(check) }) },
    { title: 'purpose', of: ({ kind }) => KIND_WORDS[kind] },
    { title: 'result', of: formatCheckEnd },
    { title: 'of', of: subjectOf },
    { title: 'on', from: WIDE, of: ({ on }) => shortCommit(on) },
    { title: '>passed', of: (check) => countCells(check)[0] ?? '' },
    { title: '>failed', of: (check) => countCells(check)[1] ?? '' },
    { title: '>skipped', from: WIDE, of: (check) => countCells(check)[2] ?? '' },
    { title: '>time', from: WIDE, of: ({ ms }) => formatMs(ms) },
  ],
  details: (check) => [checkText(check)],
});

/**
 * Returns what a check was run for, such as `json-flag 2` for a task's second attempt, or a workstream;
 * empty for a check of the base.
 */
function subjectOf({ task, attempt, workstream = '' }: CheckRan): string {
  if (task === undefined) return workstream;
  return attempt === undefined ? task : `${task} ${attempt}`;
}
