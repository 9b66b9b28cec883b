/** `deliberate history`: shows the recorded runs on a screen and performs what the person does with them. */

import { openHistory } from '../../console/history/open.ts';
import type { HistoryChoice, Preview } from '../../console/history/state.ts';
import type { RunLine } from '../../console/model/runs.ts';
import type { ExportOffer } from '../../console/run/ports.ts';
import { trackPairs, trackRows } from '../../evaluation/track/runs.ts';
import { DeliberateError, NewerRunError, UsageError } from '../../kernel/errors.ts';
import { viewOf } from '../../kernel/view.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { answersText } from '../../plain/blocks-text.ts';
import type { Store } from '../../store/store.ts';
import { totalOf } from '../../store/usage.ts';
import { capitalize } from '../../text/capitalize.ts';
import { listEvaluations, previewEvaluation } from '../evaluation/listed.ts';
import type { Invocation } from '../invocation.ts';
import { removeRun } from '../remove-run.ts';
import { hasConsole } from '../run/display.ts';
import { exportsOf } from '../run/exports.ts';
import { Desktop } from '../run/outside.ts';
import { readConfig } from '../settings/config.ts';
import { withStore } from '../store.ts';
import { readTrackedRuns } from '../track/read.ts';
import { trackLines } from '../track/sheet.ts';

/**
 * Shows the history of runs, and performs what the person chooses there. Resolves to the exit code
 * when the person goes back.
 */
export async function browseHistory(call: Invocation): Promise<number> {
  if (!hasConsole(call))
    throw new UsageError('the history needs a terminal', 'Without a terminal: deliberate list');
  const { keys } = readConfig(call);
  let search = call.flags.search;
  let run: string | undefined;
  let notice: string | undefined;
  for (;;) {
    const looked = await openHistory({
      services: {
        list: (words) => listAll(call, words, call.flags.limit ?? 50),
        preview: (run) =>
          withStore(call, async (store) =>
            store.evaluations.has(run)
              ? previewEvaluation(store, run)
              : previewRun(call, store, run),
          ),
        usage: (by) =>
          withStore(call, async (store) => {
            const rows = store.usage(by);
            return { rows, total: totalOf(rows) };
          }),
        track: (by) =>
          withStore(call, async (store) => {
            const runs = readTrackedRuns(store);
            return trackLines(trackRows(runs, by), by, trackPairs(runs, by));
          }),
        // Unlike the command line, do not ask whether to delete a run that another process may work on: refuse.
        remove: (run) => withStore(call, (store) => removeRun(store, call.env, run)),
        exports: (run) => exportsIn(call, run),
        drafts: (run) => new Desktop(call, run),
      },
      search,
      run,
      notice,
      keys,
      screen: call.out,
      stdin: call.stdin,
      env: call.env,
    });
    if (looked.choice.kind === 'back') return 0;
    search = looked.search;
    run = looked.choice.run;
    notice = await performChoice(call, looked.choice);
  }
}

/** Performs what the person chose. Resolves to an error message, or undefined if it succeeded. */
async function performChoice(call: Invocation, choice: HistoryChoice): Promise<string | undefined> {
  try {
    switch (choice.kind) {
      case 'back':
        break;
      case 'open':
        await openById(call, choice.run);
        break;
      case 'resume':
        await (await import('../run/resume.ts')).resume({ ...call, words: [choice.run] });
        break;
      case 'replay':
        await (await import('../run/replay.ts')).replay({ ...call, words: [choice.run] });
        break;
      case 'fork': {
        const { fork } = await import('../run/fork.ts');
        const flags = { ...call.flags, ...forkFlags(choice.change) };
        await fork({ ...call, words: [choice.run], flags });
      }
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof DeliberateError)) throw error;
    return error.next === undefined ? error.message : `${error.message}. ${error.next}`;
  }
}

async function openById(call: Invocation, id: string): Promise<void> {
  if (await withStore(call, (store) => store.evaluations.has(id)))
    await (await import('../evaluation/screen/watch.ts')).watchEvaluation(call, id);
  else await (await import('./open.ts')).open({ ...call, words: [id] });
}

/**
 * Converts the text that a person types to fork a run, such as `round-3/D seat.critic.model=M`, to
 * the flags of `deliberate fork`. The text begins with the key of a step, which may be missing. The
 * first change follows it, and each further change begins a new line. A line that begins no change
 * continues the change of the line above.
 */
export function forkFlags(change: string): { at?: string; set: string[] } {
  const [first = ''] = /^\S*/.exec(change) ?? [];
  const isStep = !first.includes('=');
  const set: string[] = [];
  for (const line of (isStep ? change.slice(first.length) : change).split('\n')) {
    const words = line.trim();
    const last = set.length - 1;
    if (words === '') continue;
    if (last < 0 || /^[\w.-]+=/.test(words)) set.push(words);
    else set[last] = `${set[last]} ${words}`;
  }
  return isStep ? { at: first, set } : { set };
}

/**
 * Returns recorded runs, the newest first. With a search, returns the runs that match it, the best match
 * first.
 *
 * @param search words to look for in the runs' texts; undefined or empty for all runs but those of
 *   evaluations
 * @param limit how many to return at most
 */
export function listRuns(
  call: Invocation,
  search: string | undefined,
  limit: number,
): Promise<RunLine[]> {
  return withStore(call, (store) => store.list({ search, limit }));
}

/** Returns runs and evaluations, newest first. If there is a search, evaluations come first. */
function listAll(call: Invocation, search: string, limit: number): Promise<RunLine[]> {
  return withStore(call, (store) => {
    const evaluations = listEvaluations(store, search, limit);
    const runs: RunLine[] = store.list({ search, limit });
    if (search.trim() !== '') return [...evaluations, ...runs].slice(0, limit);
    // The runs keep the order in which they were stored, because a computer's clock can be wrong.
    for (const evaluation of evaluations) {
      const at = runs.findIndex(({ startedAt }) => startedAt < evaluation.startedAt);
      runs.splice(at < 0 ? runs.length : at, 0, evaluation);
    }
    return runs.slice(0, limit);
  });
}

/** Returns the preview of a run; for a run that this version cannot read, the reason. */
async function previewRun(call: Invocation, store: Store, run: string): Promise<Preview> {
  try {
    return await previewOf(call, store.facts(run));
  } catch (error) {
    if (!(error instanceof NewerRunError)) throw error;
    const text = `${capitalize(error.message)}. ${error.next ?? ''}`;
    return { seats: [], text, rehearsal: false, change: '', changes: '' };
  }
}

async function previewOf(call: Invocation, facts: readonly AnyFact[]): Promise<Preview> {
  const view = viewOf(facts);
  const [{ forkStart, forkExamples, latest, reads, spoken }, { build }] = await Promise.all([
    call.protocols.loadText(view.protocol),
    call.protocols.loadReport(view.protocol),
  ]);
  const last = latest({ facts, view });
  const answer = build({ facts, view }).answers.at(-1);
  // If the run has several questions, the first of the answer's texts is the question, not the recommendation.
  const firstLines = answer?.question === undefined ? 1 : 2;
  return {
    seats: view.seats.map(({ title, model }) => `${title} ${model}`),
    // The preview has few rows, so show the recommendation first.
    text:
      [
        ...answersText(answer === undefined ? [] : [answer]).slice(0, firstLines),
        (last && reads(last, { facts, view })) ?? '',
      ]
        .filter((part) => part !== '')
        .join('\n\n') ||
      Object.values(view.calls).map(spoken).find(Boolean) ||
      'No text.',
    rehearsal: view.rehearsal,
    change: forkStart(view),
    changes: forkExamples,
  };
}

/**
 * Returns the formats to export a run in. The database is opened when a file is written, not while the person
 * chooses.
 */
function exportsIn(call: Invocation, { id: run, protocol }: RunLine): ExportOffer[] {
  const source = {
    run,
    protocol,
    facts: () => withStore(call, (store) => store.facts(run)),
    status: () => withStore(call, (store) => store.summary(run).status),
    prompts: () => withStore(call, (store) => store.prompts(run)),
    archive: () => withStore(call, (store) => call.protocols.formatArchive(store, run)),
  };
  return exportsOf(call.protocols, source, new Desktop(call, run));
}
