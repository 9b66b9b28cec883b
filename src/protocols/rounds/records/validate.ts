/**
 * Validates records: every named id exists, every piece of evidence can be opened, and every status
 * follows from the verdicts. Folders of other programs are validated, too; data that they may lack
 * only cause a warning.
 */
import {
  CLAIMS_FILE,
  DECISIONS_FILE,
  LEADS_FILE,
  READINGS_FILE,
  REFUSALS_FILE,
  RUN_FILE,
  SOURCES_FILE,
  VERIFICATIONS_FILE,
} from './layout.ts';
import type { ErrorRule, GuardedRule, Problem, WarningRule } from './problem.ts';
import { readFolder } from './read.ts';
import { checkClaims, checkOrigins } from './rules/claims.ts';
import { type Context, deriveContext, type Errors, makeFileReporter } from './rules/context.ts';
import { checkCited, checkDecisions } from './rules/decisions.ts';
import { checkFallenGrounds } from './rules/fallen.ts';
import { checkGrounds, checkRewordedAdoptions, checkWithdrawnGrounds } from './rules/grounds.ts';
import { checkLetterCase, checkOrder } from './rules/order.ts';
import { checkReadings, checkUnlistedFindings } from './rules/readings.ts';
import { checkMissingDrifts, checkOnce, checkRounds } from './rules/rounds.ts';
import { checkComparedRoles } from './rules/sides.ts';
import { checkStatuses } from './rules/statuses.ts';
import { checkVerifications } from './rules/verifications.ts';
import { checkUnrecordedChanges, collectWarnings } from './rules/warnings.ts';
import { deriveState } from './state-of.ts';
import type { Folder } from './types.ts';

interface Validation {
  readonly ok: boolean;
  readonly errors: readonly Problem<ErrorRule>[];
  readonly warnings: readonly Problem<WarningRule>[];
}

/**
 * Checks a folder of records by all rules.
 * @param unreadable problems with files that could not be decoded; a problem with line 0 means that
 * nothing of the file was read
 * @returns all errors and warnings, in the order in which they can be corrected; `ok` is true if there is
 * no error
 */
export function validateFolder(
  folder: Folder,
  unreadable: readonly Problem<ErrorRule>[] = [],
): Validation {
  const reading = readFolder(folder);
  const lost = unreadable.filter(({ line }) => line === 0).map(({ file }) => file);
  const context = deriveContext(folder, {
    ...reading,
    errors: [...unreadable, ...reading.errors],
    torn: new Set([...reading.torn, ...lost]),
  });
  const statuses = checkStatuses(context);
  const guarded: Problem<GuardedRule>[] = [
    ...statuses.guarded,
    ...checkUnrecordedChanges(context),
    ...checkOrigins(context),
    ...checkComparedRoles(context),
    ...checkOnce(context),
    ...checkCited(context),
  ];
  const errors: Problem<ErrorRule>[] = [
    ...emptyState(context),
    ...unknownRules(context),
    ...context.errors,
    ...checkClaims(context),
    ...checkOrder(context),
    ...checkLetterCase(context),
    ...checkVerifications(context),
    ...checkDecisions(context),
    ...checkRounds(context),
    ...statuses.errors,
    ...checkGrounds(context),
    ...checkReadings(context),
    ...(context.strict ? guarded : []),
  ];
  const warnings: Problem<WarningRule>[] = [
    ...context.warnings,
    ...collectWarnings(context),
    ...checkMissingDrifts(context),
    ...checkUnlistedFindings(context),
    ...checkRewordedAdoptions(context),
    ...checkWithdrawnGrounds(context),
    ...checkFallenGrounds(context, deriveState(context.records).decisions),
    ...(context.strict ? [] : guarded),
  ];
  return { ok: errors.length === 0, errors: inOrder(errors), warnings: inOrder(warnings) };
}

function* emptyState({ records, errors }: Context): Errors {
  const { claims, verifications, decisions } = records;
  if (claims.length + verifications.length + decisions.length + errors.length > 0) return;
  yield makeFileReporter(CLAIMS_FILE)(
    'empty-state',
    'there are no claims, verifications or decisions',
  );
}

/**
 * Reports a record of this program whose `run.json` names no edition of rules, because it would be
 * checked less strictly.
 */
function* unknownRules({ records, strict }: Context): Errors {
  if (strict) return;
  const grounded =
    (records.readings ?? []).length > 0 ||
    records.verifications.some(({ claim_status_changes = [] }) =>
      claim_status_changes.some(({ basis }) => basis !== undefined),
    );
  if (grounded)
    yield makeFileReporter(RUN_FILE)(
      'unknown-rules',
      'the records say what each status rests on, but nothing says by which rules; "rules": 2 is missing',
    );
}

/** Sorts problems by file and line, in the order in which they can be corrected. */
function inOrder<Rule extends ErrorRule | WarningRule>(problems: Problem<Rule>[]): Problem<Rule>[] {
  return problems.sort(
    (left, right) => rankFile(left.file) - rankFile(right.file) || left.line - right.line,
  );
}

const FILES = [
  CLAIMS_FILE,
  VERIFICATIONS_FILE,
  DECISIONS_FILE,
  READINGS_FILE,
  REFUSALS_FILE,
  SOURCES_FILE,
  LEADS_FILE,
  RUN_FILE,
];

function rankFile(file: string): number {
  const at = FILES.indexOf(file);
  return at < 0 ? FILES.length : at;
}
