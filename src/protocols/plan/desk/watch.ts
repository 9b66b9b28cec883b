/** Plans every new topic of a branch, one at a time. */
import type { Invocation } from '../../../app/invocation.ts';

export async function watch(_call: Invocation): Promise<number> {
  throw new Error('not yet');
}
