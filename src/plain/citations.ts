/** Formats which lines of the attachments a run cites, and which of these do not exist. */
import type { RunView } from '../kernel/view.ts';
import { citationsIn } from '../text/citations.ts';
import {
  type Attachment,
  attachmentsOf,
  formatAttachmentSize,
  formatFetchedPage,
} from '../text/documents/attachment.ts';
import { toLine } from '../text/line.ts';
import { makeSection, type Section } from './blocks.ts';
import { getSeatTitle } from './naming.ts';

/**
 * Formats the names and sizes of a run's attachments for the head of a report, separated by commas. Returns an
 * empty text if there are none.
 */
export function attachmentNames(view: RunView): string {
  return attachmentsOf(view.config)
    .map((attachment) => `${toLine(attachment.name)} (${formatAttachmentSize(attachment)})`)
    .join(', ');
}

/**
 * Returns the report's section on attachments: which of their lines each seat cites, which cited lines do not
 * exist, when web pages were fetched, and what the text of a document lacks. Empty if nothing was attached.
 *
 * @param quoted lines of attachments, as `file:line`, that texts of the run quote word for word; they become a row
 *   of their own
 */
export function citationSection(view: RunView, quoted: readonly string[] = []): Section {
  const attachments = attachmentsOf(view.config);
  if (attachments.length === 0) return makeSection('Citations');
  const bySeat = new Map<string, { there: Set<string>; missing: Set<string> }>();
  for (const { seat, text } of Object.values(view.calls)) {
    const said = bySeat.get(seat) ?? { there: new Set(), missing: new Set() };
    for (const { ref, ok, why = '' } of citationsIn(text, attachments))
      if (ok) said.there.add(toLine(ref));
      else said.missing.add(`${toLine(ref)} (${toLine(why)})`);
    bySeat.set(seat, said);
  }
  const rows = [...bySeat].flatMap(([seat, { there, missing }]) => [
    ...(there.size === 0 ? [] : [`- ${getSeatTitle(seat, view)}: ${[...there].join(', ')}`]),
    ...(missing.size === 0
      ? []
      : [
          `- ${getSeatTitle(seat, view)} cites lines that do not exist: ${[...missing].join(', ')}`,
        ]),
  ]);
  for (const attachment of attachments) {
    const fetched = formatFetchedPage(attachment);
    if (fetched !== undefined) rows.push(`- ${toLine(attachment.name)} was ${toLine(fetched)}`);
  }
  rows.push(...noteRows(attachments));
  if (quoted.length > 0) rows.push(`- Quoted word for word: ${quoted.map(toLine).join(', ')}`);
  return makeSection('Citations', rows.join('\n') || 'No attachment lines are cited.');
}

/** Returns a row for each note on what the text of an attached document lacks. */
function noteRows(attachments: readonly Attachment[]): string[] {
  return attachments.flatMap(({ name, source }) =>
    (source?.notes ?? []).map((note) => `- Of ${toLine(name)}: ${toLine(note)}`),
  );
}
