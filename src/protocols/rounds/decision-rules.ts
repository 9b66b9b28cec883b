/**
 * Rules that a decision is held to beside what it cites, in runs since the sixth rules: how it came about has
 * to be borne out by the round, it is recorded once, and no two standing decisions take a claim in two ways.
 */
import { entryOf } from '../../kernel/entry.ts';
import { plainWords } from '../../text/words/quotation.ts';
import type { DecisionView, RoleName, RoundsView, RoundView } from './fold.ts';
import type { DecisionState } from './records/standing/decisions.ts';
import type { Decision } from './records/types.ts';

type Claims = RoundsView['claims'];
/** What the rules need of a decision, whether it is on record or about to be. */
type Decided = Pick<Decision, 'id' | 'text' | 'cites'>;

/** A citation as a lead hands it in. */
interface Citation {
  readonly id: string;
  readonly relation: string;
  readonly takes_as?: 'true' | 'false' | undefined;
}

/** Returns the decisions of the rounds before one that stand: neither overturned nor without their ground. */
export function findStandingDecisions(
  decisions: readonly DecisionState[],
  before: number,
): Decision[] {
  return decisions.flatMap(({ decision, standing }) =>
    standing === 'stands' && decision.round < before ? [decision] : [],
  );
}

/**
 * Returns a decision of the same words; undefined if there is none. Case, punctuation and spaces make no
 * difference, and any other word makes another decision: "the failure of the release", "of the ledger".
 */
export function findTwin<D extends Decided>(text: string, decisions: readonly D[]): D | undefined {
  const words = plainWords(text).join(' ');
  return decisions.find((decision) => plainWords(decision.text).join(' ') === words);
}

/**
 * Returns why the citations of a decision contradict one another or another decision: both take an unsettled
 * claim, one as true and one as false. A decision does not contradict those that it supersedes.
 *
 * @returns undefined if there is no contradiction
 */
export function whyContradictory(
  cites: readonly Citation[],
  decisions: readonly Decided[],
  claims: Claims,
): string | undefined {
  const superseded = supersededBy(cites);
  const taking = cites.filter(
    ({ id, relation }) => relation !== 'supersedes' && entryOf(claims, id) !== undefined,
  );
  for (const { id, takes_as: way = 'true' } of taking) {
    const isTakenOtherwise = (other: Citation): boolean =>
      other.id === id && other.relation !== 'supersedes' && (other.takes_as ?? 'true') !== way;
    if (taking.some(isTakenOtherwise)) return `it takes ${id} both as true and as false`;
    // Once a claim is settled, what takes it the other way has fallen by itself.
    if (entryOf(claims, id)?.status !== 'pending') continue;
    const other = decisions.find(
      (decision) => !superseded.has(decision.id) && decision.cites.some(isTakenOtherwise),
    );
    if (other !== undefined)
      return `it takes ${id} as ${way}, and ${other.id} takes it as ${way === 'true' ? 'false' : 'true'}; a decision that overturns ${other.id} cites it with "supersedes"`;
  }
  return undefined;
}

function supersededBy(cites: readonly Citation[]): ReadonlySet<string> {
  return new Set(cites.flatMap(({ id, relation }) => (relation === 'supersedes' ? [id] : [])));
}

/** By role: the lines of its artifact in which it does not go along with what was proposed. */
const OBJECTIONS: Readonly<Partial<Record<RoleName, RegExp>>> = {
  critic: /^#+ Verdict\s+BROKEN\b/m,
  guardian: /^#+ Verdict\s+FAIL\b/m,
  observer: /^#+ Goal reached\s+no\b/m,
};

/**
 * Returns how a decision came about: as the lead says where the round bears it out, otherwise the lead's own.
 * A consensus needs an artifact of another role, and none of another role that objects; a concession needs a
 * claim of the critic that was conceded in this round.
 */
export function findSource(
  stated: DecisionView['made_by'],
  { artifacts, moves }: RoundView,
  lead: RoleName,
  claims: Claims,
): DecisionView['made_by'] {
  const others = artifacts.filter(({ role }) => role !== lead);
  const isBorneOut =
    stated === 'consensus'
      ? others.length > 0 &&
        !others.some(({ role, markdown }) => OBJECTIONS[role]?.test(markdown) === true)
      : moves.some(
          ({ basis, claim }) =>
            basis === 'conceded' && entryOf(claims, claim)?.raised_by === 'critic',
        );
  return isBorneOut ? stated : 'round_lead';
}
