/** The formats that a run can be exported in, and the file extensions that select them. */

import { entryOf } from '../../kernel/entry.ts';
import { UsageError } from '../../kernel/errors.ts';

export type ExportFormat =
  | 'markdown'
  | 'html'
  | 'json'
  | 'records'
  | 'otlp'
  | 'claims'
  | 'csv'
  | 'text'
  | 'adr';

/** The path of the claims within the exported records of a run. */
export const CLAIMS = 'state/claims.jsonl';

/** The extensions of each format; the first one is used for new files. Longer extensions are tried first. */
export const ENDINGS: Readonly<
  Record<Exclude<ExportFormat, 'records' | 'adr'>, readonly string[]>
> = {
  otlp: ['otlp.json'],
  markdown: ['md', 'markdown'],
  html: ['html', 'htm'],
  json: ['json'],
  claims: ['jsonl'],
  csv: ['csv'],
  text: ['txt'],
};

/** Returns the format that a file's extension selects, or undefined if the extension is not known. */
export function formatOfFile(file: string): ExportFormat | undefined {
  const name = file.toLowerCase();
  const found = Object.entries(ENDINGS).find(([, endings]) =>
    endings.some((ending) => name.endsWith(`.${ending}`)),
  );
  return found === undefined || entryOf(ENDINGS, found[0]) === undefined
    ? undefined
    : (found[0] as ExportFormat);
}

/** Returns the known extensions for an error message: `.md, .html, …`. */
function endingsList(): string {
  return ['markdown', 'html', 'json', 'claims', 'csv', 'text', 'otlp']
    .map((format) => `.${ENDINGS[format as keyof typeof ENDINGS][0]}`)
    .join(', ');
}

/**
 * Refuses an unknown extension.
 * @throws UsageError that lists the known ones
 */
export function refuseExtension(file: string): never {
  throw new UsageError(
    `${file}: the ending is not one of ${endingsList()}`,
    'Use one of these, or name the format with --format.',
  );
}
