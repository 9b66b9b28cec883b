/** What a run's seats may look things up in, as its settings keep it: folders by name, and tool servers with what they offered. */
import * as z from 'zod';

export const lookSchema = z
  .array(
    z.object({
      name: z.string().min(1),
      path: z.string(),
      /** The encoding of files that are not UTF-8; absent: none was named. */
      encoding: z.string().optional(),
    }),
  )
  .min(1)
  .optional();
export type Look = NonNullable<z.infer<typeof lookSchema>>;

/** A tool server, and what it offered when the run began: what seats are told stays the same, whatever becomes of it. */
const toolServerSchema = z.object({
  name: z.string().regex(/^[a-z][a-z0-9-]{0,23}$/),
  /** Its address, or what its program calls itself. */
  address: z.string(),
  tools: z.array(
    z.object({
      tool: z.string().min(1),
      description: z.string(),
      parameters: z.record(z.string(), z.unknown()),
    }),
  ),
  /** Tools that are not offered. */
  withheld: z.int().min(0),
});
export const toolServersSchema = z.array(toolServerSchema).min(1).optional();
export type RunToolServers = NonNullable<z.infer<typeof toolServersSchema>>;

/** Those of a run's settings; none where it was given none. */
export function toolServersIn({ toolServers }: Readonly<Record<string, unknown>>): RunToolServers {
  return toolServersSchema.safeParse(toolServers).data ?? [];
}

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
