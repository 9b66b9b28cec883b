/** Formats a requirement as Markdown: its state and everything that affects it. */
import { words } from '../../../plain/markdown.ts';
import { joinLines } from '../../../text/line.ts';
import { list, paragraphs } from '../../../text/markdown/blocks.ts';
import type { FactOf } from '../facts.ts';
import type { RequirementView } from '../fold.ts';
import { DOUBTS_HEADING } from '../plan-lines.ts';
import type { Teamed } from './display-state.ts';
import { formatQuotedPlace } from './task-text.ts';
import { formatPart } from './wording.ts';

const PROOFS = {
  test: 'a test that fails on the base and passes now',
  check: 'a check',
  read: 'reading, with a quotation',
} as const;

/** Formats a requirement as Markdown. `level` is the level of its headings. */
export function requirementText(
  { id, text, state, proof, evidence }: RequirementView,
  { team, title, config }: Teamed,
  level: number,
): string {
  const mark = '#'.repeat(level);
  const covering = team.tasks.filter(({ task }) => task.covers.includes(id));
  return paragraphs([
    words(text),
    `**${state}**, to be proved by ${PROOFS[proof]}.`,
    formatPart(
      mark,
      DOUBTS_HEADING,
      list((config?.spec?.requirements.find((one) => one.id === id)?.marks ?? []).map(words)),
    ),
    formatPart(mark, 'Evidence', list(evidence.map(words))),
    formatPart(
      mark,
      'Tests written first',
      list(
        team.tests.flatMap(({ tests }) =>
          tests
            .filter(({ requirement }) => requirement === id)
            .map(({ path, shows, state: how }) => words(`${path} (${how}): ${shows}`)),
        ),
      ),
    ),
    formatPart(
      mark,
      evidence.length === 0 ? 'What verifiers say' : 'What verifiers say beside that',
      list(
        team.verdicts.flatMap(({ seat, round, again, items }) =>
          items
            .filter((item) => item.requirement === id && !isAmong(evidence, seat, item))
            .map(
              (item) =>
                `${words(title(seat))}, round ${round}${again ? ', looking again' : ''}: ${item.met}. ${words(item.why)} ${formatQuotedPlace(item)}`,
            ),
        ),
      ),
    ),
    formatPart(
      mark,
      'Tasks for it',
      list(covering.map(({ task, state: how }) => words(`${task.id} (${how}): ${task.title}`))),
    ),
  ]);
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
      (one) =>
        one.includes(`${seat}: ${met}, `) &&
        joinLines(one).includes(`${path}: ${joinLines(quote)} (`),
    )
  );
}
