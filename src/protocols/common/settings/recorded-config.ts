/** Checks the settings of a recorded run by the schema of its protocol. */
import type * as z from 'zod';
import { DeliberateError } from '../../../kernel/errors.ts';
import { shortId } from '../../../kernel/short-id.ts';
import type { RunView } from '../../../kernel/view.ts';
import { toLine } from '../../../text/line.ts';

/**
 * Returns the settings of a recorded run.
 * @throws DeliberateError if this version of the program cannot read them, for example because a newer version
 * recorded the run
 */
export function readRecordedConfig<C>(
  schema: z.ZodType<C>,
  { id, config }: Pick<RunView, 'id' | 'config'>,
): C {
  const read = schema.safeParse(config);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const place = issue?.path.map(String).join('.') ?? '';
  throw new DeliberateError(
    'unknown-settings',
    `run ${shortId(id)} has settings that this version of deliberate cannot read (${toLine(place)}: ${toLine(issue?.message ?? 'not understood')})`,
    'If a newer version recorded the run, update deliberate.',
  );
}
