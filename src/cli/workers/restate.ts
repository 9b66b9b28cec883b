/**
 * `deliberate worker --engine restate`: works on runs that a Restate server hands out. No part of a run is kept
 * in this process or on its disk, so a killed worker loses nothing.
 */

import { type AttemptHost, LocalAttempt } from '../../app/elsewhere/attempt.ts';
import { loadRestateSdk } from '../../app/elsewhere/flags.ts';
import type { Invocation } from '../../app/invocation.ts';
import { UnattendedRuns } from '../../app/run/unattended.ts';
import { getStartCommand } from '../../app/suggest.ts';
import { KERNEL } from '../../kernel/facts.ts';
import { shortId } from '../../kernel/short-id.ts';
import type { FactReader } from '../../kernel/vocabulary.ts';
import { jsonLine } from '../../plain/json-lines.ts';
import { handleSignals } from '../../platform/signals.ts';
import { registerWorkers } from '../../restate/client.ts';
import type { SubmittedRun } from '../../restate/handed.ts';
import type { Store } from '../../store/store.ts';
import { toLine } from '../../text/line.ts';
import { formatRunRow } from '../list.ts';

/** Milliseconds that attempts have to record what they have, before the worker exits. */
const GRACE_MS = 5_000;

interface Listen {
  /** The address of the Restate server's ingress. */
  readonly address: string;
  readonly admin: string | undefined;
  /** The address under which the server reaches all workers; undefined means where this one listens. */
  readonly advertised: string | undefined;
  readonly host: string;
  readonly port: number;
}

/** Runs a worker for a Restate server until it is stopped. Resolves to 0. */
export async function restateWorker(call: Invocation, listen: Listen): Promise<number> {
  const { serveWorker } = await loadRestateSdk(() => import('../../restate/endpoint.ts'));
  const worker = new RestateWorker(call);
  const leave = new AbortController();
  const letGo = onSignals(call, () => leave.abort());
  const listening = await serveWorker({
    host: listen.host,
    port: listen.port,
    open: (handed) => worker.open(handed),
    isFull: () => worker.isFull,
  });
  try {
    const uri = listen.advertised ?? `http://${hostOf(listen.host)}:${listening.port}`;
    await registerWorkers(listen.address, listen.admin, uri, leave.signal);
    if (!leave.signal.aborted && !call.flags.quiet)
      call.err.write(`Working for Restate at ${toLine(listen.address)}, on ${uri}\n`);
    await waitForAbort(leave.signal);
    listening.refuse();
    await worker.leave();
    return 0;
  } finally {
    listening.close();
    letGo();
  }
}

class RestateWorker implements AttemptHost {
  readonly facts: FactReader;
  readonly unattended: UnattendedRuns;
  readonly #call: Invocation;
  readonly #attempts = new Set<LocalAttempt>();
  readonly #queue: (() => void)[] = [];
  #busy = 0;

  constructor(call: Invocation) {
    this.#call = call;
    this.facts = call.protocols.facts;
    this.unattended = new UnattendedRuns(call);
  }

  /**
   * Whether to refuse further runs. As many runs may wait as are worked on, so that a free place is filled at
   * once.
   */
  get isFull(): boolean {
    return this.#busy + this.#queue.length >= 2 * this.#call.flags.jobs;
  }

  open(handed: SubmittedRun): LocalAttempt {
    if (this.#attempts.size === 0) this.unattended.refresh();
    const attempt: LocalAttempt = new LocalAttempt(this, handed, () =>
      this.#attempts.delete(attempt),
    );
    this.#attempts.add(attempt);
    return attempt;
  }

  async enter(): Promise<() => void> {
    if (this.#busy >= this.#call.flags.jobs)
      await new Promise<void>((resolve) => this.#queue.push(resolve));
    else this.#busy += 1;
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      const next = this.#queue.shift();
      // An attempt in the queue takes the place of the one that has ended or waits for an answer. The number of
      // running attempts stays the same.
      if (next === undefined) this.#busy -= 1;
      else next();
    };
  }

  async leave(): Promise<void> {
    for (const next of this.#queue.splice(0)) next();
    const attempts = [...this.#attempts].map((attempt) => attempt.leave());
    const late = new Promise((resolve) => setTimeout(resolve, GRACE_MS).unref());
    await Promise.race([Promise.allSettled(attempts), late]);
  }

  tell(store: Store, run: string, asks?: string): void {
    const { out, err, flags, env } = this.#call;
    const id = shortId(run);
    if (asks !== undefined) {
      const [question = ''] = asks.split('\n');
      if (!flags.quiet)
        err.write(`run ${id} asks: ${toLine(question)} ${getStartCommand(env)} answer ${id}\n`);
      return;
    }
    const summary = store.summary(run);
    out.write(
      flags.json ? jsonLine(summary) : `${formatRunRow(summary, out.isTTY ? out.columns : 120)}\n`,
    );
    const { reason } = store.facts(run).findLast(KERNEL.is('run.ended')) ?? {};
    if (!flags.quiet && summary.status !== 'done')
      err.write(
        `run ${id} ${summary.status}${reason === undefined ? '' : `: ${toLine(reason)}`}\n`,
      );
  }
}

/** Formats a host for an address: IPv6 in brackets. */
function hostOf(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/**
 * Calls `end` on the first signal; a second Ctrl-C exits at once. Returns a function that removes the handlers.
 */
function onSignals({ out }: Invocation, end: () => void): () => void {
  let pressed = false;
  const interrupt = (): void => {
    if (pressed) process.exit(130);
    pressed = true;
    end();
  };
  const release = handleSignals(interrupt, end);
  out.on('error', end);
  return () => {
    release();
    out.off('error', end);
  };
}
