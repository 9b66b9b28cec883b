/**
 * Formats a run as an architecture decision record in the form of MADR 4, from the run's record alone. A run
 * on which nothing was decided is a proposal.
 */

import { stringify } from 'yaml';
import {
  type DecisionsView,
  decisionsOf,
  standingDecision,
  type TakenView,
} from '../decisions/fold.ts';
import type { DecisionGrounds } from '../decisions/grounds.ts';
import {
  formatReviews,
  type PredictionRow,
  predictionTables,
  reviewDay,
} from '../decisions/table.ts';
import { leadingSentence, questionTitle, sectionIn } from '../text/answers/first-sentence.ts';
import { capitalize } from '../text/capitalize.ts';
import { toLine } from '../text/line.ts';
import { blocksText } from './blocks-text.ts';
import { escapeLine, formatQuotation } from './markdown.ts';
import { getSeatTitle } from './naming.ts';
import type { ProtocolReport, ProtocolText, RecordedRun } from './protocol-text.ts';

/** The links from a decision record to others in its folder. */
interface AdrLinks {
  /** The file name of the superseded record: `0007-use-a-queue.md`. */
  readonly supersedes?: string | undefined;
}

/**
 * Returns the title of an architecture decision record (ADR): the decision or, without one, the
 * question.
 */
export function formatAdrTitle({ facts, view }: RecordedRun): string {
  const decision = standingDecision(decisionsOf(facts));
  return withoutFullStop(toLine(questionTitle(decision?.text ?? view.question)));
}

/**
 * Formats a run as an architecture decision record (ADR) in Markdown, with front matter.
 *
 * @param text the texts of the run's protocol
 * @param report the reports of the run's protocol
 * @param links the file name of the record that this one supersedes, if there is one
 */
export function formatAdr(
  run: RecordedRun,
  text: ProtocolText,
  report: ProtocolReport,
  links: AdrLinks = {},
): string {
  const { facts, view } = run;
  const decisions = decisionsOf(facts);
  const decision = standingDecision(decisions);
  const synthesis = text.latest(run);
  const said = synthesis === undefined ? '' : text.reads(synthesis, run);
  const grounds = text.grounds(run);
  const [table] = predictionTables(
    decisions,
    (seat) => getSeatTitle(seat, view),
    view.seats.map(({ id }) => id),
  ).slice(-1);
  // Leave out predictions that are void, which means that they cannot be answered: they cannot confirm the
  // decision any more.
  const rows = (table?.rows ?? []).filter(({ outcome: came }) => !came.startsWith('void'));
  return `${[
    frontMatter(run, decision),
    `# ${escapeLine(formatAdrTitle(run))}`,
    '## Context and Problem Statement',
    formatQuotation(view.question),
    ...listSection('## Decision Drivers', grounds.drivers),
    '## Considered Options',
    formatBullets(optionLines(grounds, decision, said)),
    '## Decision Outcome',
    formatOutcome(decision, said),
    ...(decision?.note === undefined ? [] : [escapeLine(toLine(decision.note))]),
    ...groundLines(grounds),
    ...listSection('### Consequences', findConsequences(said)),
    ...formatConfirmation(rows, decision),
    '## More Information',
    ...(links.supersedes === undefined
      ? []
      : [
          `Supersedes [${escapeLine(links.supersedes.replace(/\.md$/, ''))}](${encodeURI(links.supersedes)}).`,
        ]),
    ...earlierDecisions(decisions),
    ...blocksText(report.parts?.(run).dissent ?? [], 2),
    ...listSection('### What Would Change It', grounds.change),
    ...listSection(
      '### Open Claims',
      grounds.open.map(({ id, text: claim }) => `${id}: ${claim}`),
    ),
    formatSource(run, decision),
  ].join('\n\n')}\n`;
}

function frontMatter({ view }: RecordedRun, decision: TakenView | undefined): string {
  const consulted = view.seats.map(({ title, model }) => `${toLine(title)} (${toLine(model)})`);
  const matter = {
    status: decision === undefined ? 'proposed' : 'accepted',
    date: (decision?.at ?? view.endedAt ?? view.startedAt).slice(0, 10),
    ...(decision?.by === undefined ? {} : { 'decision-makers': toLine(decision.by) }),
    ...(consulted.length === 0 ? {} : { consulted: consulted.join(', ') }),
  };
  return `---\n${stringify(matter, { lineWidth: 0, defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' })}---`;
}

/**
 * Returns the options of the ballots with who was for each; without ballots, the recommended course. The
 * decision is added if it is none of the options.
 */
function optionLines(
  { options }: DecisionGrounds,
  decision: TakenView | undefined,
  said: string,
): string[] {
  const voted = options.map(
    ({ option, by }) => `${option}${by.length === 0 ? '' : ` (for it: ${by.join(', ')})`}`,
  );
  const recommended = leadingSentence(said);
  const other =
    decision === undefined || options.some(({ option }) => option === decision.option)
      ? []
      : [voted.length === 0 ? decision.text : `${decision.text} (on no ballot)`];
  const all = [
    ...voted,
    ...(voted.length === 0 && recommended !== undefined ? [withoutCode(recommended)] : []),
    ...other,
  ];
  return all.length === 0 ? ['None were recorded'] : [...new Set(all)];
}

function formatOutcome(decision: TakenView | undefined, said: string): string {
  const recommendation = leadingSentence(said);
  const recommended = recommendation && escapeLine(withoutCode(toLine(recommendation)));
  if (decision === undefined)
    return recommended === undefined
      ? 'Nothing was decided yet, and the panel came to no recommendation.'
      : `Nothing was decided yet. The panel recommends: ${recommended}`;
  const text = escapeLine(toLine(decision.text));
  const option = decision.option === undefined ? text : escapeLine(toLine(decision.option));
  const chosen = `Chosen option: "${withoutFullStop(option)}".`;
  // An ADR only says whether the decision agrees with the recommendation, because the record does not say why the
  // person decided so.
  const relation = decision.follows
    ? 'This is what the panel recommended'
    : 'The panel recommended another course';
  return [
    chosen,
    ...(decision.option === undefined ? [] : [text]),
    recommended === undefined ? `${relation}.` : `${relation}: ${recommended}`,
  ].join('\n\n');
}

/** Removes a full stop at the end, but not an ellipsis. */
function withoutFullStop(text: string): string {
  return text.replace(/(?<!\.)\.$/, '');
}

/** Removes the marks of code spans, which would be escaped and make the source hard to read. */
function withoutCode(text: string): string {
  return text.replaceAll('`', '');
}

/** Returns the predictions with what came of them, and the reviews of the decision. */
function formatConfirmation(
  rows: readonly PredictionRow[],
  decision: TakenView | undefined,
): readonly string[] {
  const reviews =
    decision === undefined ? [] : formatReviews(decision).slice(0, decision.reviews.length);
  const lines = [
    ...rows.flatMap(({ id, sentence, date, panel, details, outcome: came, isOpen }) => [
      `* ${escapeLine(`By ${date}: ${sentence} (${id}, panel ${panel})`)}`,
      ...[...(isOpen ? [] : [capitalize(came)]), ...details].map(
        (detail) => `  * ${escapeLine(detail)}`,
      ),
    ]),
    ...reviews.map((review) => `* ${escapeLine(review)}`),
  ];
  return lines.length === 0 ? [] : ['### Confirmation', lines.join('\n')];
}

/** Returns a list of the decisions on the same run that the one in force supersedes. */
function earlierDecisions({ taken }: DecisionsView): readonly string[] {
  const earlier = taken.slice(0, -1);
  if (earlier.length === 0) return [];
  const lines = earlier.map(({ at, text }) => `${at.slice(0, 10)}: ${text}`);
  return ['It takes the place of what was decided before on the same run:', formatBullets(lines)];
}

/** Returns the claims that the decision rests on, grouped by how they are known. */
function groundLines({ claims }: DecisionGrounds): string[] {
  if (claims.length === 0) return [];
  const bases = [...new Set(claims.map(({ basis }) => basis ?? 'confirmed'))];
  return [
    'It rests on these claims:',
    formatBullets(
      bases.flatMap((basis) =>
        claims
          .filter((claim) => (claim.basis ?? 'confirmed') === basis)
          .map(
            ({ id, text, place }) =>
              `${basis}: ${text} (${id}${place === undefined ? '' : `, ${place}`})`,
          ),
      ),
    ),
  ];
}

/** Returns the lines of the synthesis under "What to do". */
function findConsequences(said: string): string[] {
  return (sectionIn(said, 'What to do') ?? '')
    .split('\n')
    .map((row) => toLine(row.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, '')))
    .filter((row) => row !== '');
}

function formatSource({ view }: RecordedRun, decision: TakenView | undefined): string {
  const review = decision && reviewDay(decision);
  return [
    ...(review === undefined ? [] : [`This decision is to be looked at again on ${review}.`]),
    `From the record of deliberate run ${view.id}, a ${escapeLine(view.protocol)} of ${view.seats.length} seats, started on ${view.startedAt.slice(0, 10)}.`,
  ].join(' ');
}

function listSection(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [heading, formatBullets(lines)];
}

function formatBullets(lines: readonly string[]): string {
  return lines.map((text) => `* ${escapeLine(toLine(text))}`).join('\n');
}
