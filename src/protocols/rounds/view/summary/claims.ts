/**
 * The claims in the report, by how they stand and how they were decided, with the quotations that
 * decided them.
 */
import { entryOf } from '../../../../kernel/entry.ts';
import { words } from '../../../../plain/markdown.ts';
import { getSeatTitle } from '../../../../plain/naming.ts';
import { capitalize } from '../../../../text/capitalize.ts';
import type { ClaimState } from '../../records/standing/claims.ts';
import type { Basis } from '../../records/types.ts';
import type { Deliberation } from '../display-state.ts';
import { formatReadingNotes } from '../reading-notes.ts';
import { formatQuotation, formatStanding } from '../wording.ts';
import { IdExplainer, type Meanings } from './named.ts';

/** The order of claims: those with strong bases first. */
const GROUNDS: readonly (Basis | undefined)[] = ['executed', 'read', 'argued', undefined];
const ORDER: readonly ClaimState['standing'][] = ['refuted', 'confirmed', 'partly', 'unclear'];

interface Group {
  readonly title: string;
  readonly claims: readonly ClaimState[];
}

/**
 * Returns the report's section on claims.
 * @param meanings the short description of each id
 */
export function formatClaimSection(run: Deliberation, meanings: Meanings): string[] {
  const { claims } = run.state;
  if (claims.length === 0) return ['## Claims', 'No claims were raised.'];
  const named = new IdExplainer(meanings);
  for (const { claim } of claims) named.tell(claim.id);
  return [
    '## Claims',
    ...groupsOf(claims).flatMap(({ title, claims: own }) => [
      `### ${title} (${own.length})`,
      own.map((one) => `- ${claimEntry(one, run, named)}`).join('\n'),
    ]),
  ];
}

/**
 * Returns whether a claim only repeats the text and no decision rests on it. Such claims are listed
 * apart.
 */
function isAside({ isFact, reliedOn }: ClaimState): boolean {
  return isFact && reliedOn.length === 0;
}

function groupsOf(all: readonly ClaimState[]): Group[] {
  const counted = all.filter((one) => !isAside(one));
  const standing = (of: ClaimState['standing']) => counted.filter((one) => one.standing === of);
  const open = standing('open');
  return [
    ...ORDER.flatMap((of) =>
      GROUNDS.map((basis) => ({
        title: capitalize(formatStanding({ standing: of, basis })),
        claims: standing(of).filter((one) => one.basis === basis),
      })),
    ),
    { title: 'Open, and waiting for a test', claims: open.filter(({ awaits }) => awaits) },
    { title: 'Open', claims: open.filter(({ awaits }) => !awaits) },
    { title: 'Withdrawn by their seats', claims: standing('withdrawn') },
    { title: 'Superseded', claims: standing('superseded') },
    {
      title: 'Facts of the text, on which no decision rests',
      claims: all.filter(isAside),
    },
  ].filter(({ claims }) => claims.length > 0);
}

function claimEntry(one: ClaimState, { view, rounds }: Deliberation, named: IdExplainer): string {
  const { claim, quotes, awaits, challengers, reliedOn, supersededBy, standing } = one;
  const test =
    claim.testable_as === '' || standing === 'superseded' ? [] : [`Test: ${claim.testable_as}`];
  const notes = [
    ...quotes.map(formatQuotation),
    ...formatReadingNotes(one, entryOf(rounds.claims, claim.id), rounds.sources),
    ...(awaits ? test : []),
    ...(challengers.length > 0 ? [`Denied by ${challengers.join(', ')}.`] : []),
    ...(supersededBy === undefined ? [] : [`${supersededBy} took its place.`]),
    ...(reliedOn.length > 0 ? [`Carries ${named.explain(reliedOn.join(', '))}.`] : []),
  ];
  return [
    `**${words(claim.id)}** ${words(getSeatTitle(claim.raised_by, view))}: ${words(claim.text)}`,
    ...notes.map((note) => words(note)),
  ].join('\n  - ');
}
