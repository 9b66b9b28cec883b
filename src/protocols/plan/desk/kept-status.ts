/** `status.json` beside a topic: what an earlier plan searched for is used again until the topic changes. */
import { join } from 'node:path';
import * as z from 'zod';
import { readTextFile } from '../../../io/text-file.ts';
import type { PlanConfig } from '../config.ts';
import type { Topic } from './place.ts';

/** No status is as long as this. Bytes. */
const LARGEST = 1024 * 1024;

const statusSchema = z.object({
  topic: z.string(),
  run: z.string(),
  state: z.string(),
  queries: z.array(z.string()),
  named: z.array(z.string()),
});
type KeptStatus = z.infer<typeof statusSchema>;

/** Undefined where it is none, or not one of ours. */
export function parseStatus(text: string): KeptStatus | undefined {
  try {
    return statusSchema.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

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
