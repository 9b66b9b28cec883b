/** Defines the records of what each specialist was shown of the documents, and what not. */
import { type Block, makeSection, makeVerbatim } from '../../../plain/blocks.ts';
import { escapeLine } from '../../../plain/markdown.ts';
import { recordKind } from '../../../record-kinds/kind.ts';
import { list } from '../../../text/markdown/blocks.ts';
import { formatCount, formatTokens } from '../../../text/numbers.ts';
import { formatLinesPlace } from '../documents.ts';
import type { FactOf } from '../facts.ts';
import type { PlanDisplay } from './display-state.ts';

type Gated = FactOf<'context.gated'>;

/**
 * The description of what each specialist was shown of the documents (a kind of record), from which their tab and
 * their section of the report are made.
 */
export const GATE = recordKind({
  name: 'Gate',
  about:
    "The documents shown to each specialist. Specialists see each other's statements, not each other's context.",
  all: ({ plan }: PlanDisplay) => plan.gated,
  none: () => 'No specialist has been shown anything yet.',
  id: ({ seat, round }: Gated) => `gate-${seat}-${round}`,
  heading: ({ seat }, { title }) => `${title(seat)} · what it was shown`,
  columns: [
    {
      title: 'seat',
      of: ({ seat, round }, { plan, title }) =>
        plan.gated.every((gate) => gate.round === round)
          ? title(seat)
          : `${title(seat)}, round ${round}`,
    },
    { title: '>pieces', of: ({ shown }) => String(shown.length) },
    { title: '>tokens', of: ({ shown }) => formatTokens(tokensOf(shown), true) },
    { title: '>withheld', of: ({ withheld }) => countOf(withheld) },
    { title: '>cut', of: ({ cut }) => countOf(cut) },
    { title: '>unknown', of: ({ notKnown }) => countOf(notKnown) },
  ],
  details: gateDetails,
});

/** Formats a number; empty if it is zero. */
function countOf({ length }: readonly unknown[]): string {
  return length === 0 ? '' : String(length);
}

function tokensOf(pieces: readonly { readonly tokens: number }[]): number {
  return pieces.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** Formats the sections exactly as they were in the seat's prompts, then what was left out. */
function gateDetails({ shown, withheld, cut, notKnown }: Gated, { config }: PlanDisplay): Block[] {
  const share = config === undefined ? '' : ` of ${formatTokens(config.gateTokens)}`;
  const formatList = (heading: string, about: string, rows: readonly string[]) =>
    rows.length === 0 ? '' : makeSection(heading, about, list(rows));
  return [
    shown.length > 0
      ? `${formatCount(shown.length, 'piece')}, ${formatTokens(tokensOf(shown), true)}${share} tokens. Each was in its prompt exactly as shown here.`
      : cut.length === 0
        ? 'Its clusters have no documents.'
        : 'Nothing of its documents fits its share of tokens.',
    ...shown.map((piece) => makeSection(pieceWords(piece), makeVerbatim(piece.text))),
    formatList(
      'Not known',
      'Asked, but not answered; the prompt says so.',
      notKnown.map(escapeLine),
    ),
    formatList(
      'Withheld',
      "These belong to other specialists' clusters.",
      withheld.map(
        ({ path, heading, tokens, clusters }) =>
          `${escapeLine(path)}, ${escapeLine(heading)} (${clusters.map(escapeLine).join(', ') || 'in no cluster'}; ${formatTokens(tokens, true)} tokens)`,
      ),
    ),
    formatList(
      'Cut',
      'These exceeded its share of tokens.',
      cut.map(
        ({ path, heading, tokens }) =>
          `${escapeLine(path)}, ${escapeLine(heading)} (${formatTokens(tokens, true)} tokens)`,
      ),
    ),
  ];
}

/**
 * Formats a section, such as `docs/clock.md#L10-L24, The clock › Increment`, with a note if it is
 * unconfirmed.
 */
function pieceWords({ heading, unconfirmed, ...place }: Gated['shown'][number]): string {
  return [
    formatLinesPlace(place),
    ...(heading === '' ? [] : [heading]),
    ...(unconfirmed ? ['unconfirmed'] : []),
  ].join(', ');
}
