/** Formats which lines of the attachments a run cites, and which of these do not exist. */
import type { RunView } from '../kernel/view.ts';
import { citationsIn } from '../text/citations.ts';
import {
  type Attachment,
  attachmentsOf,
  formatAttachmentSize,
  formatFetchedPage,
} from '../text/documents/attachment.ts';
import { line } from '../text/line.ts';
import { type Section, section } from './blocks.ts';
import { getSeatTitle } from './naming.ts';

/** Formats the names of a run's attachments for the head of a report; empty if there are none. */
export function attachmentNames(view: RunView): string {
  return attachmentsOf(view.config)
    .map((attachment) => `${line(attachment.name)} (${formatAttachmentSize(attachment)})`)
    .join(', ');
}

/**
 * Returns the report's section on citations of attachments; empty if nothing was attached.
 *
 * @param quoted lines of attachments, as `file:line`, that are quoted word for word and not cited by
 *   file and line
 */
export function citationSection(view: RunView, quoted: readonly string[] = []): Section {
  const attachments = attachmentsOf(view.config);
  if (attachments.length === 0) return section('Citations');
  const bySeat = new Map<string, { there: Set<string>; missing: Set<string> }>();
  for (const { seat, text } of Object.values(view.calls)) {
    const said = bySeat.get(seat) ?? { there: new Set(), missing: new Set() };
    for (const { ref, ok, why = '' } of citationsIn(text, attachments))
      if (ok) said.there.add(line(ref));
      else said.missing.add(`${line(ref)} (${line(why)})`);
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
    if (fetched !== undefined) rows.push(`- ${line(attachment.name)} was ${line(fetched)}`);
  }
  rows.push(...noteRows(attachments));
  if (quoted.length > 0) rows.push(`- Quoted word for word: ${quoted.map(line).join(', ')}`);
  return section('Citations', rows.join('\n') || 'No attachment lines are cited.');
}

/** Returns a row for each note on what the text of an attached document lacks. */
function noteRows(attachments: readonly Attachment[]): string[] {
  return attachments.flatMap(({ name, source }) =>
    (source?.notes ?? []).map((note) => `- Of ${line(name)}: ${line(note)}`),
  );
}
