/**
 * `killed.ts KEY WHEN ARGS…` runs the program with ARGS in this process, which kills itself with SIGKILL when
 * a step is committed. KEY is the key of the step, or `note` for facts that are recorded without a step. WHEN
 * is `before` or `after`, related to the transaction.
 */
import { main } from '../../src/cli/main.ts';
import type { Journal } from '../../src/kernel/journal.ts';
import { Store } from '../../src/store/store.ts';

const [, , key = '', when = '', ...args] = process.argv;

function killAround<T>(isIt: boolean, work: () => T): T {
  if (isIt && when === 'before') process.kill(process.pid, 'SIGKILL');
  const result = work();
  if (isIt && when === 'after') process.kill(process.pid, 'SIGKILL');
  return result;
}

function makeDeadly(journal: Journal): Journal {
  const [commit, note] = [journal.commit.bind(journal), journal.note.bind(journal)];
  journal.commit = (record, ...rest) =>
    killAround(record.step === key, () => commit(record, ...rest));
  journal.note = (...given) => killAround(key === 'note', () => note(...given));
  return journal;
}

for (const name of ['create', 'own'] as const) {
  const real = Store.prototype[name] as (...given: unknown[]) => Journal;
  Store.prototype[name] = function take(this: Store, ...given: unknown[]): Journal {
    return makeDeadly(real.apply(this, given));
  };
}
process.exit(await main(args));
