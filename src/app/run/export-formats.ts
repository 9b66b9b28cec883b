/** The formats that a run can be exported in, and the file extensions that select them. */

import { entryOf } from '../../kernel/entry.ts';
import { UsageError } from '../../kernel/errors.ts';

/**
 * The formats in which a run can be exported. `records` is a folder of files, `otlp` an OpenTelemetry trace, `adr`
 * an architecture decision record.
 */
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

/**
 * The path of the file with the claims in the folder that `deliberate export --format records` writes for
 * a run.
 */
export const CLAIMS = 'state/claims.jsonl';

/**
 * The file extensions that select each format. New files get the first extension of their format.
 * Formats are tried in this order: `.otlp.json` comes before `.json`.
 */
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

/** Returns the format that a file's extension selects; undefined if the extension is not known. */
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
  const [otlp, ...others] = Object.values(ENDINGS).map(([first]) => `.${first}`);
  return [...others, otlp].join(', ');
}

/**
 * Throws the error for a file with an unknown extension.
 *
 * @throws UsageError that lists the known extensions
 */
export function refuseExtension(file: string): never {
  throw new UsageError(
    `${file}: the ending is not one of ${endingsList()}`,
    'Use one of these, or name the format with --format.',
  );
}
