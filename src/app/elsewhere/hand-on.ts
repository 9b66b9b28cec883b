/** Hands a locally recorded run to workers of a Restate server and follows it. */
import { leaveOnSignals } from '../../console/terminal/signals.ts';
import { UsageError } from '../../kernel/errors.ts';
import { KERNEL } from '../../kernel/facts.ts';
import type { Journal } from '../../kernel/journal.ts';
import { shortId } from '../../kernel/short-id.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { getDocumentIndex } from '../../protocols/common/settings/look-config.ts';
import type { Store } from '../../store/store.ts';
import { toLine } from '../../text/line.ts';
import type { Invocation } from '../invocation.ts';
import { tellQueued } from '../run/detached.ts';
import { showFollowed } from '../run/followed.ts';
import type { OwnedRun } from '../run/hold.ts';
import type { Config } from '../settings/config.ts';
import { getStartCommand } from '../suggest.ts';
import { submitRun } from './mirror.ts';

/**
 * Refuses to hand a run to a Restate server if it needs something of this machine, such as a
 * repository or a tool server.
 * @throws UsageError that says what the run needs
 */
export function refuseUnable(
  { source, workshop, tools }: Pick<OwnedRun, 'source' | 'workshop' | 'tools'>,
  facts: readonly AnyFact[],
): void {
  const { config = {}, parent } = facts.find(KERNEL.is('run.started')) ?? {};
  const needs =
    source !== undefined
      ? 'the file of its protocol'
      : workshop !== undefined
        ? 'its copy of a repository'
        : getDocumentIndex(config) !== undefined
          ? 'the index of its documents'
          : tools?.offered.some(({ server }) => server !== undefined)
            ? 'its tool servers'
            : parent !== undefined
              ? 'the run that it was forked from'
              : undefined;
  if (needs === undefined) return;
  throw new UsageError(
    `--engine restate: this run needs ${needs}, which is on this machine alone`,
    'Leave --engine out.',
  );
}

interface HandedOn {
  readonly call: Invocation;
  readonly config: Config;
  readonly store: Store;
}

/**
 * Hands a run to a Restate server and shows it until the person leaves the console or, without a console,
 * until the run ends; with `--queue`, returns at once. Resolves to the exit code.
 *
 * @throws DeliberateError if the server cannot be used
 */
export async function handToRestate(
  { call, config, store }: HandedOn,
  journal: Journal,
  address: string,
): Promise<number> {
  const { run } = journal;
  handToServer(store, journal, address, call.flags.yes ? 'by default' : 'some day');
  await submitRun(store, run);
  if (call.flags.queue) return tellQueued(call, store, run);
  call.begun?.(run);
  const leave = new AbortController();
  const forget = leaveOnSignals(() => leave.abort());
  try {
    await showFollowed(call, config, store, run, leave);
  } finally {
    forget();
  }
  const ended = store.facts(run).findLast(KERNEL.is('run.ended'));
  const status = store.elsewhere.find(run)?.isOver ? (ended?.status ?? 'failed') : 'going on';
  if (!call.flags.quiet) call.err.write(lastLine(call, run, status, ended?.reason));
  return { done: 0, failed: 1, stopped: 130, 'going on': 0 }[status];
}

/**
 * Records that a run continues at a Restate server, and releases the run here.
 *
 * @param answered what happens with the run's questions to people; the words are explained at
 *   `GateAnswerer`
 */
export function handToServer(
  store: Store,
  journal: Journal,
  address: string,
  answered: 'by default' | 'some day' | 'by nobody',
): void {
  const { run } = journal;
  // Restate runs each attempt as a separate workflow, and every workflow needs its own key. The number of the
  // run's last fact makes the key differ between attempts.
  const key = `${run}.${journal.facts().at(-1)?.seq ?? 0}`;
  store.elsewhere.begin(run, { address, key, answered });
  journal.release();
}

function lastLine(
  { env }: Invocation,
  run: string,
  status: string,
  reason: string | undefined,
): string {
  const [started, id] = [getStartCommand(env), shortId(run)];
  if (status === 'going on')
    return `run ${id} goes on at Restate. ${started} watch ${id} · ${started} stop ${id}\n`;
  const why = reason === undefined ? '' : `: ${toLine(reason)}`;
  const next = status === 'done' ? `show ${id} · ${started} export ${id}` : `resume ${id}`;
  return `run ${id} ${status}${why}. ${started} ${next}\n`;
}
