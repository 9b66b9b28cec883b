/** Synchronous work that is broken off after a time, in the middle of a regular expression too. */
import { type Context, createContext, Script } from 'node:vm';

const SCRIPT = new Script('work()');
let context: Context | undefined;

/**
 * What `work` returns.
 *
 * @throws whatever `work` throws, and ERR_SCRIPT_EXECUTION_TIMEOUT when it takes longer than `ms`.
 */
export function withinTime<Result>(ms: number, work: () => Result): Result {
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
