/**
 * A deliberation's part of a report, for people with little time: the answer, its grounds, and how far to
 * trust it.
 */

import type { RunView, SynthesisView } from '../../../../kernel/view.ts';
import {
  type Answer,
  makeFoldedSection,
  makeSection,
  type RunReport,
  type Section,
  type Vote,
} from '../../../../plain/blocks.ts';
import { listCallGaps, synthesisGaps } from '../../../../plain/gaps.ts';
import type { IdDescriptions } from '../../../../plain/id-explainer.ts';
import { escapeLine } from '../../../../plain/markdown.ts';
import { getSeatTitle } from '../../../../plain/naming.ts';
import type { ProtocolReport } from '../../../../plain/protocol-text.ts';
import { synthesisSection } from '../../../../plain/syntheses.ts';
import { recordSection, recordSections } from '../../../../record-kinds/section.ts';
import { firstSentence, sectionIn } from '../../../../text/answers/first-sentence.ts';
import { capitalize } from '../../../../text/capitalize.ts';
import { list } from '../../../../text/markdown/blocks.ts';
import { WORTH } from '../../../common/voting/votes.ts';
import { formatVoteTitle, readVotes, type VoteTally } from '../../votes/counted-votes.ts';
import { type Deliberation, deriveDeliberation } from '../display-state.ts';
import { explainEnding } from '../ending.ts';
import { testSection } from '../tests-report.ts';
import { formatShift } from '../votes.ts';
import { MEMBERS } from '../wording.ts';
import { drawArgument } from './argument.ts';
import { formatSynthesisText, getCaution, listRemarksOnLatest } from './doubts.ts';
import { describeRecords, findIds } from './named.ts';
import { describeUnknownId } from './named-in-synthesis.ts';
import { qualitySection } from './quality.ts';
import { listQuotedPlaces } from './quoted.ts';
import { hasNoReader, NOBODY_READS } from './reader.ts';
import { CLAIM, RECORDS } from './records.ts';
import { signalSection } from './signals.ts';

/** The report of a deliberation. */
export const report: ProtocolReport = {
  build: ({ facts, view }) => roundsReport(deriveDeliberation(facts, view)),
  parts: ({ facts, view }) => roundsParts(deriveDeliberation(facts, view)),
};

/** Returns what a report tells of a deliberation. */
function roundsReport(run: Deliberation): RunReport {
  const { view } = run;
  const meanings = describeRecords(run);
  const graph = drawArgument(run);
  return {
    answers: [answerOf(run)],
    sections: [
      synthesisSection(
        view.syntheses,
        view,
        (synthesis) => ({
          text: formatSynthesisText(synthesis, run),
          below: [
            ...formatItalic(listRemarksOnLatest(synthesis, run)),
            makeFoldedSection('Named above', explainIds(synthesis, meanings)),
          ],
        }),
        MEMBERS,
      ),
      dissentSection(run),
      makeSection('The argument', graph === undefined ? '' : { kind: 'graph', graph }),
      ...recordSections(RECORDS, run),
      signalSection(run),
      qualitySection(run, meanings),
      testSection(run.rounds),
    ],
    meanings,
    quoted: listQuotedPlaces(run.rounds),
    missing: [...listCallGaps(view), ...synthesisGaps(view.syntheses.at(-1), view)],
  };
}

/**
 * Returns parts of the report that can be shown by themselves. `dissent` lists what the synthesis
 * says of refuted and open claims.
 */
function roundsParts(
  run: Deliberation,
): Record<'vote' | 'claims' | 'dissent' | 'signals', Section[]> {
  const last = run.view.syntheses.at(-1);
  const text = last === undefined ? '' : formatSynthesisText(last, run);
  return {
    vote: [
      makeSection(
        'Votes, first and last',
        ...votesOf(run).map((vote) => ({ kind: 'vote' as const, vote })),
      ),
    ],
    claims: [recordSection(CLAIM, run, { evenIfNone: true })],
    dissent: ['What was refuted', 'What stays open', 'What would change the answer'].map(
      (heading) => makeSection(heading, { kind: 'said', text: sectionIn(text, heading) ?? '' }),
    ),
    signals: [signalSection(run)],
  };
}

function answerOf(run: Deliberation): Answer {
  const { view, state } = run;
  const synthesis = view.syntheses.at(-1);
  const said =
    synthesis && firstSentence(sectionIn(formatSynthesisText(synthesis, run), 'Answer') ?? '');
  const caution = getCaution(run);
  const sofar = state.answer && firstSentence(state.answer.text);
  return {
    title: 'Answer',
    isHeadline: true,
    text: said ?? sofar,
    basisLines: [
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
    votes: votesOf(run),
  };
}

/** Returns the first and the last vote, which show what the deliberation changed. */
function votesOf(run: Deliberation): Vote[] {
  const votes = readVotes(run.rounds);
  const shown = [votes[0], ...(votes.length > 1 ? [votes.at(-1)] : [])].flatMap(
    (vote) => vote ?? [],
  );
  return shown.map((vote, at) => voteOf(vote, run, at === shown.length - 1));
}

function voteOf(vote: VoteTally, { view }: Deliberation, isLast: boolean): Vote {
  const getTitle = (seat: string): string => getSeatTitle(seat, view);
  return {
    title:
      vote.by === 'wording' && vote.options.length > 1
        ? `${formatVoteTitle(vote)} (told apart by wording)`
        : formatVoteTitle(vote),
    choices: vote.options.map(({ option, votes, seats, effective }) => ({
      option,
      votes,
      worth: effective,
      seats: seats.map(getTitle),
    })),
    notes: [
      ...vote.shifts.map((shift) => formatShift(shift, getTitle)),
      ...(isLast ? [WORTH] : []),
    ],
  };
}

/** Returns the unresolved conflicts, and the seats that voted otherwise in the end. */
function dissentSection({ state, rounds, view }: Deliberation): Section {
  const last = readVotes(rounds).at(-1);
  const [first, ...rest] = last?.options ?? [];
  // If two or more options share the most votes, list every option as dissent, because none has won.
  const others = first !== undefined && first.votes === rest[0]?.votes ? [first, ...rest] : rest;
  const texts = [
    ...others.map(
      ({ option, seats }) =>
        `${seats.map((seat) => getSeatTitle(seat, view)).join(', ')}: voted "${option}".`,
    ),
    ...state.tensions,
  ];
  return makeSection('Dissent', list(texts.map(escapeLine)));
}

/** Describes the roles in a synthesis: `3 of 4 roles. Without the Critic: it handed nothing in.` */
export function describeHeardRoles({ included, excluded }: SynthesisView, view: RunView): string {
  return [
    `${included.length} of ${included.length + excluded.length} ${MEMBERS}.`,
    ...excluded.map(({ seat, reason }) => `Without the ${getSeatTitle(seat, view)}: ${reason}.`),
  ].join(' ');
}

/** Formats remarks as paragraphs in italics. */
export function formatItalic(remarks: readonly string[]): string[] {
  return remarks.map((remark) => `_${escapeLine(remark)}._`);
}

/** Returns a Markdown list that explains the ids of records in a synthesis; empty if it has none. */
export function explainIds({ text }: { readonly text: string }, meanings: IdDescriptions): string {
  return findIds(text)
    .map((id) => `- ${escapeLine(`${id}: ${meanings.get(id) ?? describeUnknownId(id)}`)}`)
    .join('\n');
}
