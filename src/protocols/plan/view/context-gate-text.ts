/** What a specialist was shown, and what it was not, to be read whole. */
import { quote, words } from '../../../plain/markdown.ts';
import { fenced, list, paragraphs } from '../../../text/markdown/blocks.ts';
import { formatTokens, plural } from '../../../text/numbers.ts';
import { placeOf } from '../documents.ts';
import type { FactOf } from '../facts.ts';
import type { Planned } from './planned.ts';

type Gated = FactOf<'context.gated'>;

export const CONTEXT_GATE_LINE =
  "The documents shown to each specialist. Specialists see each other's statements, not each other's context.";

export function tokensOf(pieces: readonly { readonly tokens: number }[]): number {
  return pieces.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** Exactly what stood in the seat's prompts, piece by piece, then what did not. */
export function readContextGate(one: Gated, planned: Planned) {
  const { seat, round, shown, withheld, cut, notKnown } = one;
  const { config, title } = planned;
  const share = config === undefined ? '' : ` of ${formatTokens(config.gateTokens)}`;
  const rest = [
    section('Not known', 'Asked, but not answered; the prompt says so.', notKnown.map(words)),
    section(
      'Withheld',
      "These belong to other specialists' clusters.",
      withheld.map(
        ({ path, heading, tokens, clusters }) =>
          `${words(path)}, ${words(heading)} (${clusters.map(words).join(', ') || 'in no cluster'}; ${formatTokens(tokens, true)} tokens)`,
      ),
    ),
    section(
      'Cut',
      'These exceeded its share of tokens.',
      cut.map(
        ({ path, heading, tokens }) =>
          `${words(path)}, ${words(heading)} (${formatTokens(tokens, true)} tokens)`,
      ),
    ),
  ];
  const pieces = (text: (words: string) => string): string[] =>
    shown.map((piece) => [`## ${pieceWords(piece)}`, text(piece.text)].join('\n\n'));
  const summary =
    shown.length === 0
      ? cut.length === 0
        ? 'Its clusters have no documents.'
        : 'Nothing of its documents fits its share of tokens.'
      : `${plural(shown.length, 'piece')}, ${formatTokens(tokensOf(shown), true)}${share} tokens. Each was in its prompt exactly as shown here.`;
  return {
    name: `gate-${seat}-${round}`,
    title: `${title(seat)} · what it was shown`,
    markdown: paragraphs([summary, ...pieces(quote), ...rest]),
    raw: paragraphs([summary, ...pieces(fenced), ...rest]),
  };
}

/** `docs/clock.md#L10-L24, The clock › Increment`, with what nobody has confirmed marked as that. */
function pieceWords({ heading, unconfirmed, ...place }: Gated['shown'][number]): string {
  return [
    words(placeOf(place)),
    ...(heading === '' ? [] : [words(heading)]),
    ...(unconfirmed ? ['unconfirmed'] : []),
  ].join(', ');
}

function section(title: string, about: string, rows: readonly string[]): string {
  return rows.length === 0 ? '' : paragraphs([`# ${title}`, about, list(rows)]);
}
