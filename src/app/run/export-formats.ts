/** What a run can be exported as, and which format the name of a file asks for. */

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

/** Where the claims are among the records of a run. */
export const CLAIMS = 'state/claims.jsonl';

/** The endings of each format's files, the one that is written first. Longer endings are tried first. */
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

/** Returns the format that a file's name asks for, or undefined if its ending is not known. */
export function formatOfFile(file: string): ExportFormat | undefined {
  const name = file.toLowerCase();
  const found = Object.entries(ENDINGS).find(([, endings]) =>
    endings.some((ending) => name.endsWith(`.${ending}`)),
  );
  return found === undefined || entryOf(ENDINGS, found[0]) === undefined
    ? undefined
    : (found[0] as ExportFormat);
}

/** The endings there are, for errors: `.md, .html, …`. */
function endingsList(): string {
  return ['markdown', 'html', 'json', 'claims', 'csv', 'text', 'otlp']
    .map((format) => `.${ENDINGS[format as keyof typeof ENDINGS][0]}`)
    .join(', ');
}

/** @throws UsageError that lists the endings. */
export function refuseEnding(file: string): never {
  throw new UsageError(
    `${file}: the ending is not one of ${endingsList()}`,
    'Use one of these, or name the format with --format.',
  );
}
