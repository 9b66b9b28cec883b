/** Judges the record of a simulated run by the truths of its document. */
import { entryOf } from '../../src/kernel/entry.ts';
import type { ClaimMove, ClaimView } from '../../src/protocols/rounds/claims/rounds-view.ts';
import { type Basis, EXECUTED_TEST } from '../../src/protocols/rounds/records/types.ts';
import type { Document, Key, Statement } from './document.ts';
import { fallenIn, markedAsFallen } from './grounds.ts';
import type { SimulatedRun } from './hold.ts';

/** How the record of a simulated deliberation compares with the known truths of its document, as counts. */
export interface JudgedRun {
  /** Claims that the document decides. */
  readonly decidable: number;
  /** How many claims that the document decides ended as it decides. */
  readonly right: number;
  /** Claims that a reader decided otherwise than the document does, or although the document decides nothing. */
  readonly misread: number;
  /** How many of the misread claims are false but stand as confirmed. */
  readonly falseRead: number;
  /** Claims decided by argument. */
  readonly argued: number;
  /** How many claims were decided by argument against the truth. */
  readonly misargued: number;
  /** Claims decided by a command. */
  readonly executed: number;
  /** How many claims were decided by a command against the truth. */
  readonly misexecuted: number;
  /** Planted flaws that were claimed or denied. */
  readonly raised: number;
  /** How many planted flaws were confirmed at some time. */
  readonly found: number;
  /** How many planted flaws are confirmed at the end. */
  readonly stand: number;
  /** Flaws that were found and then lost by a supersession or concession. */
  readonly lost: number;
  /** Flaws that were claimed but never confirmed, and whose claim was withdrawn or superseded. */
  readonly withdrawn: number;
  /** The decisions of the deliberation. */
  readonly decisions: number;
  /** How many decisions rest on a ground that no longer holds at the end. */
  readonly fallen: number;
  /** How many of the fallen decisions the program does not mark as such. */
  readonly unmarked: number;
  /** Changes of a claim's status without a recorded basis, supersessions excepted. */
  readonly groundless: number;
  /** Whether a reader passed the entrance test, so that its readings count. */
  readonly believed: boolean;
  /** Changes of a claim's status by reading or argument. */
  readonly settled: number;
  /** Whether the last signals recommended anything else than to continue. */
  readonly stops: boolean;
  /** The estimated tokens of the prompts. */
  readonly input: number;
  /** The estimated tokens of the answers. */
  readonly output: number;
}

/** Compares the record of a simulated deliberation with the known truths of its document. */
export function judgeRun({ document, view, records, tokens }: SimulatedRun): JudgedRun {
  const known = Object.values(view.claims).flatMap((claim) => {
    const statement = document.statements.find(({ text }) => text === claim.text);
    return statement === undefined || statement.kind === 'padding' ? [] : [{ claim, statement }];
  });
  const decidable = known.filter(({ statement }) => statement.key !== 'undecided');
  const settled = known.filter(({ claim }) => isDecided(claim));
  const listByBasis = (basis: Basis) =>
    settled.filter(({ claim }) => groundOf(claim, records.verifications) === basis);
  const misread = listByBasis('read').filter(
    ({ claim, statement }) => !isDecidedAs(claim, statement.key),
  );
  const believed =
    records.readings?.some((reading) => reading.kind === 'entrance' && reading.passed) === true;
  const fallen = fallenIn(view.rounds, view.claims);
  const marked = markedAsFallen(records);
  return {
    decidable: decidable.length,
    right: decidable.filter(({ claim, statement }) => standsRight(claim, statement, view.claims))
      .length,
    misread: misread.length,
    falseRead: misread.filter(
      ({ claim, statement }) => claim.status === 'tested_confirmed' && statement.key === 'false',
    ).length,
    argued: listByBasis('argued').length,
    misargued: listByBasis('argued').filter(({ claim, statement }) => isAgainst(claim, statement))
      .length,
    executed: listByBasis('executed').length,
    misexecuted: listByBasis('executed').filter(({ claim, statement }) =>
      isAgainst(claim, statement),
    ).length,
    ...flawsIn(document, Object.values(view.claims)),
    decisions: records.decisions.length,
    fallen: fallen.size,
    unmarked: [...fallen].filter((id) => !marked.has(id)).length,
    groundless: Object.values(view.claims)
      .flatMap(({ moves }) => moves)
      .filter(({ to, basis }) => to !== 'superseded' && basis === undefined).length,
    believed,
    settled: Object.values(view.claims)
      .flatMap(({ moves }) => moves)
      .filter(({ basis }) => basis === 'read' || basis === 'argued').length,
    stops: (view.rounds.at(-1)?.signals?.recommendation ?? 'continue') !== 'continue',
    ...tokens,
  };
}

function isDecided({ status }: ClaimView): boolean {
  return status === 'tested_confirmed' || status === 'tested_refuted';
}

function isDecidedAs({ status }: ClaimView, key: Key): boolean {
  if (key === 'undecided') return false;
  return status === (key === 'true' ? 'tested_confirmed' : 'tested_refuted');
}

/** Returns whether a claim is decided against the truth, if the document or a command decides it. */
function isAgainst(claim: ClaimView, { key, outcome }: Statement): boolean {
  const due: Key = outcome ?? key;
  return due !== 'undecided' && !isDecidedAs(claim, due);
}

/** Returns whether the outcome is right. A false claim that was replaced by its denial is decided correctly. */
function standsRight(
  claim: ClaimView,
  { key, contrary }: Statement,
  claims: Readonly<Record<string, ClaimView>>,
): boolean {
  if (isDecidedAs(claim, key)) return true;
  const heir = entryOf(claims, claim.moves.at(-1)?.superseded_by ?? '');
  return key === 'false' && heir !== undefined && heir.text === contrary;
}

/**
 * Returns what the claim's status rests on. For a test, the verdict says so, because the change of status
 * does not.
 */
function groundOf(
  { moves }: ClaimView,
  verifications: SimulatedRun['records']['verifications'],
): Basis | undefined {
  const last = moves.at(-1);
  const check = verifications.find(({ id }) => id === last?.verification)?.check;
  return last?.basis ?? (check === EXECUTED_TEST ? 'executed' : undefined);
}

function flawsIn({ statements }: Document, claims: readonly ClaimView[]) {
  const numbers = new Set(statements.flatMap(({ flaw }) => flaw?.number ?? []));
  const counts = { raised: 0, found: 0, stand: 0, lost: 0, withdrawn: 0 };
  for (const number of numbers) {
    const textOf = (finds: boolean) =>
      statements.find(({ flaw }) => flaw?.number === number && flaw.finds === finds)?.text;
    const finders = claims.filter(({ text }) => text === textOf(true));
    const deniers = claims.filter(({ text }) => text === textOf(false));
    const stands =
      finders.some(({ status }) => status === 'tested_confirmed') ||
      deniers.some(({ status }) => status === 'tested_refuted');
    const found = finders.some(({ moves }) => moves.some(({ to }) => to === 'tested_confirmed'));
    const gone = finders.some(({ moves }) => isGivenUp(moves.at(-1)));
    if (finders.length + deniers.length > 0) counts.raised += 1;
    if (found) counts.found += 1;
    if (stands) counts.stand += 1;
    if (found && !stands && gone) counts.lost += 1;
    if (finders.length > 0 && !found && !stands && gone) counts.withdrawn += 1;
  }
  return counts;
}

function isGivenUp(last: ClaimMove | undefined): boolean {
  return last?.to === 'superseded' || last?.basis === 'conceded';
}
