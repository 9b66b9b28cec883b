/**
 * Rules for decisions since edition 6 of the rules, beside those for citations: how the decision
 * was made must fit the round, it is recorded only once, and no two valid decisions use a claim in
 * opposite ways.
 */
import { entryOf } from '../../kernel/entry.ts';
import { plainWords } from '../../text/words/quotation.ts';
import type { DecisionView, RoundsView, RoundView } from './claims/rounds-view.ts';
import type { DecisionState } from './records/standing/decisions.ts';
import type { Decision, Role } from './records/types.ts';

type Claims = RoundsView['claims'];
/** The fields of a recorded or proposed decision that the rules need. */
type Decided = Pick<Decision, 'id' | 'text' | 'cites'>;

/** A citation in the form in which a lead hands it in. */
interface Citation {
  readonly id: string;
  readonly relation: string;
  readonly takes_as?: 'true' | 'false' | undefined;
}

/**
 * Returns the decisions of earlier rounds that are still valid: no later decision replaces them, and what they
 * cite (claims and verdicts) is still valid, too.
 * @param before the number of a round; only decisions of rounds before it are returned
 */
export function findStandingDecisions(
  decisions: readonly DecisionState[],
  before: number,
): Decision[] {
  return decisions.flatMap(({ decision, standing }) =>
    standing === 'stands' && decision.round < before ? [decision] : [],
  );
}

/**
 * Returns the decision in the list that has the same words, or undefined if there is none.
 * Differences in case, punctuation and spaces are ignored.
 */
export function findTwin<D extends Decided>(text: string, decisions: readonly D[]): D | undefined {
  const words = plainWords(text).join(' ');
  return decisions.find((decision) => plainWords(decision.text).join(' ') === words);
}

/**
 * Returns why a decision is refused for a contradiction, or undefined if there is no contradiction. A decision
 * must not assume the same claim to be both true and false. About an undecided claim, it must not assume the
 * opposite of what another decision assumes.
 * @param cites the citations of the new decision
 * @param decisions the decisions to compare with; those that the new decision supersedes are
 * ignored
 */
export function explainContradiction(
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

/** For each role, the lines of its artifact that object to the proposal. */
const OBJECTIONS: Readonly<Partial<Record<Role, RegExp>>> = {
  critic: /^#+ Verdict\s+BROKEN\b/m,
  guardian: /^#+ Verdict\s+FAIL\b/m,
  observer: /^#+ Goal reached\s+no\b/m,
};

/**
 * Returns how a decision came about, as records state it: by consensus, by a concession, or by the
 * lead alone (`round_lead`). The lead's own statement is returned only if the records of the round agree with it. A
 * consensus needs an artifact of another role and none that objects. A concession needs a claim
 * that the Critic withdrew in this round. Otherwise `round_lead` is returned.
 * @param stated what the lead says about its decision
 */
export function determineMadeBy(
  stated: DecisionView['made_by'],
  { artifacts, moves }: RoundView,
  lead: Role,
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
