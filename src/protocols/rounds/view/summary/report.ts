/** The report for people with little time: the answer, its grounds, and how far to trust it. */

import type { RunView, SynthesisView } from '../../../../kernel/view.ts';
import { nestHeadings, words } from '../../../../plain/markdown.ts';
import { getSeatTitle } from '../../../../plain/naming.ts';
import type { ReportParts } from '../../../../plain/protocol-text.ts';
import { synthesisSections } from '../../../../plain/syntheses.ts';
import { firstSentence, sectionIn } from '../../../../text/answers/first-sentence.ts';
import { capitalize } from '../../../../text/capitalize.ts';
import { WORTH } from '../../../common/votes.ts';
import { readVotes } from '../../votes/counted-votes.ts';
import type { Deliberation } from '../display-state.ts';
import { whyEnded } from '../ending.ts';
import { shiftLine, voteLine } from '../votes.ts';
import { claimSection } from './claims.ts';
import { decisionSection } from './decisions.ts';
import { cautionFor, listRemarksOnLatest, synthesisText } from './doubts.ts';
import { findIds, type Meanings, meaningsIn } from './named.ts';
import { describeUnknownId } from './named-in-synthesis.ts';
import { qualitySection } from './quality.ts';
import { hasNoReader, NOBODY_READS } from './reader.ts';
import { signalSection } from './signals.ts';
import { verdictSection } from './verdicts.ts';

/** The word for the members of the panel, in `3 of 4 roles`. */
export const MEMBERS = 'roles';

/** Returns the beginning and the sections of the Markdown report. */
export function reportOf(run: Deliberation): Pick<ReportParts, 'lead' | 'sections'> {
  const { view } = run;
  const meanings = meaningsIn(run);
  return {
    lead: leadOf(run),
    sections: [
      ...synthesisSections(
        view.syntheses,
        view,
        2,
        (one) => ({
          above: one === view.syntheses.at(-1) ? [`_${words(whyEnded(run))}_`] : [],
          text: synthesisText(one, run),
          below: [...italic(listRemarksOnLatest(one, run)), ...legend(one, meanings)],
        }),
        MEMBERS,
      ),
      ...voteSection(run),
      ...claimSection(run, meanings),
      ...decisionSection(run, meanings),
      ...verdictSection(run, meanings),
      ...signalSection(run),
      ...qualitySection(run, meanings),
      'What was said in each round: `deliberate export --format records`.',
    ],
  };
}

/**
 * Returns parts of the report that can be shown by themselves. `dissent` lists open claims,
 * contradictions and decisions without grounds.
 */
export function partsOf(run: Deliberation): {
  vote?: string[];
  claims: string[];
  dissent?: string[];
  signals: string[];
} {
  const meanings = meaningsIn(run);
  const last = run.view.syntheses.at(-1);
  const text = last === undefined ? '' : synthesisText(last, run);
  const vote = voteSection(run);
  const dissent = ['What was refuted', 'What stays open', 'What would change the answer'].flatMap(
    (heading) => {
      const said = sectionIn(text, heading);
      return said === undefined ? [] : [`## ${heading}`, nestHeadings(said, 2)];
    },
  );
  return {
    ...(vote.length === 0 ? {} : { vote }),
    claims: claimSection(run, meanings),
    ...(dissent.length === 0 ? {} : { dissent }),
    signals: signalSection(run),
  };
}

/**
 * Returns the first sentence of the answer, its author, and the warnings that a reader needs first.
 */
function leadOf(run: Deliberation): string[] {
  const { view, state } = run;
  const synthesis = view.syntheses.at(-1);
  const said = synthesis && firstSentence(sectionIn(synthesisText(synthesis, run), 'Answer') ?? '');
  const caution = cautionFor(run);
  const sofar = state.answer && firstSentence(state.answer.text);
  return [
    ...(said === undefined
      ? sofar === undefined
        ? []
        : [`**${words(sofar)}** (the answer as it stood after round ${state.answer?.round})`]
      : [`**${words(said)}**`]),
    ...(caution === undefined ? [] : [`**${words(caution)}**`]),
    ...(synthesis === undefined ? [words(whyEnded(run))] : [words(heardIn(synthesis, view))]),
    ...(hasNoReader(run)
      ? [
          `**${capitalize(NOBODY_READS)}**: no claim is settled by reading or by argument. See [Quality of this run](#quality-of-this-run-${NOBODY_READS.replaceAll(' ', '-')}).`,
        ]
      : []),
  ];
}

/** Describes the roles in a synthesis: `3 of 4 roles. Without the Critic: it handed nothing in.` */
export function heardIn({ included, excluded }: SynthesisView, view: RunView): string {
  return [
    `${included.length} of ${included.length + excluded.length} ${MEMBERS}.`,
    ...excluded.map(({ seat, reason }) => `Without the ${getSeatTitle(seat, view)}: ${reason}.`),
  ].join(' ');
}

/** Formats remarks as paragraphs in italics. */
export function italic(remarks: readonly string[]): string[] {
  return remarks.map((one) => `_${words(one)}._`);
}

/** Explains the ids in a synthesis. */
export function legend({ text }: { readonly text: string }, meanings: Meanings): string[] {
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
      .flatMap((vote) => [voteLine(vote), ...vote.shifts.map((one) => shiftLine(one, title))])
      .map((text) => `- ${words(text)}`)
      .join('\n'),
    WORTH,
  ];
}
