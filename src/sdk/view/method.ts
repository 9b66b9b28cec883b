/** Figures, ledgers and groups of a run as sections, for the Method tab and the report. */
import {
  type Block,
  makeSection,
  makeTableBlock,
  makeVerbatim,
  type Section,
} from '../../plain/blocks.ts';
import { escapeLine } from '../../plain/markdown.ts';
import { capitalize } from '../../text/capitalize.ts';
import { listMissingLines } from '../../text/citations.ts';
import type { Attachment } from '../../text/documents/attachment.ts';
import { list } from '../../text/markdown/blocks.ts';
import type { Figure } from '../figure.ts';
import type { GroupingView, LedgerView, SdkView } from '../fold.ts';
import { drawFigure } from './draw.ts';

/**
 * Returns a section for each thing that the protocol has shown: the chosen method, figures drawn for
 * `cells` terminal cells, ledgers (numbered lists of statements) and groups of texts. A statement that cites lines
 * which the attachments do not have is marked.
 */
export function methodSections(
  view: SdkView,
  cells: number,
  attachments: readonly Attachment[],
): Section[] {
  const { chosen } = view;
  return [
    makeSection(
      'Method',
      chosen === undefined
        ? ''
        : `**${escapeLine(chosen.method)}**, since ${escapeLine(chosen.reason)}.`,
    ),
    ...view.figures.map((figure) =>
      makeSection(figure.title, pictureOf(figure, cells), escapeLine(figure.note ?? '')),
    ),
    ...view.ledgers.map((ledger) => ledgerSection(ledger, attachments)),
    ...view.groupings.map(groupingSection),
  ];
}

/** Draws bars and ranges; figures with columns become tables. */
function pictureOf(figure: Figure, cells: number): Block {
  switch (figure.kind) {
    case 'bars':
    case 'ranges':
      return makeVerbatim(drawFigure(figure, cells).join('\n'));
    case 'changes':
      return makeTableBlock(
        '',
        ['', 'before', 'after', ''],
        figure.rows.map(({ label, before, after, text = '' }) => [
          label,
          before,
          before === after ? `= ${after}` : `→ ${after}`,
          text,
        ]),
      );
    case 'table':
      return makeTableBlock('', figure.columns, figure.rows);
    case 'lines':
      return list(figure.lines.map(escapeLine));
  }
}

function ledgerSection({ name, entries }: LedgerView, attachments: readonly Attachment[]): Section {
  // Leave the status out if every entry is still open.
  const ends = entries.some(({ status }) => status !== 'open');
  return makeSection(
    capitalize(name),
    list(
      entries.map(({ id, kind, of, text, quote, isUnquoted, status, why }) => {
        const about = [kind, of === undefined ? undefined : `on ${of}`]
          .filter((part) => part !== undefined)
          .join(' ');
        const quoted =
          quote === undefined
            ? isUnquoted
              ? ' _Its quotation was not found._'
              : ''
            : `\n  > ${escapeLine(quote)}`;
        const ended = ends
          ? ` · **${escapeLine(status)}**${why === '' ? '' : `: ${escapeLine(why)}`}`
          : '';
        const missing = listMissingLines(text, attachments);
        const warning =
          missing === '' ? '' : ` _It cites what does not exist: ${escapeLine(missing)}._`;
        return `**${escapeLine(id)}**${about === '' ? '' : ` (${escapeLine(about)})`}: ${escapeLine(text)}${warning}${ended}${quoted}`;
      }),
    ),
  );
}

const BY = {
  person: 'as the person put them',
  twice: 'as two calls in different order agree',
  wording: 'by equal wording only',
} as const;

function groupingSection({ of, items, groups, refused, by }: GroupingView): Section {
  const texts = new Map(items.map(({ id, text }) => [id, text]));
  return makeSection(
    `Joined ${of}, ${BY[by]}`,
    list([
      ...groups
        .filter((ids) => ids.length > 1)
        .map((ids) =>
          ids.map((id) => `${escapeLine(id)} “${escapeLine(texts.get(id) ?? '')}”`).join(' = '),
        ),
      ...refused.map((pair) => `Not joined: ${escapeLine(pair)}`),
    ]),
  );
}
