/** The details of a record: paragraphs and sections, before it is known below which heading they will stand. */
import { formatQuotation } from '../plain/markdown.ts';
import { fenced, list, paragraphs } from '../text/markdown/blocks.ts';

/** Markdown (empty: nothing), a section below a heading, or a text that is shown word for word. */
type Detail =
  | string
  | { readonly heading: string; readonly parts: Details }
  | { readonly verbatim: string };
/** The details of a record: sections, lists and texts, in order. */
export type Details = readonly Detail[];

/**
 * Returns a section with the given parts, or nothing if all parts are empty. `heading` is Markdown.
 */
export function section(heading: string, ...parts: Details): Detail {
  return parts.every((part) => part === '') ? '' : { heading, parts };
}

/** Returns a section with a list of Markdown rows, or nothing if there are no rows. */
export function listed(heading: string, rows: readonly string[]): Detail {
  return section(heading, list(rows));
}

/**
 * Formats details as Markdown.
 * @param level the level of the headings of the outermost sections
 * @param isRaw whether verbatim texts become blocks of code; otherwise they are quoted as Markdown
 */
export function detailsText(details: Details, level: number, isRaw = false): string {
  return paragraphs(
    details.map((part) => {
      if (typeof part === 'string') return part;
      if ('verbatim' in part) return isRaw ? fenced(part.verbatim) : formatQuotation(part.verbatim);
      return `${'#'.repeat(level)} ${part.heading}\n\n${detailsText(part.parts, level + 1, isRaw)}`;
    }),
  );
}

/** Returns whether any part of the details is a verbatim text. */
export function hasVerbatim(details: Details): boolean {
  return details.some(
    (part) => typeof part !== 'string' && ('verbatim' in part || hasVerbatim(part.parts)),
  );
}
