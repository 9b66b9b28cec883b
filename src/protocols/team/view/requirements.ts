/**
 * Defines the Requirements tab: each requirement with its state, proof and evidence, those not met first.
 */
import { OutlinePage } from '../../../console/run/tabs/outline.ts';
import type { Page, PageAround, ReadText } from '../../../console/run/tabs/page.ts';
import type { Theme } from '../../../console/terminal/theme.ts';
import { readingText } from '../../../record-kinds/tab.ts';
import { toLine } from '../../../text/line.ts';
import { padEnd } from '../../../text/width.ts';
import type { RequirementView } from '../fold.ts';
import { sortRequirements, type TeamDisplay } from './display-state.ts';
import { getTeamDisplay, teamIn } from './part.ts';
import { requirementBlocks } from './requirement-text.ts';
import { REQUIREMENT_SIGNS } from './wording.ts';

const ABOUT =
  'A requirement is met when code has evidence: a test that was red and is now green, a check, or a quotation found where a verifier says.';

type Line =
  | { readonly kind: 'requirement'; readonly one: RequirementView }
  | { readonly kind: 'evidence'; readonly one: RequirementView; readonly text: string };

/** Creates the page of the Requirements tab. */
export function requirementsPage(around: PageAround): Page {
  const { runModel } = around;
  return new OutlinePage<Line>(around, {
    name: 'Requirements',
    head: [rowOf('  id', 'state', 'proof', 'requirement, and its evidence')],
    above: () => [ABOUT],
    empty: 'No requirements yet.',
    version: () => teamIn(runModel).version,
    lines: (query, folded) =>
      sortRequirements(teamIn(runModel).view)
        .filter(({ id, text, state }) => `${id} ${state} ${text}`.toLowerCase().includes(query))
        .flatMap((requirement): Line[] => [
          { kind: 'requirement', one: requirement },
          ...(folded.has(requirement.id) ? [] : evidenceOf(requirement)),
        ]),
    branch: (line) => (line.kind === 'requirement' ? line.one.id : undefined),
    row: ({ kind, one: requirement, ...more }) => ({
      text:
        kind === 'requirement'
          ? rowOf(
              `${REQUIREMENT_SIGNS[requirement.state]} ${requirement.id}`,
              requirement.state,
              requirement.proof,
              toLine(requirement.text),
            )
          : rowOf('', '', '', 'text' in more ? String(more.text) : ''),
      figures: [],
    }),
    tinted: tintRow,
    copyable: ({ one: requirement }) => readRequirement(requirement, getTeamDisplay(runModel)),
    read: ({ one: requirement }) => readRequirement(requirement, getTeamDisplay(runModel)),
  });
}

function rowOf(id: string, state: string, proof: string, text: string): string {
  return `${padEnd(id, 6)} ${padEnd(state, 9)} ${padEnd(proof, 6)} ${text}`;
}

function evidenceOf(requirement: RequirementView): Line[] {
  const texts =
    requirement.evidence.length === 0 ? ['no evidence yet'] : requirement.evidence.map(toLine);
  return texts.map((text) => ({ kind: 'evidence', one: requirement, text: `- ${text}` }));
}

function tintRow(line: Line, row: string, theme: Theme): string {
  if (line.kind === 'evidence') return theme.dim(row);
  const { state } = line.one;
  if (state === 'unmet') return theme.tone('red', row);
  return state === 'met' ? row : theme.tone('yellow', row);
}

function readRequirement(requirement: RequirementView, teamed: TeamDisplay): ReadText {
  return {
    name: requirement.id,
    title: `${requirement.id} · ${toLine(requirement.text)}`,
    markdown: readingText(requirementBlocks(requirement, teamed)),
  };
}
