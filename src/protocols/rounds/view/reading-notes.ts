/**
 * Remarks on how a claim was read: why it is still open, its grounds if nothing is quoted, and that
 * an argued claim may still need a test.
 */
import { formatFetched } from '../../../kernel/tools/sources.ts';
import { capitalize } from '../../../text/capitalize.ts';
import type { ClaimView } from '../claims/rounds-view.ts';
import type { ClaimState } from '../records/standing/claims.ts';
import { describeReadersDifference } from '../records/standing/tensions.ts';
import type { SourceView } from '../sources.ts';
import { addPeriod } from './refusals.ts';
import { FINDING_WORDS } from './wording.ts';

/**
 * Returns remarks on a claim: why a reading left it open, decided it without a quotation or found that
 * it needs a test, which quotation comes from a page that was fetched, which test had the
 * opposite result, and whether the wording has changed since. The list is empty if there are none.
 * The sentences quote models and documents; the caller has to remove control characters and escape
 * markup.
 * @param claim the claim as the console knows it, with the changes that a fork made to its wording
 * @param sources the tool results that quotations can come from
 */
export function formatReadingNotes(
  claimState: ClaimState,
  claim: ClaimView | undefined,
  sources: readonly SourceView[],
): string[] {
  const edited = claim && editedSince(claim);
  return [
    ...readingOf(claimState),
    ...fetchedNotes(claimState, sources),
    ...claimState.contradictingTests.map(
      (id) => `The test ${id} found otherwise and changed nothing: no test overrides another.`,
    ),
    ...(edited === undefined ? [] : [edited]),
  ];
}

/** Returns a remark if the claim's wording has changed since it was decided. */
function editedSince({ edits = [], moves }: ClaimView): string | undefined {
  const edit = edits.find(({ moved, read }) => moved === moves.length && (moved > 0 || read));
  return (
    edit &&
    `What was found of it was found before it was edited in round ${edit.round}, when it read: "${edit.was}".`
  );
}

/**
 * Returns remarks if the deciding quotations came from a tool server, whose pages may have changed.
 */
function fetchedNotes({ quotes }: ClaimState, sources: readonly SourceView[]): string[] {
  return sources.flatMap(({ name, about, fetched }) =>
    fetched !== undefined && quotes.some(({ ref }) => ref.split('#')[0] === name)
      ? [
          `${name} is what ${formatFetched(fetched)} answered to ${about || 'a call'}: the claim rests on that page as it was fetched.`,
        ]
      : [],
  );
}

function readingOf({ standing, basis, quotes, why, reading }: ClaimState): string[] {
  if (basis === 'read' && quotes.length === 0 && why !== undefined && why !== '')
    return [addPeriod(capitalize(why))];
  if (reading === undefined) return [];
  const { round, finding, counts, why: found = '' } = reading;
  if (basis === 'argued' && finding === 'needs_a_test')
    return [addPeriod(`The reading of round ${round} found that it needs a test: ${found}`)];
  if (standing !== 'open') return [];
  const differ = describeReadersDifference(reading);
  if (differ !== undefined) return [`Open because two readers differ: ${differ}`];
  const weight = counts || OPEN.has(finding) ? '' : ', which does not count';
  const left = `Left open by its reading in round ${round}: ${FINDING_WORDS[finding]}${weight}.`;
  return [found === '' ? left : `${left} ${addPeriod(capitalize(found))}`];
}

/** The findings that decide nothing. */
const OPEN: ReadonlySet<string> = new Set(['partly', 'needs_a_test']);
