/** Which run a command is about. Apart from what is done with one, so that reading a run loads no model. */
import { InterruptedError, UsageError } from '../kernel/errors.ts';
import { shortId } from '../kernel/short-id.ts';
import type { Catalog } from '../store/catalog.ts';
import { line } from '../text/line.ts';
import { truncate } from '../text/width.ts';
import type { Invocation } from './invocation.ts';
import { suggest } from './suggest.ts';

type Runs = Pick<Catalog, 'find' | 'summary'>;

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

/** Finds the run that a command reads. Where the person named none, it is the latest, and is said. */
export function findRunOf(call: Invocation, store: Runs): string {
  const id = store.find(runOf(call));
  if (call.words.length === 0 && !call.flags.quiet) call.err.write(`${nameRun(id, store)}\n`);
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
  if (call.words.length > 0) return id;
  const named = nameRun(id, store);
  if (call.flags.yes) {
    call.err.write(`${named}\n`);
    return id;
  }
  const { confirm } = await import('../io/confirm.ts');
  const prompt = `${named}\nContinue with it? [y/N] `;
  if (await confirm(call, prompt, `Name the run: ${suggest(call, shortId(id))}`)) return id;
  throw new InterruptedError();
}

/** `Latest run: 0192f0 "Should we…"`: what is said of a run that nobody named. */
export function nameRun(id: string, store: Runs): string {
  return `Latest run: ${shortId(id)} "${truncate(line(store.summary(id).question), 60)}"`;
}
