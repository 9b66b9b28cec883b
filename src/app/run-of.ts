/** Which run a command is about. Apart from what is done with one, so that reading a run loads no model. */
import { UsageError } from '../kernel/errors.ts';
import type { Invocation } from './invocation.ts';
import { suggest } from './suggest.ts';

/** The one word after the command. @throws UsageError */
export function runOf(call: Invocation): string {
  const [run, ...more] = call.words;
  if (run === undefined || more.length > 0)
    throw new UsageError(
      'expected one run',
      `Use an id, its beginning, or "latest": ${suggest(call, 'latest')}; see deliberate list.`,
    );
  return run;
}
