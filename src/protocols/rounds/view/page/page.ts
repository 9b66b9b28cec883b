/** Builds the HTML report of a deliberation: the answer, its grounds, and what was found. */

import type { Answer, PageBuilder, Row, Section, Vote } from '../../../../html-report/parts.ts';
import { toSections } from '../../../../html-report/sections.ts';
import { entryOf } from '../../../../kernel/entry.ts';
import { words } from '../../../../plain/markdown.ts';
import { formatSynthesisHeading, getSeatTitle, whyNoAnswer } from '../../../../plain/naming.ts';
import { formatCallGaps } from '../../../../plain/protocol-text.ts';
import { synthesisGaps, synthesisSections } from '../../../../plain/syntheses.ts';
import { firstSentence, sectionIn } from '../../../../text/answers/first-sentence.ts';
import { capitalize } from '../../../../text/capitalize.ts';
import { WORTH } from '../../../common/voting/votes.ts';
import type { ClaimState } from '../../records/standing/claims.ts';
import type { DecisionState } from '../../records/standing/decisions.ts';
import { formatVoteTitle, readVotes, type VoteTally } from '../../votes/counted-votes.ts';
import { type Deliberation, deriveDeliberation } from '../display-state.ts';
import { explainEnding } from '../ending.ts';
import { formatReadingNotes } from '../reading-notes.ts';
import { formatSynthesisText, getCaution, listRemarksOnLatest } from '../summary/doubts.ts';
import { describeRecords } from '../summary/named.ts';
import { formatQualitySection } from '../summary/quality.ts';
import { hasNoReader, NOBODY_READS } from '../summary/reader.ts';
import { describeHeardRoles, formatItalic, MEMBERS } from '../summary/report.ts';
import { formatSignalSection } from '../summary/signals.ts';
import { formatCitedPlaces } from '../summary/verdicts.ts';
import { formatTestSections } from '../tests-report.ts';
import { formatShift } from '../votes.ts';
import { CHECK_NAMES, DECISION_WORDS, formatQuotation, formatStanding } from '../wording.ts';
import { claimTone, decisionTone, describeVerdict, drawArgument, verdictTone } from './argument.ts';
import { listQuotedPlaces } from './quoted.ts';

/** Builds the page that shows a deliberation in rounds as an HTML report. */
export const page: PageBuilder = ({ facts, view }) => {
  const run = deriveDeliberation(facts, view);
  const meanings = describeRecords(run);
  const graph = drawArgument(run);
  return {
    answers: [answerOf(run)],
    sections: [
      ...synthesisSection(run),
      ...dissentSection(run),
      ...(graph === undefined
        ? []
        : [{ title: 'The argument', blocks: [{ kind: 'graph', graph } as const] }]),
      ...decisionSection(run),
      ...claimSection(run),
      ...verdictSection(run),
      ...toSections([
        ...formatSignalSection(run),
        ...formatQualitySection(run, meanings),
        ...formatTestSections(run.rounds),
      ]),
    ],
    quoted: listQuotedPlaces(run.rounds),
    missing: [
      ...Object.values(view.calls).flatMap((call) =>
        formatCallGaps(words(call.step), whyNoAnswer(call)),
      ),
      ...synthesisGaps(view.syntheses.at(-1), view),
    ],
  };
};

function answerOf(run: Deliberation): Answer {
  const { view, state } = run;
  const synthesis = view.syntheses.at(-1);
  const said =
    synthesis && firstSentence(sectionIn(formatSynthesisText(synthesis, run), 'Answer') ?? '');
  const caution = getCaution(run);
  const sofar = state.answer && firstSentence(state.answer.text);
  const votes = readVotes(run.rounds);
  const shown = [votes[0], ...(votes.length > 1 ? [votes.at(-1)] : [])].flatMap((one) => one ?? []);
  return {
    title: 'Answer',
    text: said ?? sofar,
    heard: [
      ...(said === undefined && sofar !== undefined
        ? [`The answer as it stood after round ${state.answer?.round}.`]
        : []),
      ...(synthesis === undefined ? [] : [describeHeardRoles(synthesis, view)]),
      explainEnding(run),
    ],
    warnings: [
      ...(caution === undefined ? [] : [caution]),
      ...(hasNoReader(run)
        ? [`${capitalize(NOBODY_READS)}: no claim is settled by reading or by argument.`]
        : []),
    ],
    votes: shown.map((one, at) => voteOf(one, run, at === shown.length - 1)),
  };
}

function voteOf(vote: VoteTally, { view }: Deliberation, isLast: boolean): Vote {
  const title = (seat: string): string => getSeatTitle(seat, view);
  return {
    title: formatVoteTitle(vote),
    choices: vote.options.map(({ option, votes, seats }) => ({
      option,
      votes,
      seats: seats.map(title),
    })),
    notes: [...vote.shifts.map((one) => formatShift(one, title)), ...(isLast ? [WORTH] : [])],
  };
}

/** Returns the syntheses. The latest is open, earlier ones are folded. */
function synthesisSection(run: Deliberation): Section[] {
  const { view } = run;
  const all = view.syntheses.toReversed();
  if (all.length === 0) return [];
  return [
    {
      title: 'Synthesis',
      blocks: all.map((one, at) => {
        const [, ...text] = synthesisSections([one], view, 2, () => ({
          text: formatSynthesisText(one, run),
          below: formatItalic(listRemarksOnLatest(one, run)),
        }));
        const block = { kind: 'markdown', text: text.join('\n\n') } as const;
        return at === 0
          ? block
          : { kind: 'folded', title: formatSynthesisHeading(one, view, MEMBERS), blocks: [block] };
      }),
    },
  ];
}

/** Returns the unresolved conflicts, and the seats that voted otherwise in the end. */
function dissentSection({ state, rounds, view }: Deliberation): Section[] {
  const last = readVotes(rounds).at(-1);
  const [first, ...rest] = last?.options ?? [];
  // If two options share the most votes, both are shown as dissent.
  const others = first !== undefined && first.votes === rest[0]?.votes ? [first, ...rest] : rest;
  if (state.tensions.length + others.length === 0) return [];
  const texts = [
    ...others.map(
      ({ option, seats }) =>
        `${seats.map((seat) => getSeatTitle(seat, view)).join(', ')}: voted "${option}".`,
    ),
    ...state.tensions,
  ];
  return [
    {
      title: 'Dissent',
      blocks: [{ kind: 'markdown', text: texts.map((one) => `- ${words(one)}`).join('\n') }],
    },
  ];
}

function decisionSection({ state }: Deliberation): Section[] {
  if (state.decisions.length === 0) return [];
  return [
    {
      title: 'Decisions',
      blocks: [
        {
          kind: 'table',
          table: {
            about: 'Each decision, and what it rests on.',
            head: ['decision', 'text', 'status', 'rests on'],
            rows: state.decisions.map(decisionRow),
          },
        },
      ],
    },
  ];
}

function decisionRow(one: DecisionState): Row {
  const { id, text, cites, conditions = [] } = one.decision;
  const cited = cites.map(({ id: other, relation, takes_as }) =>
    relation === 'supersedes'
      ? `overturns ${other}`
      : `${other}${takes_as === 'false' ? ', taken as false' : ''}`,
  );
  return {
    anchor: id,
    cells: [
      id,
      {
        text,
        below: conditions.length === 0 ? [] : [`Waits for the test of ${conditions.join('; ')}.`],
      },
      {
        text: DECISION_WORDS[one.standing],
        tone: decisionTone(one),
        below: one.fallen.map(({ why }) => why),
      },
      cited.length === 0 ? 'nothing' : cited.join('; '),
    ],
  };
}

/** The order of claims: refuted ones first, because they change the answer most often. */
const ORDER: readonly ClaimState['standing'][] = [
  'refuted',
  'confirmed',
  'partly',
  'unclear',
  'open',
  'withdrawn',
  'superseded',
];

function claimSection({ state, view, rounds }: Deliberation): Section[] {
  if (state.claims.length === 0) return [];
  const rows = ORDER.flatMap((standing) =>
    state.claims.filter((one) => one.standing === standing),
  ).map((one): Row => {
    const { claim, quotes, challengers, reliedOn, supersededBy, awaits } = one;
    return {
      anchor: claim.id,
      cells: [
        claim.id,
        getSeatTitle(claim.raised_by, view),
        {
          text: claim.text,
          below: [
            ...(claim.testable_as === '' ? [] : [`Test: ${claim.testable_as}`]),
            ...quotes.map(formatQuotation),
            ...formatReadingNotes(one, entryOf(rounds.claims, claim.id), rounds.sources),
          ],
        },
        {
          text: awaits ? 'open, waits for a test' : formatStanding(one),
          tone: claimTone(one),
          below: [
            ...(one.by === undefined ? [] : [`by ${one.by}`]),
            ...(challengers.length === 0 ? [] : [`denied by ${challengers.join(', ')}`]),
            ...(supersededBy === undefined ? [] : [`${supersededBy} took its place`]),
          ],
        },
        reliedOn.join(', '),
      ],
    };
  });
  return [
    {
      title: 'Claims',
      blocks: [
        {
          kind: 'table',
          table: {
            about: 'All claims, refuted ones first, with the words that decided them.',
            head: ['claim', 'raised by', 'text', 'status', 'carries'],
            rows,
          },
        },
      ],
    },
  ];
}

function verdictSection({ records }: Deliberation): Section[] {
  if (records.verifications.length === 0) return [];
  return [
    {
      title: 'Verdicts',
      blocks: [
        {
          kind: 'table',
          table: {
            about: 'Each check, its result, and where to find it.',
            head: ['verdict', 'check', 'result', 'summary', 'evidence'],
            rows: records.verifications.map((one) => ({
              anchor: one.id,
              cells: [
                one.id,
                CHECK_NAMES[one.check],
                { text: describeVerdict(one), tone: verdictTone(one) },
                one.degraded ?? firstSentence(one.notes) ?? '',
                formatCitedPlaces(one),
              ],
            })),
          },
        },
      ],
    },
  ];
}
