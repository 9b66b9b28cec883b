/** Which run a command is about. Apart from what is done with one, so that reading a run loads no model. */
import { InterruptedError, UsageError } from '../kernel/errors.ts';
import { shortId } from '../kernel/short-id.ts';
import type { Catalog } from '../store/catalog.ts';
import { line } from '../text/line.ts';
import { truncate } from '../text/width.ts';
import type { Invocation } from './invocation.ts';
import { suggest } from './suggest.ts';

type Runs = Pick<Catalog, 'find' | 'findLatest' | 'summary'>;

/** Returns the one word after the command, or "latest" if there is none. @throws UsageError */
export function runOf(call: Pick<Invocation, 'words' | 'command' | 'env'>): string {
  const [run = 'latest', ...more] = call.words;
  if (more.length > 0)
    throw new UsageError(
      'expected one run',
      `Use an id, its beginning, or "latest": ${suggest(call, 'latest')}; see deliberate list.`,
    );
  return run;
}

/**
 * Finds the run that a command reads. Where the person named none, it is the latest, and is said.
 *
 * @param protocol The protocol that the command is about: the latest run of another one is not meant.
 */
export function findRunOf(call: Invocation, store: Runs, protocol?: string): string {
  const ref = runOf(call);
  if (call.words.length > 0) return store.find(ref);
  const id = store.findLatest(protocol);
  if (!call.flags.quiet) call.err.write(`${nameRun(id, store, protocol)}\n`);
  return id;
}

/**
 * Finds the run that a command continues, which may cost something. Where the person named none, the
 * latest is proposed.
 *
 * @throws UsageError where nobody can be asked; InterruptedError where the answer is no.
 */
export async function confirmRunOf(call: Invocation, store: Runs): Promise<string> {
  const id = store.find(runOf(call));
  if (call.words.length === 0)
    await confirmRun(call, nameRun(id, store), suggest(call, shortId(id)));
  return id;
}

/**
 * Names a run that the person did not name, and asks whether to continue with it; `--yes` is that answer.
 *
 * @param named What `nameRun` says of it.
 * @param next The command to type where nobody can be asked.
 * @throws UsageError where nobody can be asked; InterruptedError where the answer is no.
 */
export async function confirmRun(call: Invocation, named: string, next: string): Promise<void> {
  if (call.flags.yes) {
    call.err.write(`${named}\n`);
    return;
  }
  const { confirm } = await import('../io/confirm.ts');
  if (await confirm(call, `${named}\nContinue with it? [y/N] `, `Name the run: ${next}`)) return;
  throw new InterruptedError();
}

/** Returns what is said of a run that nobody named: `Latest run: 0192f0 "Should we…"`. */
export function nameRun(id: string, store: Runs, protocol?: string): string {
  const what = protocol === undefined ? 'run' : `${protocol} run`;
  return `Latest ${what}: ${shortId(id)} "${truncate(line(store.summary(id).question), 60)}"`;
}
