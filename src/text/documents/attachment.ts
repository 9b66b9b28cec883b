/** A text under discussion and where it comes from, as a run's settings record both. */
import * as z from 'zod';
import { textLines } from '../lines.ts';
import { plural } from '../numbers.ts';
import type { Part } from './parts.ts';

/** What was asked for a web page, and what answered. */
const pageSchema = z.object({
  /** The address that a person named. */
  address: z.string(),
  /** When the answer came: an ISO time. */
  at: z.string(),
  /** The HTTP status of the answer. */
  status: z.number().int(),
  /** The addresses that it was sent on to, the one that answered last; empty where the first one answered. */
  redirects: z.array(z.string()),
});

const sourceSchema = z.object({
  /** Of the bytes that the text was made of, in hexadecimal. */
  sha256: z.string(),
  bytes: z.number().int(),
  /** `text`, `html`, `pdf`, …; see `src/documents`. */
  kind: z.string(),
  /** Who made the text; absent where it was text already. */
  extractor: z.object({ name: z.string(), version: z.string() }).optional(),
  /** What the bytes were decoded from; absent for UTF-8. */
  encoding: z.string().optional(),
  /** Pages, slides or sheets, each with the number of its first line. */
  parts: z.array(z.object({ name: z.string(), from: z.number().int() })).optional(),
  /** Sentences about what the text lacks, without a full stop at the end. */
  notes: z.array(z.string()).optional(),
  /** What the document says of itself. */
  title: z.string().optional(),
  date: z.string().optional(),
  /** Of a web page. */
  page: pageSchema.optional(),
});

export const attachmentSchema = z.object({
  /** By which it is cited: `design.md`, `docs/a.md`, `example.com/page`. */
  name: z.string(),
  text: z.string(),
  /** Absent where a text was attached as it is, and in runs from before there were others. */
  source: sourceSchema.optional(),
});
export type Attachment = z.infer<typeof attachmentSchema>;

/** Pages, slides or sheets of an attachment; none where its lines are counted through. */
export function partsOf({ source }: Attachment): readonly Part[] {
  return source?.parts ?? [];
}

/** `210 lines`, `12 pages with 900 lines` */
export function sizeWords(attachment: Attachment): string {
  const lines = plural(textLines(attachment.text).length, 'line');
  const parts = partsOf(attachment);
  if (parts.length === 0) return lines;
  const [, kind] = /^([ps])1$/.exec(parts[0]?.name ?? '') ?? [];
  const what = kind === 'p' ? 'page' : kind === 's' ? 'slide' : 'sheet';
  return `${plural(parts.length, what)} with ${lines}`;
}

/** A word that a line end breaks. */
const BROKEN = /(?<=\p{L})[-\u2010\u00ad]\n(?=\p{Ll})/gu;

/** The texts that quotations from an attachment are looked up in: also with the words whole that line ends break. */
export function quotableTexts({ text }: Attachment): string[] {
  const whole = text.replace(BROKEN, '');
  return whole === text ? [text] : [text, whole];
}

const attachedSchema = z.object({ attachments: z.array(attachmentSchema) });

/** What lies before a run's seats, from its configuration; nothing where it is of another kind. */
export function attachmentsOf(config: unknown): readonly Attachment[] {
  const read = attachedSchema.safeParse(config);
  return read.success ? read.data.attachments : [];
}
