/** The kinds of records of a deliberation: its claims, decisions and verdicts. */
import { entryOf } from '../../../../kernel/entry.ts';
import { getSeatTitle } from '../../../../plain/naming.ts';
import { recordKind } from '../../../../record-kinds/kind.ts';
import { type RecordEntry, recordEntry } from '../../../../record-kinds/table.ts';
import { firstSentence } from '../../../../text/answers/first-sentence.ts';
import { capitalize } from '../../../../text/capitalize.ts';
import type { ClaimState } from '../../records/standing/claims.ts';
import type { DecisionState } from '../../records/standing/decisions.ts';
import type { Basis, Citation, Verification } from '../../records/types.ts';
import type { Deliberation } from '../display-state.ts';
import { formatReadingNotes } from '../reading-notes.ts';
import {
  CHECK_NAMES,
  DECISION_WORDS,
  formatCitedPlace,
  formatQuotation,
  formatStanding,
} from '../wording.ts';
import { claimTone, decisionTone, describeVerdict, verdictTone } from './argument.ts';

/** The kind of record for claims. Refuted claims come first: they change the answer most often. */
export const CLAIM = recordKind({
  name: 'Claims',
  about: 'All claims, refuted ones first, with the words that decided them.',
  none: () => 'No claims were raised.',
  all: ({ state }: Deliberation) =>
    state.claims.toSorted((left, right) => rankOf(left) - rankOf(right)),
  id: ({ claim }: ClaimState) => claim.id,
  heading: ({ claim }) => `${claim.id} · ${claim.text}`,
  columns: [
    { title: 'claim', of: ({ claim }) => claim.id },
    { title: 'raised by', of: ({ claim }, { view }) => getSeatTitle(claim.raised_by, view) },
    {
      title: 'text',
      of: (claimState, { rounds }) => ({
        text: claimState.claim.text,
        below: [
          ...(claimState.claim.testable_as === '' ? [] : [`Test: ${claimState.claim.testable_as}`]),
          ...claimState.quotes.map(formatQuotation),
          ...formatReadingNotes(
            claimState,
            entryOf(rounds.claims, claimState.claim.id),
            rounds.sources,
          ),
          ...(claimState.reliedOn.length === 0
            ? []
            : [`Carries ${claimState.reliedOn.join(', ')}.`]),
        ],
      }),
    },
    {
      title: 'status',
      of: (claimState) => ({
        text: claimState.awaits ? 'open, waits for a test' : formatStanding(claimState),
        tone: claimTone(claimState),
        below: [
          ...(claimState.by === undefined ? [] : [`By ${claimState.by}.`]),
          ...(claimState.challengers.length === 0
            ? []
            : [`Denied by ${claimState.challengers.join(', ')}.`]),
          ...(claimState.supersededBy === undefined
            ? []
            : [`${claimState.supersededBy} took its place.`]),
        ],
      }),
    },
  ],
  group: groupOf,
  isListed: true,
  sentence: ({ claim }, { view }) => `${getSeatTitle(claim.raised_by, view)}: ${claim.text}`,
});

const STANDINGS: readonly ClaimState['standing'][] = [
  'refuted',
  'confirmed',
  'partly',
  'unclear',
  'open',
  'withdrawn',
  'superseded',
];
/** Grounds, strong ones first. */
const GROUNDS: readonly (Basis | undefined)[] = [
  'executed',
  'read',
  'argued',
  'conceded',
  undefined,
];

/**
 * Returns whether a claim only repeats the text and no decision rests on it. Such claims stand
 * apart, below all others.
 */
function isAside({ isFact, reliedOn }: ClaimState): boolean {
  return isFact && reliedOn.length === 0;
}

/** Returns a number by which claims are sorted into their groups. */
function rankOf(claimState: ClaimState): number {
  if (isAside(claimState)) return STANDINGS.length * GROUNDS.length;
  const within =
    claimState.standing === 'open' ? Number(!claimState.awaits) : groundRank(claimState);
  return STANDINGS.indexOf(claimState.standing) * GROUNDS.length + within;
}

function groundRank({ standing, basis }: ClaimState): number {
  return standing === 'withdrawn' || standing === 'superseded' ? 0 : GROUNDS.indexOf(basis);
}

function groupOf(claimState: ClaimState): string {
  if (isAside(claimState)) return 'Facts of the text, on which no decision rests';
  switch (claimState.standing) {
    case 'open':
      return claimState.awaits ? 'Open, and waiting for a test' : 'Open';
    case 'withdrawn':
      return 'Withdrawn by their seats';
    default:
      return capitalize(formatStanding(claimState));
  }
}

/** Decisions with their grounds. Those that carry nothing are in groups of their own. */
const DECISION = recordKind({
  name: 'Decisions',
  about: 'Each decision, and what it rests on.',
  none: () => 'No decisions were made.',
  all: ({ state }: Deliberation) =>
    (['stands', 'fallen', 'overturned'] as const).flatMap((standing) =>
      state.decisions.filter((decisionState) => decisionState.standing === standing),
    ),
  id: ({ decision }: DecisionState) => decision.id,
  heading: ({ decision }) => `${decision.id} · ${decision.text}`,
  columns: [
    { title: 'decision', of: ({ decision }) => decision.id },
    {
      title: 'text',
      of: ({ decision: { text, cites, conditions = [] } }) => ({
        text,
        below: [
          ...groundsOf(cites),
          ...(conditions.length === 0 ? [] : [`Waits for the test of ${conditions.join('; ')}.`]),
        ],
      }),
    },
    {
      title: 'status',
      of: (decisionState) => ({
        text: DECISION_WORDS[decisionState.standing],
        tone: decisionTone(decisionState),
        below: decisionState.fallen.map(({ why }) => `✗ ${why}`),
      }),
    },
  ],
  group: ({ standing }) => FALLEN[standing],
  isListed: true,
  sentence: ({ decision }) => decision.text,
});

const FALLEN: Readonly<Record<DecisionState['standing'], string | undefined>> = {
  stands: undefined,
  fallen: 'Their ground has fallen: they carry nothing',
  overturned: 'Overturned by a later decision',
};

const RELATIONS: readonly (readonly [Citation['relation'], string])[] = [
  ['based-on', 'Rests on'],
  ['supported-by', 'Supported by'],
  ['supersedes', 'Overturns'],
];

function groundsOf(cites: readonly Citation[]): string[] {
  if (cites.length === 0) return ['Rests on nothing.'];
  return RELATIONS.flatMap(([relation, words]) => {
    const cited = cites
      .filter((cite) => cite.relation === relation)
      .map(({ id, takes_as }) => `${id}${takes_as === 'false' ? ', taken as false' : ''}`);
    return cited.length === 0 ? [] : [`${words} ${cited.join('; ')}.`];
  });
}

/** Verdicts: what each check found, and at which places. */
const VERDICT = recordKind({
  name: 'Verdicts',
  about: 'Each check, its result, and where to find it.',
  none: () => 'No verdicts were given.',
  all: ({ records }: Deliberation) => records.verifications,
  id: ({ id }: Verification) => id,
  heading: ({ id, check }) => `${id} · ${CHECK_NAMES[check]}`,
  columns: [
    { title: 'verdict', of: ({ id }) => id },
    { title: 'check', of: ({ check }) => CHECK_NAMES[check] },
    {
      title: 'result',
      of: (verification) => ({
        text: describeVerdict(verification),
        tone: verdictTone(verification),
      }),
    },
    { title: 'summary', of: ({ degraded, notes }) => degraded ?? firstSentence(notes) ?? '' },
    { title: 'places', of: formatCitedPlaces },
  ],
});

/** The most places that are shown of a verdict. */
const MOST_PLACES = 4;

/** Formats the places that a verification cites, without the lines of the claims themselves. */
function formatCitedPlaces({ evidence_refs }: Verification): string {
  const places = evidence_refs.filter((ref) => !ref.startsWith('state/claims.jsonl'));
  const shown = places.slice(0, MOST_PLACES).map(formatCitedPlace);
  const left = places.length - shown.length;
  return [...shown, ...(left > 0 ? [`${left} more`] : [])].join('; ');
}

/**
 * The kinds of records that have a section in the report of a deliberation in rounds. Their tabs are listed in
 * `../console.ts`, and `../diff.ts` compares them.
 */
export const RECORDS: readonly RecordEntry<Deliberation>[] = [
  recordEntry(DECISION, { section: { evenIfNone: true } }),
  recordEntry(CLAIM, { section: { evenIfNone: true } }),
  recordEntry(VERDICT, { section: { evenIfNone: true } }),
];
