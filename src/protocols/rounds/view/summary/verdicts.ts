/** The verdicts in the report as a table: the check, its result, and the cited places. */
import { formatTable, words } from '../../../../plain/markdown.ts';
import { firstSentence } from '../../../../text/answers/first-sentence.ts';
import type { Verification } from '../../records/types.ts';
import type { Deliberation } from '../display-state.ts';
import { CHECK_NAMES, formatCitedPlace, formatResult } from '../wording.ts';
import { IdExplainer, type Meanings } from './named.ts';

/** The most places that are shown of a verdict. */
const MOST_PLACES = 4;

/**
 * Returns the report's section on verdicts. It comes after claims and decisions, so their ids are
 * not explained again.
 */
export function formatVerdictSection({ records }: Deliberation, meanings: Meanings): string[] {
  const { verifications } = records;
  if (verifications.length === 0) return ['## Verdicts', 'No verdicts were given.'];
  const named = new IdExplainer(meanings);
  for (const { id } of [...verifications, ...records.claims, ...records.decisions]) named.tell(id);
  return [
    '## Verdicts',
    formatTable(
      ['verdict', 'check', 'result', 'summary', 'places'],
      verifications.map((one) => [
        words(one.id),
        words(CHECK_NAMES[one.check]),
        one.degraded === undefined ? words(formatResult(one)) : 'could not stand',
        words(named.explain(one.degraded ?? firstSentence(one.notes) ?? '')),
        words(formatCitedPlaces(one)),
      ]),
    ),
  ];
}

/** Formats the places that a verification cites. References to the list of claims are left out. */
export function formatCitedPlaces({ evidence_refs }: Verification): string {
  const places = evidence_refs.filter((ref) => !ref.startsWith('state/claims.jsonl'));
  const shown = places.slice(0, MOST_PLACES).map(formatCitedPlace);
  const left = places.length - shown.length;
  return [...shown, ...(left > 0 ? [`${left} more`] : [])].join('; ');
}
