/** `deliberate history`: the recorded runs on a screen, and what can be done with them. */

import { join } from 'node:path';
import { openHistory } from '../../console/history/open.ts';
import type { HistoryChoice, Preview } from '../../console/history/state.ts';
import type { RunLine } from '../../console/model/runs.ts';
import { Drafts } from '../../io/drafts.ts';
import { workingFolder } from '../../io/files.ts';
import { writeOwn } from '../../io/own-file.ts';
import { DeliberateError, UsageError } from '../../kernel/errors.ts';
import { shortId } from '../../kernel/short-id.ts';
import { viewOf } from '../../kernel/view.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { report } from '../../plain/report.ts';
import { textNamed } from '../../protocols/table.ts';
import type { Store } from '../../store/store.ts';
import type { Invocation } from '../invocation.ts';
import { displayOf } from '../run/display.ts';
import { readConfig } from '../settings/config.ts';
import { openStore } from '../store.ts';

/** Resolves when the person goes back. */
export async function browse(call: Invocation): Promise<number> {
  if (displayOf(call) !== 'console')
    throw new UsageError('the history needs a terminal', 'Without a terminal: deliberate list');
  const { keys } = readConfig(call);
  let search = call.flags.search;
  let run: string | undefined;
  let notice: string | undefined;
  for (;;) {
    const looked = await openHistory({
      services: {
        list: async (words) => listRuns(call, words, call.flags.limit ?? 50),
        preview: async (run) => previewOf(withStore(call, (store) => store.facts(run))),
        remove: async (run) => {
          withStore(call, (store) => store.remove(run));
          new Drafts(call.env).forget(run);
        },
        exportReport: (run) => exportReport(call, run),
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
    notice = await done(call, looked.choice);
  }
}

/** Does what was chosen. Resolves to what went wrong, if anything. */
async function done(call: Invocation, choice: HistoryChoice): Promise<string | undefined> {
  try {
    switch (choice.kind) {
      case 'back':
        break;
      case 'open':
        await (await import('./open.ts')).open({ ...call, words: [choice.run] });
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

/** `round-3/D seat.critic.model=M` → where it leaves its parent, and what changes there. */
export function forkFlags(change: string): { at?: string; set: string[] } {
  const [first = '', ...rest] = change.split(/\s+/);
  if (first.includes('=')) return { set: [change] };
  return { at: first, set: rest.length === 0 ? [] : [rest.join(' ')] };
}

/** Newest first; those that have the words of `search`. */
export function listRuns(call: Invocation, search: string | undefined, limit: number): RunLine[] {
  return withStore(call, (store) => store.list({ search, limit }));
}

async function previewOf(facts: readonly AnyFact[]): Promise<Preview> {
  const view = viewOf(facts);
  const { forkStart, forkExamples, reads } = await textNamed(view.protocol);
  const last = view.syntheses.at(-1);
  const answer = Object.values(view.calls).find((one) => (one.text ?? '') !== '');
  return {
    seats: view.seats.map(({ title, model }) => `${title} ${model}`),
    text: (last && reads(last, { facts, view })) ?? answer?.text ?? 'Nothing was said.',
    rehearsal: view.rehearsal,
    change: forkStart(view),
    changes: forkExamples,
  };
}

async function exportReport(call: Invocation, run: string): Promise<string> {
  const file = join(workingFolder(), `deliberate-${shortId(run)}.md`);
  const { facts, protocol, status } = withStore(call, (store) => ({
    facts: store.facts(run),
    ...store.summary(run),
  }));
  writeOwn(file, report(facts, await textNamed(protocol), status));
  return file;
}

function withStore<T>(call: Invocation, work: (store: Store) => T): T {
  const store = openStore(call);
  try {
    return work(store);
  } finally {
    store.close();
  }
}
