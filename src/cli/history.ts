/** `list`, `show`, `export` and `rm`: what has been recorded. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { boardOf } from '../kernel/board-view.ts';
import { UsageError } from '../kernel/errors.ts';
import { roundsOf } from '../kernel/rounds-view.ts';
import { viewOf } from '../kernel/view.ts';
import { escapeLoose, jsonLine } from '../plain/json-lines.ts';
import { line } from '../plain/naming.ts';
import { report } from '../plain/report.ts';
import { testsReport } from '../plain/tests-report.ts';
import { Store } from '../store/store.ts';
import { formatTokens, formatUsd } from '../text/figures.ts';
import { truncate } from '../text/width.ts';
import { confirmed } from './confirm.ts';
import { shortId } from './display.ts';
import { databaseFile } from './files.ts';
import type { Invocation } from './invocation.ts';
import { recordsFolder, writeTree } from './records.ts';
import { runOf } from './resume.ts';

export async function list(call: Invocation): Promise<number> {
  return withStore(call, (store) => {
    const runs = store.list({ search: call.flags.search, limit: call.flags.limit });
    if (call.flags.json) for (const run of runs) call.out.write(jsonLine(run));
    else if (runs.length === 0) call.err.write('No runs.\n');
    else
      for (const run of runs) {
        const cost = run.costUsd === null ? '' : formatUsd(run.costUsd);
        const left = [
          shortId(run.id),
          run.startedAt.slice(0, 16).replace('T', ' '),
          run.protocol.padEnd(6),
          run.status.padEnd(11),
          `${formatTokens(run.tokensIn + run.tokensOut).padStart(5)} tok`,
          cost.padStart(7),
        ].join('  ');
        const room = Math.max(20, (call.out.isTTY ? call.out.columns : 120) - left.length - 2);
        call.out.write(`${left}  ${truncate(line(run.question), room)}\n`);
      }
    return 0;
  });
}

export async function show(call: Invocation): Promise<number> {
  return withStore(call, (store) => {
    const id = store.find(runOf(call));
    if (call.flags.json) for (const one of store.facts(id)) call.out.write(jsonLine(one));
    else {
      const facts = store.facts(id);
      call.out.write(
        report(viewOf(facts), store.summary(id).status, boardOf(facts)) +
          testsReport(roundsOf(facts)),
      );
    }
    return 0;
  });
}

export async function exportRun(call: Invocation): Promise<number> {
  return withStore(call, (store) => {
    const id = store.find(runOf(call));
    const facts = store.facts(id);
    const { status } = store.summary(id);
    if (call.flags.format === 'records') {
      const to = call.flags.to ?? `deliberate-${shortId(id)}`;
      writeTree(recordsFolder(facts), to);
      call.err.write(`${to}\n`);
      return 0;
    }
    const json = call.flags.format === 'json';
    const text = json
      ? `${escapeLoose(JSON.stringify({ format: 'deliberate-run', v: 1, run: id, status, rehearsal: viewOf(facts).rehearsal, facts }, null, 1))}\n`
      : report(viewOf(facts), status, boardOf(facts)) + testsReport(roundsOf(facts));
    if (call.flags.to === undefined) {
      call.out.write(text);
      return 0;
    }
    const file = join(call.flags.to, `deliberate-${shortId(id)}.${json ? 'json' : 'md'}`);
    try {
      mkdirSync(call.flags.to, { recursive: true });
      writeFileSync(file, text, { mode: 0o600 });
    } catch (error) {
      throw new UsageError(
        `${file} cannot be written: ${error instanceof Error ? error.message : error}`,
      );
    }
    call.err.write(`${file}\n`);
    return 0;
  });
}

export async function remove(call: Invocation): Promise<number> {
  return withStore(call, async (store) => {
    const id = store.find(runOf(call));
    const { question } = store.summary(id);
    if (
      !call.flags.yes &&
      !(await confirmed(
        call,
        `Remove run ${shortId(id)} "${truncate(line(question), 60)}" for good? [y/N] `,
        'Say --yes to remove the run.',
      ))
    ) {
      call.err.write('Nothing was removed.\n');
      return 1;
    }
    store.remove(id);
    call.err.write(`Removed ${shortId(id)}.\n`);
    return 0;
  });
}

async function withStore(
  call: Invocation,
  work: (store: Store) => number | Promise<number>,
): Promise<number> {
  const store = Store.open(databaseFile(call));
  try {
    return await work(store);
  } finally {
    store.close();
  }
}
