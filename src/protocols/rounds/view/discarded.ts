/**
 * Finds the findings of a reading that do not count, and the reasons. "5 true in the text" would
 * mislead if every quotation was invented.
 */
import type { Finding } from '../../entrance/findings.ts';
import { isVoidOfFew, VOIDING_WRONG_CONTROLS } from '../reader/controls.ts';
import { isMissingFiguresReason } from '../reader/missing-figures.ts';
import type { Finding as Reading } from '../records/standing/claims.ts';
import { describeReadersDifference } from '../records/standing/tensions.ts';

/** The findings that would decide a claim. */
const DECISIVE: ReadonlySet<Finding> = new Set(['true_in_text', 'false_in_text']);

type Found = Omit<Reading, 'kind'>;

/**
 * Returns the reasons why results of a reading do not count, such as wrong controls (statements with
 * known answers), invented quotations, or a second look with another result. The list is empty if
 * there are none.
 * @param findings what the reader said about each claim
 * @param controls whether the reader got each control right
 */
export function listDiscardReasons(
  findings: readonly Found[],
  controls: readonly { readonly right: boolean }[],
): string[] {
  const lost = findings.filter(({ counts, finding }) => !counts && DECISIVE.has(finding));
  const wrong = controls.filter(({ right }) => !right).length;
  const isDiscarded = wrong >= VOIDING_WRONG_CONTROLS || findings.some(isVoidOfFew);
  const invented = lost.filter(({ quotes }) => quotes.length === 0).length;
  const lacking = lost.filter(({ why }) => isMissingFiguresReason(why)).length;
  const differ = findings.filter(
    (finding) => describeReadersDifference(finding) !== undefined,
  ).length;
  return [
    ...(isDiscarded && findings.length > 0
      ? [
          `discarded, since ${wrong} of ${controls.length} control sentences ${wrong === 1 ? 'is' : 'are'} wrong`,
        ]
      : []),
    ...(invented === 0
      ? []
      : [`${invented} ${invented === 1 ? 'quotes' : 'quote'} nothing that stands in the text`]),
    ...(lacking === 0
      ? []
      : [`${lacking} ${lacking === 1 ? 'has a figure' : 'have figures'} that the quotations lack`]),
    ...(differ === 0 ? [] : [`a second look found ${differ} otherwise`]),
  ];
}
