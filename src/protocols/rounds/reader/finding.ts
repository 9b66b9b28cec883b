/**
 * Checks a reader's finding against the texts: quotations must occur in them, and missing words
 * must not. An invalid finding decides nothing.
 */
import { plainWords } from '../../../text/words/quotation.ts';
import type { Finding } from '../../entrance/findings.ts';
import type { Passage } from '../cited-sources.ts';
import type { ClaimView } from '../claims/rounds-view.ts';
import type { RoundsConfig } from '../config.ts';
import { isSince } from '../prompts/order.ts';
import { looseReadingSchema, MOST_QUOTES } from '../prompts/reading.ts';
import { type Document, findQuotation, findWord, getAllLines } from '../records/documents.ts';
import type { Quotation } from '../records/types.ts';
import { explainMissingFigures } from './missing-figures.ts';

/** The fewest missing words that show that something is absent. */
const LEAST_SOUGHT = 3;

/** A reader's finding about a claim, after code has looked up its quotations. */
export interface ItemFinding {
  readonly claim: ClaimView;
  readonly finding: Finding;
  /** The quotations that the finding is based on, with their places. */
  readonly quotes: readonly Quotation[];
  /** The words that, as the reader said, do not occur in the documents. */
  readonly sought: readonly string[];
  /**
   * The words for which an earlier reading of this claim searched in vain. Absent or empty if there are
   * none.
   */
  readonly missed?: readonly string[];
  /**
   * Whether the finding makes the claim true or false. Undefined if the finding decides nothing;
   * `why` then gives the reason.
   */
  readonly makes: 'true' | 'false' | undefined;
  readonly why: string;
}

/** The texts from which a reader may quote: attachments, and the cited lines of tool results. */
export interface ReaderSources {
  readonly attachments: readonly Document[];
  readonly passages: readonly Passage[];
}

type Said = NonNullable<ReturnType<typeof findingsByItem> extends Map<number, infer T> ? T : never>;

/**
 * Indexes a reader's findings by the number of the statement. A statement with contradictory
 * findings is left out.
 * @param value the reader's answer, of any form; an invalid answer contains no findings
 */
export function findingsByItem(value: unknown) {
  const read = looseReadingSchema.safeParse(value);
  const said = read.success ? read.data.findings : [];
  const by = new Map<number, (typeof said)[number]>();
  const torn = new Set<number>();
  for (const finding of said) {
    const before = by.get(finding.item);
    if (before !== undefined && before.finding !== finding.finding) torn.add(finding.item);
    by.set(finding.item, before ?? finding);
  }
  for (const item of torn) by.delete(item);
  return by;
}

/**
 * Checks what a reader says about a claim, and returns what the finding means for the claim. Of its quotations, at
 * least one must occur in the documents. The words that it did not find must not occur there.
 * @param said the reader's finding
 * @param rules the edition of the run's rules; before edition 7, figures are not looked up in the quotations
 */
export function checkFinding(
  claim: ClaimView,
  said: Said,
  { attachments, passages }: ReaderSources,
  rules?: RoundsConfig['rules'],
): ItemFinding {
  const documents = [...attachments, ...passages];
  const quotes = (said.quotes ?? [])
    .flatMap((quote) => findQuotation(quote, documents) ?? [])
    .slice(0, MOST_QUOTES);
  const invented = (said.quotes ?? []).filter(
    (quote) => findQuotation(quote, documents) === undefined,
  );
  const sought = [
    ...new Set((said.sought ?? []).map((word) => word.trim()).filter((word) => word !== '')),
  ].slice(0, 8);
  const leaveOpen = (why: string): ItemFinding => ({
    claim,
    finding: said.finding,
    quotes,
    sought,
    makes: undefined,
    why,
  });
  switch (said.finding) {
    case 'true_in_text':
    case 'false_in_text': {
      if (quotes.length === 0)
        return leaveOpen(
          invented.length === 0
            ? 'it quotes nothing'
            : `nothing that it quotes stands in the text: "${invented[0]?.slice(0, 80)}"`,
        );
      const makes = said.finding === 'true_in_text' ? 'true' : 'false';
      const missing =
        makes === 'true' && isSince(rules, 7)
          ? explainMissingFigures(claim.text, quotes, documents)
          : undefined;
      if (missing !== undefined) return leaveOpen(missing);
      return { claim, finding: said.finding, quotes, sought: [], makes, why: said.why ?? '' };
    }
    case 'absent': {
      if (said.absence_makes_it !== 'true' && said.absence_makes_it !== 'false')
        return leaveOpen('the text does not speak of it');
      const there = sought.flatMap((word) => {
        const ref = findWord(word, documents);
        return ref === undefined ? [] : [`"${word}" stands at ${ref}`];
      });
      if (there.length > 0) return leaveOpen(`it was said to be absent, but ${there[0]}`);
      if (attachments.flatMap(getAllLines).length === 0)
        return leaveOpen('what was looked up is a part, and shows nothing by what it lacks');
      if (sought.filter((word) => plainWords(word).length > 0).length < LEAST_SOUGHT)
        return leaveOpen(`fewer than ${LEAST_SOUGHT} words were looked for`);
      // Documents that never mention backups make "Backups exist" false and "Backups are missing" true.
      const due = claim.says === 'fails' ? 'true' : 'false';
      if (said.absence_makes_it !== due)
        return leaveOpen('what the absence means for it is not what the claim says of itself');
      return { claim, finding: 'absent', quotes: [], sought, makes: due, why: said.why ?? '' };
    }
    case 'partly':
      return leaveOpen(`the text decides only this of it: ${said.covered ?? ''}`.trim());
    case 'needs_a_test':
      return leaveOpen(said.why ?? 'only a test could decide it');
  }
}
