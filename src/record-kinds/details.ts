/** The details of a record: paragraphs and sections, before it is known below which heading they will stand. */
import { formatQuotation } from '../plain/markdown.ts';
import { fenced, list, paragraphs } from '../text/markdown/blocks.ts';

/** Markdown (empty: nothing), a section below a heading, or a text that is shown word for word. */
type Detail =
  | string
  | { readonly heading: string; readonly parts: Details }
  | { readonly verbatim: string };
export type Details = readonly Detail[];

/** Returns a section; nothing if all of its parts are empty. `heading` is Markdown. */
export function section(heading: string, ...parts: Details): Detail {
  return parts.every((part) => part === '') ? '' : { heading, parts };
}

/** Returns a section with a list of Markdown rows; nothing if there are none. */
export function listed(heading: string, rows: readonly string[]): Detail {
  return section(heading, list(rows));
}

/**
 * Renders details as Markdown.
 * @param level of the headings of the outermost sections
 * @param isRaw whether verbatim texts are blocks of code; else they are quoted and read as Markdown
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

/** Whether any part is shown word for word. */
export function hasVerbatim(details: Details): boolean {
  return details.some(
    (part) => typeof part !== 'string' && ('verbatim' in part || hasVerbatim(part.parts)),
  );
}
