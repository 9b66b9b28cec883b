/** What a person is told when the program cannot go on: clean, without keys, and short enough to be read. */
import { DeliberateError } from '../kernel/errors.ts';
import { redactor } from '../models/redact.ts';
import { brief } from '../text/brief.ts';
import { sanitise } from '../text/sanitise.ts';
import type { Invocation } from './invocation.ts';

/** The words for standard error, and the exit code. What is no error of ours is told with its stack. */
export function explain(error: unknown, env: Invocation['env']): { text: string; code: number } {
  const clean = (text: string): string => brief(sanitise(redactor(env)(text)));
  if (error instanceof DeliberateError) {
    const next = error.next === undefined ? '' : `\n${error.next}`;
    return { text: `deliberate: ${clean(`${error.message}${next}`)}\n`, code: error.exitCode };
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    text: `deliberate: unexpected error: ${clean(text)}\nThe run so far is kept: deliberate list shows it.\n`,
    code: 1,
  };
}
