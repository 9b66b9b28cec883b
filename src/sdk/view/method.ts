/** Formats figures, ledgers and groups of a run as Markdown for the Method tab and the report. */
import { formatTable, words } from '../../plain/markdown.ts';
import { capitalize } from '../../text/capitalize.ts';
import { listMissingLines } from '../../text/citations.ts';
import type { Attachment } from '../../text/documents/attachment.ts';
import type { Figure } from '../figure.ts';
import type { GroupingView, LedgerView, SdkView } from '../fold.ts';
import { drawFigure } from './draw.ts';

/**
 * Returns what the protocol has shown as sections of Markdown, at most `cells` terminal cells wide.
 * Entries that cite missing lines of the attachments say so.
 * @param mark the `#` signs at the beginning of each heading
 */
export function methodSections(
  view: SdkView,
  cells: number,
  attachments: readonly Attachment[],
  mark = '##',
): string[] {
  return [
    ...(view.chosen === undefined
      ? []
      : [`Method: **${words(view.chosen.method)}**, since ${words(view.chosen.reason)}.`]),
    ...view.figures.flatMap((figure) => [
      `${mark} ${words(figure.title)}`,
      pictureOf(figure, cells),
      ...(figure.note === undefined ? [] : [words(figure.note)]),
    ]),
    ...view.ledgers.flatMap((ledger) => ledgerSection(ledger, attachments, mark)),
    ...view.groupings.flatMap((grouping) => groupingSection(grouping, mark)),
  ];
}

/** Draws bars and ranges; figures with columns become tables. */
function pictureOf(figure: Figure, cells: number): string {
  switch (figure.kind) {
    case 'bars':
    case 'ranges':
      return ['```', ...drawFigure(figure, cells), '```'].join('\n');
    case 'changes':
      return formatTable(
        ['', 'before', 'after', ''],
        figure.rows.map(({ label, before, after, text = '' }) =>
          [label, before, before === after ? `= ${after}` : `→ ${after}`, text].map(words),
        ),
      );
    case 'table':
      return formatTable(
        figure.columns.map(words),
        figure.rows.map((row) => row.map(words)),
      );
    case 'lines':
      return figure.lines.map((line) => `- ${words(line)}`).join('\n');
  }
}

function ledgerSection(
  { name, entries }: LedgerView,
  attachments: readonly Attachment[],
  mark: string,
): string[] {
  // Leave the status out if every entry is still open.
  const ends = entries.some(({ status }) => status !== 'open');
  return [
    `${mark} ${words(capitalize(name))}`,
    entries
      .map(({ id, kind, of, text, quote, isUnquoted, status, why }) => {
        const about = [kind, of === undefined ? undefined : `on ${of}`]
          .filter((one) => one !== undefined)
          .join(' ');
        const quoted =
          quote === undefined
            ? isUnquoted
              ? ' _Its quotation was not found._'
              : ''
            : `\n  > ${words(quote)}`;
        const ended = ends ? ` · **${words(status)}**${why === '' ? '' : `: ${words(why)}`}` : '';
        const missing = listMissingLines(text, attachments);
        const warning = missing === '' ? '' : ` _It cites what does not exist: ${words(missing)}._`;
        return `- **${words(id)}**${about === '' ? '' : ` (${words(about)})`}: ${words(text)}${warning}${ended}${quoted}`;
      })
      .join('\n'),
  ];
}

const BY = {
  person: 'as the person put them',
  twice: 'as two calls in different order agree',
  wording: 'by equal wording only',
} as const;

function groupingSection({ of, items, groups, refused, by }: GroupingView, mark: string): string[] {
  const joined = groups.filter((ids) => ids.length > 1);
  if (joined.length === 0 && refused.length === 0) return [];
  const texts = new Map(items.map(({ id, text }) => [id, text]));
  return [
    `${mark} Joined ${words(of)}, ${BY[by]}`,
    [
      ...joined.map(
        (ids) => `- ${ids.map((id) => `${words(id)} “${words(texts.get(id) ?? '')}”`).join(' = ')}`,
      ),
      ...refused.map((one) => `- Not joined: ${words(one)}`),
    ].join('\n'),
  ];
}
