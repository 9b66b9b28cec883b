/** Reasons to doubt a synthesis: what code finds wrong in it, or nowhere in the records. */
import type { SynthesisView } from '../../../../kernel/view.ts';
import { getSeatTitle } from '../../../../plain/naming.ts';
import { formatCount } from '../../../../text/numbers.ts';
import type { Quotation } from '../../../common/quotations/quotations.ts';
import { formatForReaders, formatQuotationCounts } from '../../../common/quotations/readable.ts';
import type { Deliberation } from '../display-state.ts';
import { describeRecords } from './named.ts';
import { listFalseMentions } from './named-in-synthesis.ts';
import { nameOtherOpenClaims } from './open-claims.ts';
import { describeReader, hasNoReader } from './reader.ts';

type OnRecord = Pick<Deliberation, 'state' | 'records' | 'rounds'>;

/** The most wrong statements that are listed before the synthesis. The others are listed below it. */
const MOST_AHEAD = 3;

/**
 * Returns the text of a synthesis with a remark after each quotation that is incorrect or was not
 * looked up.
 */
export function formatSynthesisText(
  synthesis: SynthesisView,
  { quotations, view }: Pick<Deliberation, 'quotations' | 'view'>,
): string {
  return formatForReaders(synthesis, quotations[synthesis.version] ?? [], (seat) =>
    getSeatTitle(seat, view),
  );
}

/**
 * Lists what a synthesis says wrongly about records, and how many of its quotations are wrong: one
 * sentence for each, without a period. The list is empty if nothing was found.
 * @param run the records that the synthesis is about
 */
export function listWrongStatements(
  text: string,
  quotations: readonly Quotation[],
  run: OnRecord,
): string[] {
  const bad = formatQuotationCounts(quotations, { onlyIfBad: true });
  return [
    ...listFalseMentions(text, run.state, describeRecords(run)),
    ...(bad === undefined ? [] : [`Quotations in it: ${bad}`]),
  ];
}

/**
 * Lists what code remarks on a synthesis: wrong statements about records, the result of looking up its
 * quotations, and the open claims that it does not mention.
 * @param run the records that the synthesis is about
 */
export function listRemarks(
  text: string,
  quotations: readonly Quotation[],
  run: OnRecord,
): string[] {
  const found = formatQuotationCounts(quotations);
  const open = nameOtherOpenClaims(text, run.state);
  return [
    ...listFalseMentions(text, run.state, describeRecords(run)),
    ...(found === undefined ? [] : [`Quotations: ${found}`]),
    ...(open === undefined ? [] : [open]),
  ];
}

/**
 * Lists the remarks by code on a synthesis, if it is the latest one. The list is empty for earlier
 * ones, because remarks depend on the present state of claims.
 */
export function listRemarksOnLatest(synthesis: SynthesisView, run: Deliberation): string[] {
  return synthesis === run.view.syntheses.at(-1)
    ? listRemarks(synthesis.text, run.quotations[synthesis.version] ?? [], run)
    : [];
}

/** Returns the warning about the latest synthesis, or undefined if nothing is wrong with it. */
export function getCaution(run: Deliberation): string | undefined {
  return formatCaution(wrongOf(run));
}

/**
 * Formats the warning before a synthesis, `Read it with care. …`, which quotes the first three of the
 * given remarks. Returns undefined if there are none.
 * @param wrong what code found wrong in the synthesis, from `listWrongStatements`
 */
export function formatCaution(wrong: readonly string[]): string | undefined {
  if (wrong.length === 0) return undefined;
  const left = wrong.length - MOST_AHEAD;
  return [
    'Read it with care.',
    ...wrong.slice(0, MOST_AHEAD).map((remark) => `${remark}.`),
    ...(left > 0 ? [`${formatCount(left, 'other remark')} below it.`] : []),
  ].join(' ');
}

/**
 * Lists the reasons to doubt the latest synthesis, one entry for each: no model has passed the
 * reading test, or the synthesis states something wrongly.
 */
export function listDoubts(run: Deliberation): string[] {
  if (run.view.syntheses.length === 0) return [];
  return [
    ...(hasNoReader(run) ? [describeReader(run)] : []),
    ...wrongOf(run).map((remark) => `${remark}.`),
  ];
}

function wrongOf(run: Deliberation): string[] {
  const last = run.view.syntheses.at(-1);
  return last === undefined
    ? []
    : listWrongStatements(last.text, run.quotations[last.version] ?? [], run);
}
