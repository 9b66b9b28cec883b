/**
 * Reads `status.json` beside a topic, so that an earlier plan's searches are used again until the topic
 * changes.
 */

import { join } from 'node:path';
import * as z from 'zod';
import { readTextFile } from '../../../io/text-file.ts';
import { parseJson } from '../../../text/json.ts';
import type { PlanConfig } from '../config.ts';
import type { Topic } from './place.ts';

/** The maximum size of a status file in bytes. */
const LARGEST = 1024 * 1024;

const statusSchema = z.object({
  topic: z.string(),
  run: z.string(),
  state: z.string(),
  queries: z.array(z.string()),
  named: z.array(z.string()),
});
type KeptStatus = z.infer<typeof statusSchema>;

/**
 * Parses the status file that an earlier plan has left. Undefined if the text is not JSON or no
 * plan's status.
 */
export function parseStatus(text: string): KeptStatus | undefined {
  return statusSchema.safeParse(parseJson(text)).data;
}

/**
 * Returns the search queries and clusters that an earlier plan of the same topic recorded when it
 * chose its specialists. Returns undefined if there is no such record, or if the topic's text has
 * changed since. Only plans of a topic in a file `FOLDER/topic.md` leave such a record.
 */
export function keptStaffing(
  repository: string,
  { path, text }: Topic,
): PlanConfig['staffing'] | undefined {
  if (path === undefined || !path.endsWith('/topic.md')) return undefined;
  const file = join(repository, path.replace(/topic\.md$/, 'status.json'));
  const kept = readTextFile(file, { most: LARGEST, links: false });
  const status = kept === undefined ? undefined : parseStatus(kept);
  if (status === undefined || status.topic !== text) return undefined;
  return { queries: status.queries, named: status.named };
}
