/** The requirements of a team: their states and everything that affects them. */
import { type Block, makeSection, type Tone } from '../../../plain/blocks.ts';
import { escapeLine } from '../../../plain/markdown.ts';
import { recordKind } from '../../../record-kinds/kind.ts';
import { joinLines } from '../../../text/line.ts';
import { list } from '../../../text/markdown/blocks.ts';
import type { FactOf } from '../facts.ts';
import type { RequirementView } from '../fold.ts';
import { DOUBTS_HEADING } from '../plan-lines.ts';
import { sortRequirements, type TeamDisplay } from './display-state.ts';
import { formatQuotedPlace } from './task-text.ts';
import { shortenEvidence } from './wording.ts';

const PROOFS = {
  test: 'a test that fails on the base and passes now',
  check: 'a check',
  read: 'reading, with a quotation',
} as const;

const TONES: Readonly<Record<RequirementView['state'], Tone>> = {
  met: 'good',
  unmet: 'bad',
  disputed: 'mixed',
  unproved: 'open',
};

/** The kind of record for requirements, in reports. */
export const REQUIREMENT = recordKind({
  name: 'Requirements',
  about: 'What the work must do. Those that are not met come first.',
  all: ({ team }: TeamDisplay) => sortRequirements(team),
  id: ({ id }: RequirementView) => id,
  heading: ({ id }) => id,
  columns: [
    { title: 'id', of: ({ id }) => id },
    { title: 'state', of: ({ state }) => ({ text: state, tone: TONES[state] }) },
    { title: 'proof', of: ({ proof }) => proof },
    { title: 'requirement', of: ({ text }) => text },
    { title: 'evidence', of: ({ evidence }) => evidence.map(shortenEvidence).join('; ') || 'none' },
  ],
  details: requirementBlocks,
  isWholeInReports: true,
  compared: ({ text, state, proof }) => ({ text, state, proof }),
  sentence: ({ text, state }) => `${text} (${state})`,
});

/** Returns what people read about a requirement: its state, evidence, tests, verdicts and tasks. */
export function requirementBlocks(
  { id, text, state, proof, evidence }: RequirementView,
  { team, title, config }: TeamDisplay,
): Block[] {
  const covering = team.tasks.filter(({ task }) => task.covers.includes(id));
  return [
    escapeLine(text),
    `**${state}**, to be proved by ${PROOFS[proof]}.`,
    makeSection(
      DOUBTS_HEADING,
      list(
        (config?.spec?.requirements.find((requirement) => requirement.id === id)?.marks ?? []).map(
          escapeLine,
        ),
      ),
    ),
    makeSection('Evidence', list(evidence.map(escapeLine))),
    makeSection(
      'Tests written first',
      list(
        team.tests.flatMap(({ tests }) =>
          tests
            .filter(({ requirement }) => requirement === id)
            .map(({ path, shows, state: how }) => escapeLine(`${path} (${how}): ${shows}`)),
        ),
      ),
    ),
    makeSection(
      evidence.length === 0 ? 'What verifiers say' : 'What verifiers say beside that',
      list(
        team.verdicts.flatMap(({ seat, round, again, items }) =>
          items
            .filter((item) => item.requirement === id && !isAmong(evidence, seat, item))
            .map(
              (item) =>
                `${escapeLine(title(seat))}, round ${round}${again ? ', looking again' : ''}: ${item.met}. ${escapeLine(item.why)} ${formatQuotedPlace(item)}`,
            ),
        ),
      ),
    ),
    makeSection(
      'Tasks for it',
      list(
        covering.map(({ task, state: how }) => escapeLine(`${task.id} (${how}): ${task.title}`)),
      ),
    ),
  ];
}

/** Returns whether a verifier's statement is part of the evidence, which is shown above. */
function isAmong(
  evidence: readonly string[],
  seat: string,
  {
    met,
    path,
    quote,
    found,
  }: Pick<FactOf<'verdict.given'>['items'][number], 'met' | 'path' | 'quote' | 'found'>,
): boolean {
  return (
    found &&
    evidence.some(
      (entry) =>
        entry.includes(`${seat}: ${met}, `) &&
        joinLines(entry).includes(`${path}: ${joinLines(quote)} (`),
    )
  );
}
