/** The report for people with little time: the answer, its grounds, and how far to trust it. */

import type { RunView, SynthesisView } from '../../../../kernel/view.ts';
import { nestHeadings, words } from '../../../../plain/markdown.ts';
import { getSeatTitle } from '../../../../plain/naming.ts';
import type { ReportParts } from '../../../../plain/protocol-text.ts';
import { synthesisSections } from '../../../../plain/syntheses.ts';
import { firstSentence, sectionIn } from '../../../../text/answers/first-sentence.ts';
import { capitalize } from '../../../../text/capitalize.ts';
import { WORTH } from '../../../common/voting/votes.ts';
import { readVotes } from '../../votes/counted-votes.ts';
import type { Deliberation } from '../display-state.ts';
import { explainEnding } from '../ending.ts';
import { formatShift, formatVoteResult } from '../votes.ts';
import { formatClaimSection } from './claims.ts';
import { formatDecisionSection } from './decisions.ts';
import { formatSynthesisText, getCaution, listRemarksOnLatest } from './doubts.ts';
import { describeRecords, findIds, type Meanings } from './named.ts';
import { describeUnknownId } from './named-in-synthesis.ts';
import { formatQualitySection } from './quality.ts';
import { hasNoReader, NOBODY_READS } from './reader.ts';
import { formatSignalSection } from './signals.ts';
import { formatVerdictSection } from './verdicts.ts';

/** The word for the members of the panel, in `3 of 4 roles`. */
export const MEMBERS = 'roles';

/** Formats the beginning and the sections of the Markdown report on a deliberation. */
export function formatReportSections(run: Deliberation): Pick<ReportParts, 'lead' | 'sections'> {
  const { view } = run;
  const meanings = describeRecords(run);
  return {
    lead: leadOf(run),
    sections: [
      ...synthesisSections(
        view.syntheses,
        view,
        2,
        (one) => ({
          above: one === view.syntheses.at(-1) ? [`_${words(explainEnding(run))}_`] : [],
          text: formatSynthesisText(one, run),
          below: [...formatItalic(listRemarksOnLatest(one, run)), ...explainIds(one, meanings)],
        }),
        MEMBERS,
      ),
      ...voteSection(run),
      ...formatClaimSection(run, meanings),
      ...formatDecisionSection(run, meanings),
      ...formatVerdictSection(run, meanings),
      ...formatSignalSection(run),
      ...formatQualitySection(run, meanings),
      'What was said in each round: `deliberate export --format records`.',
    ],
  };
}

/**
 * Formats those sections of the report that can be asked for by name. `dissent` lists open claims,
 * contradictions and decisions without grounds.
 */
export function formatReportParts(run: Deliberation): {
  vote?: string[];
  claims: string[];
  dissent?: string[];
  signals: string[];
} {
  const meanings = describeRecords(run);
  const last = run.view.syntheses.at(-1);
  const text = last === undefined ? '' : formatSynthesisText(last, run);
  const vote = voteSection(run);
  const dissent = ['What was refuted', 'What stays open', 'What would change the answer'].flatMap(
    (heading) => {
      const said = sectionIn(text, heading);
      return said === undefined ? [] : [`## ${heading}`, nestHeadings(said, 2)];
    },
  );
  return {
    ...(vote.length === 0 ? {} : { vote }),
    claims: formatClaimSection(run, meanings),
    ...(dissent.length === 0 ? {} : { dissent }),
    signals: formatSignalSection(run),
  };
}

/**
 * Returns the first sentence of the answer, its author, and the warnings that a reader needs first.
 */
function leadOf(run: Deliberation): string[] {
  const { view, state } = run;
  const synthesis = view.syntheses.at(-1);
  const said =
    synthesis && firstSentence(sectionIn(formatSynthesisText(synthesis, run), 'Answer') ?? '');
  const caution = getCaution(run);
  const sofar = state.answer && firstSentence(state.answer.text);
  return [
    ...(said === undefined
      ? sofar === undefined
        ? []
        : [`**${words(sofar)}** (the answer as it stood after round ${state.answer?.round})`]
      : [`**${words(said)}**`]),
    ...(caution === undefined ? [] : [`**${words(caution)}**`]),
    ...(synthesis === undefined
      ? [words(explainEnding(run))]
      : [words(describeHeardRoles(synthesis, view))]),
    ...(hasNoReader(run)
      ? [
          `**${capitalize(NOBODY_READS)}**: no claim is settled by reading or by argument. See [Quality of this run](#quality-of-this-run-${NOBODY_READS.replaceAll(' ', '-')}).`,
        ]
      : []),
  ];
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
  return remarks.map((one) => `_${words(one)}._`);
}

/** Returns lines that explain the ids of records in a synthesis. */
export function explainIds({ text }: { readonly text: string }, meanings: Meanings): string[] {
  const ids = findIds(text);
  if (ids.length === 0) return [];
  return [
    '_Named above:_',
    ids.map((id) => `- ${words(`${id}: ${meanings.get(id) ?? describeUnknownId(id)}`)}`).join('\n'),
  ];
}

/** Returns the first and the last vote, which show what the deliberation changed. */
function voteSection({ rounds, view }: Deliberation): string[] {
  const votes = readVotes(rounds);
  const title = (seat: string): string => getSeatTitle(seat, view);
  const shown = [votes[0], ...(votes.length > 1 ? [votes.at(-1)] : [])].flatMap((one) => one ?? []);
  if (shown.length === 0) return [];
  return [
    '## Votes, first and last',
    shown
      .flatMap((vote) => [
        formatVoteResult(vote),
        ...vote.shifts.map((one) => formatShift(one, title)),
      ])
      .map((text) => `- ${words(text)}`)
      .join('\n'),
    WORTH,
  ];
}
