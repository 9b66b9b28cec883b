/** A text under discussion and its source, as a run's settings record them. */
import * as z from 'zod';
import { textLines } from '../lines.ts';
import { formatCount } from '../numbers.ts';
import type { Part } from './parts.ts';

/** How a web page was fetched: the request and the answer. */
const pageSchema = z.object({
  /** The URL of the page as a person gave it, before redirects. */
  address: z.string(),
  /** The time of the answer, in ISO form. */
  at: z.string(),
  /** The HTTP status of the answer. */
  status: z.number().int(),
  /** The addresses that the request was redirected to, in order; empty if the first address answered. */
  redirects: z.array(z.string()),
});
/** How a web page was fetched: its address, the time, the HTTP status, and the redirects. */
export type FetchedPage = z.infer<typeof pageSchema>;

const sourceSchema = z.object({
  /** Digest of the bytes that the text was made from, in hexadecimal. */
  sha256: z.string(),
  bytes: z.number().int(),
  /** The kind of the document: `text`, `html`, `pdf`, …; see `src/documents`. */
  kind: z.string(),
  /** What extracted the text, a library or deliberate itself; absent if the document was plain text. */
  extractor: z.object({ name: z.string(), version: z.string() }).optional(),
  /** The encoding of a text or a web page; absent for UTF-8, and for other kinds of document. */
  encoding: z.string().optional(),
  /** Pages, slides or sheets, each with the number of its first line; absent if there are none. */
  parts: z.array(z.object({ name: z.string(), from: z.number().int() })).optional(),
  /** Sentences about what the text lacks, without a full stop at the end. */
  notes: z.array(z.string()).optional(),
  /** Title and date as the document states them. */
  title: z.string().optional(),
  date: z.string().optional(),
  /** How the text was fetched; only for a web page. */
  page: pageSchema.optional(),
});

/** The schema of an attached document, as stored in a run's settings. */
export const attachmentSchema = z.object({
  /** The name in citations: `design.md`, `docs/a.md`, `example.com/page`. */
  name: z.string(),
  text: z.string(),
  /**
   * Where the text comes from; absent for a text file that was attached as it is, and in runs of older versions.
   */
  source: sourceSchema.optional(),
});
/** An attached document, as stored in a run's settings. */
export type Attachment = z.infer<typeof attachmentSchema>;

/** Returns the pages, slides or sheets of an attachment; empty if the attachment has none. */
export function partsOf({ source }: Attachment): readonly Part[] {
  return source?.parts ?? [];
}

/** Returns whether the text of an attachment is empty or only white space. */
export function isEmptyAttachment({ text }: Attachment): boolean {
  return text.trim() === '';
}

/** Formats the size of an attachment: `210 lines`, `12 pages with 900 lines`, `empty`. */
export function formatAttachmentSize(attachment: Attachment): string {
  if (isEmptyAttachment(attachment)) return 'empty';
  const lines = formatCount(textLines(attachment.text).length, 'line');
  const parts = partsOf(attachment);
  if (parts.length === 0) return lines;
  const [, kind] = /^([ps])1$/.exec(parts[0]?.name ?? '') ?? [];
  const what = kind === 'p' ? 'page' : kind === 's' ? 'slide' : 'sheet';
  return `${formatCount(parts.length, what)} with ${lines}`;
}

/** The hyphen and the line end inside of a word that is broken across two lines. */
const BROKEN = /(?<=\p{L})[-\u2010\u00ad]\n(?=\p{Ll})/gu;

/**
 * Returns the texts in which quotations are looked up: the attachment's text and, if words in it
 * are broken across lines, the text with these words joined.
 */
export function quotableTexts({ text }: Attachment): string[] {
  const whole = text.replace(BROKEN, '');
  return whole === text ? [text] : [text, whole];
}

const attachedSchema = z.object({ attachments: z.array(attachmentSchema) });

/** Returns the attachments in a run's settings; empty if there are none. */
export function attachmentsOf(config: unknown): readonly Attachment[] {
  const read = attachedSchema.safeParse(config);
  return read.success ? read.data.attachments : [];
}

/**
 * Returns whether a word is an address with a scheme, such as `https://…`, rather than the path of
 * a file.
 */
export function isAddress(word: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(word);
}

/**
 * Formats how a web page was fetched, to be shown after its name: address, redirects and time, then
 * the page's title and date if it has them. Returns undefined if the attachment is no web page.
 */
export function formatFetchedPage({ source }: Attachment): string | undefined {
  if (source?.page === undefined) return undefined;
  const { address, at, redirects } = source.page;
  const way = redirects.length === 0 ? '' : `, by way of ${redirects.join(', ')}`;
  const title = source.title === undefined ? '' : `; "${source.title}"`;
  const date = source.date === undefined ? '' : `; dated ${source.date}`;
  return `fetched from ${address}${way} at ${at.slice(0, 16).replace('T', ' ')} UTC${title}${date}`;
}
