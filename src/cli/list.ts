/** `list`: lists the recorded runs. Reads only their summaries. */

import type { Invocation } from '../app/invocation.ts';
import type { TypedCall } from '../app/typed-call.ts';
import { databaseFile, requireDatabase } from '../io/files.ts';
import { shortId } from '../kernel/short-id.ts';
import { jsonLine } from '../plain/json-lines.ts';
import { Catalog, type RunSummary } from '../store/catalog.ts';
import { toLine } from '../text/line.ts';
import { formatTokens, formatUsd } from '../text/numbers.ts';
import { truncateLine } from '../text/width.ts';

/**
 * Runs `deliberate list`: lists recorded runs. Resolves to the exit code.
 *
 * @param complete loads the rest of the program; called only if some runs are at a Restate server
 *   and have to be copied from it first
 */
export async function list(call: TypedCall, complete: () => Promise<Invocation>): Promise<number> {
  requireDatabase(call);
  const store = Catalog.openCatalog(databaseFile(call));
  try {
    if (store.hasRunsElsewhere()) {
      const { withStore } = await import('../app/store.ts');
      await withStore(await complete(), () => undefined);
    }
    const search = [call.flags.search ?? [], call.words].flat().join(' ') || undefined;
    const runs = store.list({ search, limit: call.flags.limit ?? 50 });
    if (call.flags.json) for (const run of runs) call.out.write(jsonLine(run));
    else if (runs.length === 0) call.err.write('No runs.\n');
    else
      for (const run of runs) {
        const width = call.out.isTTY ? call.out.columns : 120;
        call.out.write(`${formatRunRow(run, width)}\n`);
        if (run.snippet !== undefined && toLine(run.snippet) !== toLine(run.question))
          call.out.write(`    ${truncateLine(toLine(run.snippet), width - 4)}\n`);
      }
    return 0;
  } finally {
    store.close();
  }
}

/**
 * Formats a run as one line: id, time, protocol, status, tokens, cost and the question.
 *
 * @param width the width of the line in cells; the question gets at least 20 characters
 */
export function formatRunRow(run: RunSummary, width: number): string {
  const cost = run.costUsd === null ? '' : formatUsd(run.costUsd, run.estimated);
  const left = [
    shortId(run.id),
    run.startedAt.slice(0, 16).replace('T', ' '),
    run.protocol.padEnd(6),
    run.status.padEnd(11),
    `${formatTokens(run.tokensIn + run.tokensOut, run.estimated).padStart(5)} tok`,
    cost.padStart(7),
  ].join('  ');
  const rehearsed = run.rehearsal ? 'REHEARSAL ' : '';
  return `${left}  ${truncateLine(rehearsed + toLine(run.question), Math.max(20, width - left.length - 2))}`;
}
