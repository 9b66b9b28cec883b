/**
 * Whether the records hold together: every id that is named exists, every piece of evidence can be
 * opened, and every status is what the verdicts make it. Runs over folders of our own and of others;
 * what a foreign folder may well lack is a warning, not an error.
 */
import { differentRefs, type Resolution, resolver } from './anchors.ts';
import {
  CLAIMS_FILE,
  DECISIONS_FILE,
  LEADS_FILE,
  RUN_FILE,
  roundOfId,
  VERIFICATIONS_FILE,
} from './layout.ts';
import type { ErrorRule, Problem, WarningRule } from './problem.ts';
import { type Reading, readFolder } from './read.ts';
import { says } from './said.ts';
import { checkStatuses } from './status-rules.ts';
import { affectedBy } from './timeline.ts';
import { MIN_REFS } from './transitions.ts';
import { type Folder, isTested } from './types.ts';
import { warningsOf } from './warnings.ts';

export interface Validation {
  readonly ok: boolean;
  readonly errors: readonly Problem<ErrorRule>[];
  readonly warnings: readonly Problem<WarningRule>[];
}

export function validateFolder(folder: Folder): Validation {
  const reading = readFolder(folder);
  const resolve = resolver(folder);
  const known = idsOf(reading);
  const statuses = checkStatuses(reading);
  const errors = [
    ...emptyState(reading),
    ...reading.errors,
    ...checkClaims(reading, known),
    ...checkVerifications(reading, known, resolve),
    ...checkDecisions(reading, known),
    ...statuses.errors,
  ];
  const warnings = [...reading.warnings, ...statuses.warnings, ...warningsOf(reading, resolve)];
  return { ok: errors.length === 0, errors: inOrder(errors), warnings: inOrder(warnings) };
}

/** Whether an id can be cited: of its record, or of a line that is wrong in one field or in all. */
interface Ids {
  readonly claim: (id: string) => boolean;
  readonly verification: (id: string) => boolean;
  readonly decision: (id: string) => boolean;
}

function idsOf({ records, errors }: Reading): Ids {
  const known = (file: string, all: readonly { readonly id: string }[]) => {
    const bad = errors.filter((error) => error.file === file);
    const ids = new Set([...all, ...bad].map(({ id }) => id));
    // A line without an id that can be read may have had any.
    return (id: string) => ids.has(id) || ids.has('');
  };
  return {
    claim: known(CLAIMS_FILE, records.claims),
    verification: known(VERIFICATIONS_FILE, records.verifications),
    decision: known(DECISIONS_FILE, records.decisions),
  };
}

function* emptyState({ records, errors }: Reading): Generator<Problem<ErrorRule>> {
  const { claims, verifications, decisions } = records;
  if (claims.length + verifications.length + decisions.length + errors.length > 0) return;
  const message = 'there are no claims, verifications or decisions';
  yield { file: CLAIMS_FILE, line: 0, id: '', rule: 'empty-state', message };
}

type Say = (rule: ErrorRule, message: string) => Problem<ErrorRule>;

function* checkClaims(
  { records, lineOf, torn }: Reading,
  known: Ids,
): Generator<Problem<ErrorRule>> {
  const { claims, verifications } = records;
  const affected = new Set(verifications.flatMap((one) => [...affectedBy(one)]));
  const superseders = new Map<string, number>();
  for (const [index, { supersedes, id }] of claims.entries())
    if (supersedes !== undefined && supersedes !== id) superseders.set(supersedes, index);
  for (const [index, claim] of claims.entries()) {
    const say = sayerOf(CLAIMS_FILE, lineOf.get(claim), claim.id);
    yield* checkRound(say, 'C', claim);
    if (!says(claim.testable_as))
      yield say('not-testable', `nothing says what would settle ${claim.id}`);
    if (claim.supersedes !== undefined && !known.claim(claim.supersedes))
      yield say('unknown-claim', `it supersedes ${claim.supersedes}, which does not exist`);
    const replaced = torn.has(CLAIMS_FILE) || (superseders.get(claim.id) ?? -1) > index;
    if (claim.status === 'superseded' && !replaced)
      yield say('no-superseder', `no later claim supersedes ${claim.id}`);
    const seen = torn.has(VERIFICATIONS_FILE) || affected.has(claim.id);
    if (isTested(claim.status) && !seen)
      yield say('untested-claim', `${claim.id} is ${claim.status}, but no verification affects it`);
  }
}

function* checkVerifications(
  { records, lineOf }: Reading,
  known: Ids,
  resolve: (ref: string) => Resolution,
): Generator<Problem<ErrorRule>> {
  for (const one of records.verifications) {
    const say = sayerOf(VERIFICATIONS_FILE, lineOf.get(one), one.id);
    yield* checkRound(say, 'V', one);
    for (const id of affectedBy(one))
      if (!known.claim(id)) yield say('unknown-claim', `there is no claim ${id}`);
    if (one.result === 'NOT_APPLICABLE') continue;
    const refs = differentRefs(one.evidence_refs);
    if (refs.length < MIN_REFS) {
      const repeated = one.evidence_refs.length > refs.length ? ' different' : '';
      yield say('too-few-refs', `${refs.length}${repeated} evidence refs, ${MIN_REFS} needed`);
    }
    for (const ref of refs) {
      const found = resolve(ref);
      if (found.state === 'no-file')
        yield say(
          'missing-file',
          found.outside ? `${ref} leads out of the folder` : `${found.path} does not exist`,
        );
      if (found.state === 'no-anchor') {
        const hint = found.near.length > 0 ? `; there is #${found.near.join(', #')}` : '';
        yield say('missing-anchor', `${found.path} has no #${found.anchor}${hint}`);
      }
    }
  }
}

function* checkDecisions({ records, lineOf }: Reading, known: Ids): Generator<Problem<ErrorRule>> {
  for (const decision of records.decisions) {
    const say = sayerOf(DECISIONS_FILE, lineOf.get(decision), decision.id);
    yield* checkRound(say, 'D', decision);
    if (decision.cites.length === 0) yield say('no-citation', `${decision.id} cites nothing`);
    for (const { type, id } of decision.cites)
      if (!known[type](id)) yield say('dangling-citation', `there is no ${type} ${id}`);
  }
}

function* checkRound(
  say: Say,
  kind: 'C' | 'V' | 'D',
  { id, round }: { readonly id: string; readonly round: number },
): Generator<Problem<ErrorRule>> {
  const named = roundOfId(kind, id);
  if (named === undefined) yield say('round-mismatch', `${id} is not ${kind}-{round}-{number}`);
  else if (named !== round) yield say('round-mismatch', `${id} stands in round ${round}`);
}

function sayerOf(file: string, line = 0, id = ''): Say {
  return (rule, message) => ({ file, line, id, rule, message });
}

/** File by file and line by line, as one goes through them to put them right. */
function inOrder<Rule extends ErrorRule | WarningRule>(problems: Problem<Rule>[]): Problem<Rule>[] {
  return problems.sort(
    (left, right) => rank(left.file) - rank(right.file) || left.line - right.line,
  );
}

const FILES = [CLAIMS_FILE, VERIFICATIONS_FILE, DECISIONS_FILE, LEADS_FILE, RUN_FILE];

function rank(file: string): number {
  const at = FILES.indexOf(file);
  return at < 0 ? FILES.length : at;
}
