/** Runs synchronous work with a time limit that also interrupts regular expressions. */
import { type Context, createContext, Script } from 'node:vm';

const SCRIPT = new Script('work()');
let context: Context | undefined;

/**
 * Calls `work` and returns its result. Interrupts `work` after `ms` milliseconds.
 *
 * @throws ERR_SCRIPT_EXECUTION_TIMEOUT if the time is over, and whatever `work` throws
 */
export function runWithTimeLimit<Result>(ms: number, work: () => Result): Result {
  context ??= createContext(Object.create(null) as Context);
  let result: { readonly value: Result } | undefined;
  context.work = () => {
    result = { value: work() };
  };
  try {
    SCRIPT.runInContext(context, { timeout: ms });
  } finally {
    context.work = undefined;
  }
  if (result === undefined) throw new Error('work ended without a result');
  return (result as { readonly value: Result }).value;
}
