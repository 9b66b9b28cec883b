/**
 * Formats a synthesis for people: with names for letters, and a mark after each quotation that is not correct.
 */
import { applyEdits, findMentions, type Labels } from './names.ts';
import type { Quotation } from './quotations.ts';

type NameOf = (seat: string) => string;

/**
 * Formats a synthesis for people: letters are replaced by names, and every quotation that is wrong or was
 * not looked up gets a remark.
 * @param nameOf returns the name of a seat
 */
export function formatForReaders(
  { text, labels }: { readonly text: string; readonly labels: Labels },
  quotations: readonly Quotation[],
  nameOf: NameOf,
): string {
  const marks = quotations.flatMap((quotation) => {
    const mark = markOf(quotation, nameOf);
    return mark === undefined
      ? []
      : [{ at: quotation.end, end: quotation.end, text: ` [${mark}]` }];
  });
  return applyEdits(text, [
    ...findMentions(text, labels).flatMap(({ edits }) => edits(nameOf)),
    ...marks,
  ]);
}

/** Returns a remark on a quotation; undefined if it is correct. */
function markOf({ state, given, by }: Quotation, nameOf: NameOf): string | undefined {
  switch (state) {
    case 'said':
    case 'material':
      return undefined;
    case 'misattributed':
      return `said by ${formatNames(by.map(nameOf))}, not by ${formatNames(given.map(nameOf), 'or')}`;
    case 'nowhere':
      return 'not found anywhere';
    case 'unchecked':
      return 'not looked up';
  }
}

/**
 * Summarizes the checked quotations: `4 looked up, 1 not found anywhere, 1 said by somebody else`,
 * or `4 looked up, all found`.
 * @param onlyIfBad whether a summary is needed only if a quotation is wrong or was not looked up
 * @returns undefined if the synthesis quotes nothing, or if no summary is needed
 */
export function formatQuotationCounts(
  quotations: readonly Quotation[],
  { onlyIfBad = false } = {},
): string | undefined {
  const countQuotations = (state: Quotation['state']): number =>
    quotations.filter((quotation) => quotation.state === state).length;
  const unchecked = countQuotations('unchecked');
  const wrong = [
    [countQuotations('nowhere'), 'not found anywhere'],
    [countQuotations('misattributed'), 'said by somebody else'],
    [unchecked, 'not looked up'],
  ] as const;
  const found = wrong.flatMap(([number, what]) => (number === 0 ? [] : [`${number} ${what}`]));
  if (quotations.length === 0 || (onlyIfBad && found.length === 0)) return undefined;
  const looked = `${quotations.length - unchecked} looked up`;
  return [looked, ...(found.length === 0 ? ['all found'] : found)].join(', ');
}

function formatNames(names: readonly string[], word = 'and'): string {
  return names.length < 2
    ? (names[0] ?? '')
    : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`;
}
