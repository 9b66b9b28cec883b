/**
 * Formats a run as an architecture decision record in the form of MADR 4, from the run's record alone. A run
 * on which nothing was decided is a proposal.
 */
import { stringify } from 'yaml';
import { decisionsOf, standingDecision, type TakenView } from '../decisions/fold.ts';
import type { DecisionGrounds } from '../decisions/grounds.ts';
import { predictionTables, reviewDay } from '../decisions/table.ts';
import { leadingSentence, questionTitle, sectionIn } from '../text/answers/first-sentence.ts';
import { line } from '../text/line.ts';
import { quote, words } from './markdown.ts';
import { titleOf } from './naming.ts';
import type { ProtocolText, Recorded } from './protocol-text.ts';

/** Links from a record to another one in its folder. */
interface AdrLinks {
  /** The file name of the superseded record: `0007-use-a-queue.md`. */
  readonly supersedes?: string | undefined;
}

/** Returns the title of the record: what was decided, else what was asked. */
export function adrTitle({ facts, view }: Recorded): string {
  const decision = standingDecision(decisionsOf(facts));
  return line(questionTitle(decision?.text ?? view.question)).replace(/(?<!\.)\.$/, '');
}

/** Returns the record as Markdown, with front matter. */
export function adrText(run: Recorded, text: ProtocolText, links: AdrLinks = {}): string {
  const { facts, view } = run;
  const decisions = decisionsOf(facts);
  const decision = standingDecision(decisions);
  const synthesis = text.latest(run);
  const said = synthesis === undefined ? '' : text.reads(synthesis, run);
  const grounds = text.grounds(run);
  const [table] = predictionTables(decisions, (seat) => titleOf(seat, view)).slice(-1);
  // A void prediction cannot confirm the decision any more.
  const rows = (table?.rows ?? []).filter(({ outcome: came }) => !came.startsWith('void'));
  const dissent = text.parts(run).dissent ?? [];
  return `${[
    frontMatter(run, decision),
    `# ${words(adrTitle(run))}`,
    '## Context and Problem Statement',
    quote(view.question),
    ...listSection('## Decision Drivers', grounds.drivers),
    '## Considered Options',
    bullets(optionLines(grounds, decision, said)),
    '## Decision Outcome',
    formatOutcome(decision, said),
    ...groundLines(grounds),
    ...listSection('### Consequences', findConsequences(said)),
    ...listSection(
      '### Confirmation',
      rows.map(
        ({ id, sentence, date, panel, details, outcome: came, isOpen }) =>
          `By ${date}: ${sentence} (${id}, panel ${panel}; ${details.map(lowerFirst).join('; ')}${isOpen ? '' : `; ${came}`})`,
      ),
    ),
    '## More Information',
    ...(links.supersedes === undefined
      ? []
      : [
          `Supersedes [${words(links.supersedes.replace(/\.md$/, ''))}](${encodeURI(links.supersedes)}).`,
        ]),
    ...(decision?.note === undefined ? [] : [words(line(decision.note))]),
    ...dissent.map((paragraph) => paragraph.replace(/^#{2,5} /, '### ')),
    ...listSection('### What Would Change It', grounds.change),
    ...listSection(
      '### Open Claims',
      grounds.open.map(({ id, text: claim }) => `${id}: ${claim}`),
    ),
    formatSource(run, decision),
  ].join('\n\n')}\n`;
}

function frontMatter({ view }: Recorded, decision: TakenView | undefined): string {
  const consulted = view.seats.map(({ title, model }) => `${line(title)} (${line(model)})`);
  const matter = {
    status: decision === undefined ? 'proposed' : 'accepted',
    date: (decision?.at ?? view.endedAt ?? view.startedAt).slice(0, 10),
    ...(decision?.by === undefined ? {} : { 'decision-makers': line(decision.by) }),
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
      : [decision.text];
  const all = [
    ...voted,
    ...(voted.length === 0 && recommended !== undefined ? [recommended] : []),
    ...other,
  ];
  return all.length === 0 ? ['None were recorded'] : [...new Set(all)];
}

function formatOutcome(decision: TakenView | undefined, said: string): string {
  const recommended = leadingSentence(said);
  const panel =
    recommended === undefined ? '' : ` the panel recommends: ${words(line(recommended))}`;
  if (decision === undefined)
    return recommended === undefined
      ? 'Nothing was decided yet, and the panel came to no recommendation.'
      : `Nothing was decided yet;${panel}`;
  const chosen = `Chosen option: "${words(line(decision.option ?? decision.text))}"`;
  const more = decision.option === undefined ? '' : `\n\n${words(line(decision.text))}`;
  if (!decision.follows)
    return `${chosen}, although${panel === '' ? ' the panel recommends another course' : panel}${more}`;
  // The person has said that the decision follows the recommendation, but not that this is the reason.
  return `${chosen}${panel === '' ? '.' : `;${panel}`}${more}`;
}

/** Returns the claims that the decision rests on, grouped by how they are known. */
function groundLines({ claims }: DecisionGrounds): string[] {
  if (claims.length === 0) return [];
  const bases = [...new Set(claims.map(({ basis }) => basis ?? 'confirmed'))];
  return [
    'It rests on these claims:',
    bullets(
      bases.flatMap((basis) =>
        claims
          .filter((one) => (one.basis ?? 'confirmed') === basis)
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
    .map((row) => line(row.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, '')))
    .filter((row) => row !== '');
}

function formatSource({ view }: Recorded, decision: TakenView | undefined): string {
  const review = decision && reviewDay(decision);
  return [
    ...(review === undefined ? [] : [`This decision is to be looked at again on ${review}.`]),
    `From the record of deliberate run ${view.id}, a ${words(view.protocol)} of ${view.seats.length} seats, started on ${view.startedAt.slice(0, 10)}.`,
  ].join(' ');
}

function listSection(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [heading, bullets(lines)];
}

function bullets(lines: readonly string[]): string {
  return lines.map((one) => `* ${words(line(one))}`).join('\n');
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
