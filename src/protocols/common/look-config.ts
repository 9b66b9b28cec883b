/** The folders that a run's seats may look into, as its settings keep them: by name, whatever they lie at. */
import * as z from 'zod';

export const lookSchema = z
  .array(z.object({ name: z.string().min(1), path: z.string() }))
  .min(1)
  .optional();
export type Look = NonNullable<z.infer<typeof lookSchema>>;

/** Tools that no seat is offered: a protocol searches documents and looks for files by them. */
export const SEARCH_TOOL = 'search_documents';
export const FILES_TOOL = 'find_files';

/** The index of documents that a run searches: that of the folder which one of its roots is. */
export const documentsSchema = z.object({ root: z.string().min(1), index: z.string().min(1) });
export type Documents = z.infer<typeof documentsSchema>;

/** Of a run's settings; undefined where it searches no documents. */
export function documentsIn({
  documents,
}: Readonly<Record<string, unknown>>): Documents | undefined {
  return documentsSchema.safeParse(documents).data;
}

/** Those of a run's settings; none where it was given none. */
export function lookIn({ look }: Readonly<Record<string, unknown>>): Look {
  return lookSchema.safeParse(look).data ?? [];
}
