/** The unresolved conflicts between seats and between readers, one sentence each. */
import { joinLines } from '../../../../text/line.ts';
import type { Records } from '../records.ts';
import type { Quotation } from '../types.ts';
import { type ClaimState, type Finding, findLastFindings } from './claims.ts';

/** The most characters that a sentence quotes. */
const QUOTED = 160;

/**
 * Returns the unresolved conflicts at present, one sentence for each. They are, in this order: conflicts that a lead
 * named last; open claims about which the reader and the second look differ; open claims about which the
 * verifier and code interpret a verdict differently; and claims that contradict a decided claim.
 */
export function listTensions(records: Records, claims: readonly ClaimState[]): string[] {
  const findings = findLastFindings(records);
  const byId = new Map(claims.map((claimState) => [claimState.claim.id, claimState]));
  const last = (records.closings ?? []).toSorted((left, right) => left.round - right.round).at(-1);
  return [
    ...(last?.tensions ?? []),
    ...claims.flatMap((claimState) => {
      const finding = findings.get(claimState.claim.id);
      const differ =
        claimState.standing === 'open' && finding && describeReadersDifference(finding);
      return differ ? [`${claimState.claim.id}: ${differ}`] : [];
    }),
    ...entriesDiffer(records, byId),
    ...claims.flatMap((claimState) =>
      claimState.challengers.map((id) => formatDenial(claimState, byId.get(id))),
    ),
  ];
}

/** The second reader's result that agrees with each finding of the first. */
const SAME: Readonly<Partial<Record<Finding['finding'], 'true' | 'false'>>> = {
  true_in_text: 'true',
  false_in_text: 'false',
};

/**
 * Describes how two readers differ: `one reader finds it true …; a second cannot tell from that
 * alone.` Returns undefined if they agree, or if there was no second look.
 */
export function describeReadersDifference({
  finding,
  counts,
  second,
  quotes,
  sought,
}: Omit<Finding, 'kind'>): string | undefined {
  const same = SAME[finding];
  if (second === undefined || counts || second === same) return undefined;
  if (same === undefined && finding !== 'absent') return undefined;
  const by = quotes.length === 0 ? '' : ` by ${quotes.map(quoteWithPlace).join(' and ')}`;
  const found =
    finding === 'absent'
      ? `does not find ${sought.map(quoteText).join(', ')} in the text`
      : `finds it ${same} in the text${by}`;
  const other =
    second === 'undecided' ? 'cannot tell from that alone' : `finds it ${second} from that alone`;
  return `one reader ${found}; a second ${other}.`;
}

/**
 * Returns a sentence for each verdict whose meaning for a claim the verifier and code interpreted differently. Only the
 * last round with such verdicts counts, and only claims that are still open.
 */
function entriesDiffer(
  { refusals = [] }: Records,
  claims: ReadonlyMap<string, ClaimState>,
): string[] {
  const all = refusals.filter(({ kind }) => kind === 'bearing');
  const last = Math.max(...all.map(({ round }) => round));
  return all.flatMap(({ round, id, text, why }) => {
    const claim = claims.get(id ?? '');
    if (round !== last || (claim !== undefined && claim.standing !== 'open')) return [];
    return [
      endWithPeriod(`${id === undefined ? '' : `${id}: `}${quoteText(text)}: ${joinLines(why)}`),
    ];
  });
}

function formatDenial({ claim, standing, basis, quotes }: ClaimState, by?: ClaimState): string {
  const ground = basis === undefined ? '' : `, ${basis}`;
  const words = quotes[0] === undefined ? '' : ` (${quoteWithPlace(quotes[0])})`;
  const against = by?.quotes[0] === undefined ? '' : ` (${quoteWithPlace(by.quotes[0])})`;
  return `${by?.claim.id}, ${by?.standing}, says ${quoteText(by?.claim.text ?? '')}${against} and denies ${claim.id}, ${standing}${ground}: ${quoteText(claim.text)}${words}.`;
}

function quoteWithPlace({ text, ref }: Quotation): string {
  return `${quoteText(text)} (${joinLines(ref)})`;
}

function quoteText(text: string): string {
  const words = joinLines(text);
  return `"${words.length > QUOTED ? `${words.slice(0, QUOTED).trimEnd()}…` : words}"`;
}

function endWithPeriod(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
