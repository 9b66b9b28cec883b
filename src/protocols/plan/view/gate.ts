/** The Gate tab: what each specialist was shown of the documents, round by round, and what it was not. */
import type { RunModel } from '../../../console/model/run-model.ts';
import { OutlinePage } from '../../../console/run/tabs/outline.ts';
import type { Page, PageAround, ReadText } from '../../../console/run/tabs/page.ts';
import { quote, words } from '../../../plain/markdown.ts';
import { formatTokens, plural } from '../../../text/figures.ts';
import { placeOf } from '../documents.ts';
import type { FactOf } from '../facts.ts';
import { planIn, plannedIn } from './part.ts';
import type { Planned } from './planned.ts';
import { list, paragraphs } from './wording.ts';

type Gated = FactOf<'context.gated'>;

export const GATE_LINE =
  "What each specialist was shown of the documents. Nobody sees another's context, only one another's statements.";

export function gatePage(around: PageAround): Page {
  const { runModel } = around;
  return new OutlinePage<Gated>(around, {
    name: 'Seats',
    head: ['seat', 'pieces', 'tokens', 'withheld', 'cut', 'unknown'],
    above: () => [GATE_LINE],
    empty: 'No specialist has been shown anything yet.',
    version: () => planIn(runModel).version,
    lines: (query) =>
      planIn(runModel).view.gates.filter((one) =>
        gateName(one, runModel).toLowerCase().includes(query),
      ),
    row: (one) => ({ text: gateName(one, runModel), figures: figuresOf(one) }),
    copyable: (one) => readGate(one, plannedIn(runModel)),
    read: (one) => readGate(one, plannedIn(runModel)),
  });
}

/** `Engine, round 1`; the round only where there are several. */
function gateName({ seat, round }: Gated, runModel: RunModel): string {
  const { title, plan } = plannedIn(runModel);
  const isOne = plan.gates.every((one) => one.round === round);
  return `${title(seat)}${isOne ? '' : `, round ${round}`}`;
}

function figuresOf({ shown, withheld, cut, notKnown }: Gated): string[] {
  return [
    String(shown.length),
    formatTokens(tokensOf(shown), true),
    ...[withheld, cut, notKnown].map(({ length }) => (length === 0 ? '' : String(length))),
  ];
}

export function tokensOf(pieces: readonly { readonly tokens: number }[]): number {
  return pieces.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** Exactly what stood in the seat's prompts, piece by piece, then what did not. */
function readGate(one: Gated, planned: Planned): ReadText {
  const { seat, round, shown, withheld, cut, notKnown } = one;
  const { config, title } = planned;
  const share = config === undefined ? '' : ` of ${formatTokens(config.gateTokens)}`;
  const rest = [
    section(
      'Not known',
      'It asked, nobody could tell, and its prompt says so.',
      notKnown.map(words),
    ),
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
      'Its share of tokens had no room for these.',
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
      ? 'Nothing is on record in its clusters.'
      : `${plural(shown.length, 'piece')}, ${formatTokens(tokensOf(shown), true)}${share} tokens. Each stood in its prompt as it stands here.`;
  return {
    name: `gate-${seat}-${round}`,
    title: `${title(seat)} · what it was shown`,
    markdown: paragraphs([summary, ...pieces(quote), ...rest]),
    raw: paragraphs([summary, ...pieces(verbatim), ...rest]),
  };
}

/** `docs/clock.md#L10-L24, The clock › Increment`, with what nobody has confirmed marked as that. */
function pieceWords({ path, from, to, heading, unconfirmed }: Gated['shown'][number]): string {
  return [
    words(placeOf(path, from, to)),
    ...(heading === '' ? [] : [words(heading)]),
    ...(unconfirmed ? ['unconfirmed'] : []),
  ].join(', ');
}

function section(title: string, about: string, rows: readonly string[]): string {
  return rows.length === 0 ? '' : paragraphs([`# ${title}`, about, list(rows)]);
}

/** As a block of code that no backticks in it can end. */
function verbatim(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
