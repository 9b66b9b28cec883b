/** Judges the record that a simulated run has left behind, by what is known of its document. */
import { entryOf } from '../../src/kernel/entry.ts';
import type { ClaimMove, ClaimView } from '../../src/protocols/rounds/fold.ts';
import { type Basis, EXECUTED_TEST } from '../../src/protocols/rounds/records/types.ts';
import type { Document, Key, Statement } from './document.ts';
import { fallenIn, markedAsFallen } from './grounds.ts';
import type { Held } from './hold.ts';

export interface Judged {
  /** Claims that the document decides, and those that ended decided as it decides them. */
  readonly decidable: number;
  readonly right: number;
  /** Settled by reading against the document, or where the document settles nothing. */
  readonly misread: number;
  /** Of those the false ones that stand confirmed. */
  readonly falseRead: number;
  readonly argued: number;
  readonly misargued: number;
  readonly executed: number;
  readonly misexecuted: number;
  /** Planted flaws that somebody claimed or denied, that were confirmed at some time, that stand at the end. */
  readonly raised: number;
  readonly found: number;
  readonly stand: number;
  /** Found, and then gone by a supersession or a concession. */
  readonly lost: number;
  /** Claimed, never decided, taken back, and taken up by nobody. */
  readonly withdrawn: number;
  readonly decisions: number;
  readonly fallen: number;
  readonly unmarked: number;
  /** Moves to a decided status that do not say how it was come by. */
  readonly groundless: number;
  /** Whether somebody who passed the entrance has read. */
  readonly believed: boolean;
  /** Moves on the ground of reading or argument. */
  readonly settled: number;
  /** Whether the last reading of the signals was something else than to continue. */
  readonly stops: boolean;
  readonly input: number;
  readonly output: number;
}

export function judgeRun({ document, view, records, tokens }: Held): Judged {
  const known = Object.values(view.claims).flatMap((claim) => {
    const statement = document.statements.find(({ text }) => text === claim.text);
    return statement === undefined || statement.kind === 'padding' ? [] : [{ claim, statement }];
  });
  const decidable = known.filter(({ statement }) => statement.key !== 'undecided');
  const settled = known.filter(({ claim }) => isDecided(claim));
  const by = (basis: Basis) =>
    settled.filter(({ claim }) => groundOf(claim, records.verifications) === basis);
  const misread = by('read').filter(({ claim, statement }) => !agrees(claim, statement.key));
  const believed = records.readings?.some((one) => one.kind === 'entrance' && one.passed) === true;
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
    argued: by('argued').length,
    misargued: by('argued').filter(({ claim, statement }) => isAgainst(claim, statement)).length,
    executed: by('executed').length,
    misexecuted: by('executed').filter(({ claim, statement }) => isAgainst(claim, statement))
      .length,
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

function agrees({ status }: ClaimView, key: Key): boolean {
  if (key === 'undecided') return false;
  return status === (key === 'true' ? 'tested_confirmed' : 'tested_refuted');
}

/** Decided against what is so, where something is: by the document, or by a command. */
function isAgainst(claim: ClaimView, { key, outcome }: Statement): boolean {
  const due: Key = outcome ?? key;
  return due !== 'undecided' && !agrees(claim, due);
}

/** A false claim that what denies it has taken the place of is decided rightly too. */
function standsRight(
  claim: ClaimView,
  { key, contrary }: Statement,
  claims: Readonly<Record<string, ClaimView>>,
): boolean {
  if (agrees(claim, key)) return true;
  const heir = entryOf(claims, claim.moves.at(-1)?.superseded_by ?? '');
  return key === 'false' && heir !== undefined && heir.text === contrary;
}

/** What the claim's status rests on; a test that was run tells by its verdict where its move does not. */
function groundOf(
  { moves }: ClaimView,
  verifications: Held['records']['verifications'],
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
