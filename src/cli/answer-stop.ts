/** `answer` and `stop`: lets a person answer a run's question or stop the run from another terminal. */
import type { Invocation } from '../app/invocation.ts';
import { findOpenGate, leaveAnswer, stopRun } from '../app/run/intervene.ts';
import { confirmRun, nameRun, runOf } from '../app/run-of.ts';
import { withRecorded } from '../app/store.ts';
import { formatCommand, getStartCommand } from '../app/suggest.ts';
import { BUDGET_GATE } from '../kernel/budget.ts';
import { DeliberateError, UsageError } from '../kernel/errors.ts';
import { shortId } from '../kernel/short-id.ts';
import { shellOf, shellWord } from '../platform/shells.ts';
import type { Store } from '../store/store.ts';
import { toLine } from '../text/line.ts';

/**
 * Runs `deliberate answer`: answers the question that a run asks; without a choice, prints the
 * question. Resolves to the exit code: 1 if no choice was given and the run asks nothing.
 */
export function answer(call: Invocation): Promise<number> {
  return withRecorded(call, async (store) => {
    const { run, choice, isNamed } = findAnswered(call, store);
    const id = shortId(run);
    const gate = findOpenGate(store, run);
    if (choice === undefined) {
      if (!isNamed && !call.flags.quiet) call.err.write(`${nameRun(run, store)}\n`);
      if (gate === undefined) {
        if (!call.flags.quiet) call.err.write(`Run ${id} is not waiting for an answer.\n`);
        return 1;
      }
      const options = gate.options.map(
        ({ value, label, words }) =>
          `  ${toLine(value)}${words === undefined ? '' : ': WORDS'}  ${toLine(label)}`,
      );
      call.out.write(`${[toLine(gate.prompt), ...options].join('\n')}\n`);
      return 0;
    }
    // If the person named no run and the chosen run asks about its budget, the person first confirms that this run
    // is meant: the answer may allow more spending.
    if (!isNamed && gate?.step.startsWith(BUDGET_GATE))
      await confirmRun(
        call,
        nameRun(run, store),
        formatCommand(call, `${id} ${shellWord(choice, shellOf(call.env))}`),
      );
    else if (!isNamed) call.err.write(`${nameRun(run, store)}\n`);
    await leaveAnswer(store, run, { choice, by: 'person' });
    if (call.flags.quiet) return 0;
    const isAwaited =
      store.isOwned(run) || ['queued', 'running'].includes(store.summary(run).status);
    call.err.write(
      isAwaited
        ? `Answered.\n`
        : `Answered. Run ${id} is not running; resume it with: ${getStartCommand(call.env)} resume ${id}\n`,
    );
    return 0;
  });
}

/**
 * Splits the words into a run and a choice. A single word is the run if it looks like a run's id, otherwise a
 * choice for the latest live run.
 */
function findAnswered(
  call: Invocation,
  store: Store,
): { run: string; choice?: string; isNamed: boolean } {
  const [first, second, ...more] = call.words;
  if (more.length > 0)
    throw new UsageError(
      'expected one run and one choice',
      `Example: ${formatCommand(call, 'latest continue')}`,
    );
  if (first === undefined) return { run: findRun(store, 'latest'), isNamed: false };
  if (second !== undefined) return { run: findRun(store, first), choice: second, isNamed: true };
  const isRun = first === 'latest' || /^(?=.*\d)[\da-f-]{2,}$/i.test(first);
  return isRun
    ? { run: findRun(store, first), isNamed: true }
    : { run: findRun(store, 'latest'), choice: first, isNamed: false };
}

/**
 * Runs `deliberate stop`: stops a live run, or takes a queued run out of the queue. Resolves to the
 * exit code.
 *
 * @throws DeliberateError if the run is neither running nor queued
 */
export function stop(call: Invocation): Promise<number> {
  return withRecorded(call, async (store) => {
    const run = findRun(store, runOf(call));
    if (call.words.length === 0) call.err.write(`${nameRun(run, store)}\n`);
    const id = shortId(run);
    const isThere = store.elsewhere.find(run)?.isOver === false;
    if (!(await stopRun(store, run, 'person')))
      throw new DeliberateError('not-running', `run ${id} is not running`);
    const how = isThere || store.isOwned(run) ? 'Stopping' : 'Removed from the queue';
    if (!call.flags.quiet)
      call.err.write(
        `${how}. Answers so far are kept: ${getStartCommand(call.env)} resume ${id}\n`,
      );
    return 0;
  });
}

/** Finds a run. `latest` means the latest live run, or the latest of all if none is live. */
function findRun(store: Store, ref: string): string {
  return (ref === 'latest' ? store.findLive() : undefined) ?? store.find(ref);
}
