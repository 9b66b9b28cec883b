/**
 * The part of a run's settings that says where seats may look things up: folders by name, and tool servers with
 * the tools they offered.
 */
import * as z from 'zod';

/** The schema of the folders in which seats may look things up. */
export const lookSchema = z
  .array(
    z.object({
      name: z.string().min(1),
      path: z.string(),
      /** The encoding of files in the folder that are not UTF-8. Absent if the person named no encoding. */
      encoding: z.string().optional(),
    }),
  )
  .min(1)
  .optional();
/** The folders in which seats may look things up. */
export type Look = NonNullable<z.infer<typeof lookSchema>>;

/**
 * A tool server with the tools that it offered when the run began, so that what seats are told does not change.
 */
const toolServerSchema = z.object({
  name: z.string().regex(/^[a-z][a-z0-9-]{0,23}$/),
  /** The server's address, or the name that the server's program reports. */
  address: z.string(),
  tools: z.array(
    z.object({
      tool: z.string().min(1),
      description: z.string(),
      parameters: z.record(z.string(), z.unknown()),
    }),
  ),
  /** How many of the server's tools are not offered to seats. */
  withheld: z.int().min(0),
});
/** The schema of the tool servers that seats may use. */
export const toolServersSchema = z.array(toolServerSchema).min(1).optional();
/** The tool servers that a run's seats may use. */
export type RunToolServers = NonNullable<z.infer<typeof toolServersSchema>>;

/** Returns the tool servers in a run's settings. The list is empty if the settings name none. */
export function getToolServers({ toolServers }: Readonly<Record<string, unknown>>): RunToolServers {
  return toolServersSchema.safeParse(toolServers).data ?? [];
}

/** The tool by which a protocol searches documents. Seats do not get this tool. */
export const SEARCH_TOOL = 'search_documents';
/** The tool by which a protocol finds files. Seats do not get this tool. */
export const FILES_TOOL = 'find_files';

/** The schema of the document index that a run searches. */
export const documentsSchema = z.object({
  /** The name by which tools know the folder with the documents, such as `repo`. */
  root: z.string().min(1),
  /** The name of the index. */
  index: z.string().min(1),
});
/** The document index that a run searches. */
export type Documents = z.infer<typeof documentsSchema>;

/**
 * Returns the document index in a run's settings, or undefined if the run searches no documents.
 */
export function getDocumentIndex({
  documents,
}: Readonly<Record<string, unknown>>): Documents | undefined {
  return documentsSchema.safeParse(documents).data;
}

/** Returns the folders in a run's settings. The list is empty if the settings name none. */
export function getLookFolders({ look }: Readonly<Record<string, unknown>>): Look {
  return lookSchema.safeParse(look).data ?? [];
}
