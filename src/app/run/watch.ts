/** `deliberate watch`: shows a run that another process works on. */

import { leaveOnSignals } from '../../console/terminal/signals.ts';
import { shortId } from '../../kernel/short-id.ts';
import type { Invocation } from '../invocation.ts';
import { nameRun, runOf } from '../run-of.ts';
import { readConfig } from '../settings/config.ts';
import { copyRemoteNews, openRecorded } from '../store.ts';
import { getStartCommand } from '../suggest.ts';
import { showFollowed } from './followed.ts';

/**
 * Runs `deliberate watch`: shows a run that another process works on. Resolves to the exit code.
 */
export async function watch(call: Invocation): Promise<number> {
  const config = readConfig(call);
  const store = openRecorded(call);
  const leave = new AbortController();
  const stop = (): void => leave.abort();
  const forget = leaveOnSignals(stop);
  call.out.on('error', stop);
  try {
    const ref = runOf(call);
    // Copy runs from Restate servers first, so that `latest` finds a run that goes on at such a server.
    await copyRemoteNews(call, store);
    const id = (ref === 'latest' ? store.findLive() : undefined) ?? store.find(ref);
    if (call.words.length === 0 && !call.flags.quiet) call.err.write(`${nameRun(id, store)}\n`);
    const { status } = store.summary(id);
    const there = store.elsewhere.find(id)?.isOver === false;
    if (status === 'queued' && !call.flags.quiet)
      call.err.write(
        `run ${shortId(id)} is queued. ${getStartCommand(call.env)} worker${there ? ' --engine restate' : ''}\n`,
      );
    await showFollowed(call, config, store, id, leave);
    return 0;
  } finally {
    forget();
    store.close();
  }
}
