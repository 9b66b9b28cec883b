/** Texts under discussion, as runs record them: the text that seats read, and where it came from. */
import * as z from 'zod';

const partSchema = z.object({ name: z.string(), from: z.int().positive() });

/** How the text of a document was made. Absent of files that are text themselves, and in runs from before. */
const originSchema = z.object({
  kind: z.string(),
  /** Of the file's bytes, in hexadecimal. */
  sha256: z.string(),
  extractor: z.object({ name: z.string(), version: z.string() }).optional(),
  /** What the text lacks, in sentences. */
  notes: z.array(z.string()).optional(),
  title: z.string().optional(),
  date: z.string().optional(),
});

export const attachmentSchema = z.object({
  name: z.string(),
  text: z.string(),
  /** Pages, slides or sheets. */
  parts: z.array(partSchema).optional(),
  origin: originSchema.optional(),
});

/** A text under discussion, under the name by which it is cited: `design.md`, `docs/a.md`. */
export type Attachment = Readonly<z.infer<typeof attachmentSchema>>;

const attachedSchema = z.object({ attachments: z.array(attachmentSchema) });

/** What lies before a run's seats, from its configuration; nothing where it is of another kind. */
export function attachmentsOf(config: unknown): readonly Attachment[] {
  const read = attachedSchema.safeParse(config);
  return read.success ? read.data.attachments : [];
}
