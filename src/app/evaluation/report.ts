/** `deliberate eval report`: of what is on record; nobody is asked, and nothing is scored anew. */
import { DeliberateError } from '../../kernel/errors.ts';
import { shortId } from '../../kernel/short-id.ts';
import type { StoredEvaluation } from '../../store/evaluations.ts';
import type { Invocation } from '../invocation.ts';

export function writeReport(call: Invocation, { id, log, ending }: StoredEvaluation): void {
  if (log === null || ending === null)
    throw new DeliberateError(
      'unfinished',
      `evaluation ${shortId(id)} is not finished`,
      'Go on with it: the same command as before asks what is missing.',
    );
  call.out.write(log);
}
