/**
 * Determines which run a command is about. Kept apart from the code that works on runs, so that reading a run
 * loads no model code.
 */
import { InterruptedError, UsageError } from '../kernel/errors.ts';
import { shortId } from '../kernel/short-id.ts';
import type { Catalog } from '../store/catalog.ts';
import { toLine } from '../text/line.ts';
import { truncateLine } from '../text/width.ts';
import type { Invocation } from './invocation.ts';
import { formatCommand } from './suggest.ts';

type Runs = Pick<Catalog, 'find' | 'findLatest' | 'summary'>;

/**
 * Returns the run that the command line names: an id, the beginning of an id, or `latest` if there
 * is no word.
 *
 * @throws UsageError if there is more than one word
 */
export function runOf(call: Pick<Invocation, 'words' | 'command' | 'env'>): string {
  const [run = 'latest', ...more] = call.words;
  if (more.length > 0)
    throw new UsageError(
      'expected one run',
      `Use an id, its beginning, or "latest": ${formatCommand(call, 'latest')}; see deliberate list.`,
    );
  return run;
}

/**
 * Returns the id of the run that the command line names. If it names none, returns the latest run
 * and tells the person which it is.
 *
 * @param protocol the protocol of which the latest run is meant; default: any
 */
export function findRunOf(call: Invocation, store: Runs, protocol?: string): string {
  const ref = runOf(call);
  if (call.words.length > 0) return store.find(ref);
  const id = store.findLatest(protocol);
  if (!call.flags.quiet) call.err.write(`${nameRun(id, store, protocol)}\n`);
  return id;
}

/**
 * Returns the id of the run for a command of the form `[RUN] TEXT`: the named one, or the latest if
 * there is only a text.
 *
 * @param missing the error to throw if the only word names a run, so that the text is missing
 */
export function findRunBeforeText(
  words: readonly string[],
  store: Pick<Catalog, 'find'>,
  missing: UsageError,
): string {
  const [first = ''] = words;
  if (words.length === 2) return store.find(first);
  if (isRunName(first, store)) throw missing;
  return store.find('latest');
}

/** Whether a word is `latest`, or the id of a run or its beginning. A short word such as `add` is neither. */
function isRunName(word: string, store: Pick<Catalog, 'find'>): boolean {
  if (word === 'latest') return true;
  if (!/^[\da-f]{6}[\da-f-]*$/.test(word)) return false;
  try {
    store.find(word);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the id of the run that a command continues, which may cost money. If no run is named, the
 * person is asked whether the latest is meant.
 *
 * @throws UsageError if the person cannot be asked; InterruptedError if the answer is no
 */
export async function confirmRunOf(call: Invocation, store: Runs): Promise<string> {
  const id = store.find(runOf(call));
  if (call.words.length === 0)
    await confirmRun(call, nameRun(id, store), formatCommand(call, shortId(id)));
  return id;
}

/**
 * Asks the person whether to continue a run that they have not named. With the flag `--yes`, nobody
 * is asked.
 *
 * @param named the sentence that `nameRun` returns, which is shown above the question
 * @param next a command that names the run, for the error if nobody can be asked
 * @throws UsageError if the person cannot be asked; InterruptedError if the answer is no
 */
export async function confirmRun(call: Invocation, named: string, next: string): Promise<void> {
  if (call.flags.yes) {
    call.err.write(`${named}\n`);
    return;
  }
  const { askToConfirm } = await import('../io/confirm.ts');
  if (await askToConfirm(call, `${named}\nContinue with it? [y/N] `, `Name the run: ${next}`))
    return;
  throw new InterruptedError();
}

/**
 * Formats a run that was chosen by default: `Latest run: 0192f0 "Should we…"`.
 *
 * @param protocol the protocol of which the run is the latest; default: any
 */
export function nameRun(id: string, store: Runs, protocol?: string): string {
  const what = protocol === undefined ? 'run' : `${protocol} run`;
  return `Latest ${what}: ${shortId(id)} "${truncateLine(toLine(store.summary(id).question), 60)}"`;
}
