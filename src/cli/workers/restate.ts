/**
 * `deliberate worker --engine restate`: works on the runs that a Restate server hands out. Nothing of them
 * stays in this process or on its disk: whoever is killed has taken nothing along.
 */
import { AttemptHere, type Bench } from '../../app/elsewhere/attempt.ts';
import { sdkNeeded } from '../../app/elsewhere/flags.ts';
import type { Invocation } from '../../app/invocation.ts';
import { Unattended } from '../../app/run/unattended.ts';
import { startedAs } from '../../app/suggest.ts';
import { KERNEL } from '../../kernel/facts.ts';
import { shortId } from '../../kernel/short-id.ts';
import { jsonLine } from '../../plain/json-lines.ts';
import { register } from '../../restate/client.ts';
import type { Handed } from '../../restate/handed.ts';
import type { Store } from '../../store/store.ts';
import { line } from '../../text/line.ts';
import { rowOf } from '../list.ts';

/** How long those at work have to record what they had said. */
const GRACE_MS = 5_000;

interface Listen {
  /** Of the server's ingress. */
  readonly address: string;
  readonly admin: string | undefined;
  /** Where the server reaches all workers; absent: where this one listens. */
  readonly advertised: string | undefined;
  readonly host: string;
  readonly port: number;
}

/** Resolves to 0 when it was told to stop. */
export async function restateWorker(call: Invocation, listen: Listen): Promise<number> {
  const { serve } = await sdkNeeded(() => import('../../restate/endpoint.ts'));
  const worker = new RestateWorker(call);
  const leave = new AbortController();
  const letGo = onSignals(call, () => leave.abort());
  const listening = await serve({
    ...{ host: listen.host, port: listen.port },
    open: (handed) => worker.open(handed),
    isFull: () => worker.isFull,
  });
  try {
    const uri = listen.advertised ?? `http://${hostOf(listen.host)}:${listening.port}`;
    await register(listen.address, listen.admin, uri, leave.signal);
    if (!leave.signal.aborted && !call.flags.quiet)
      call.err.write(`Working for Restate at ${line(listen.address)}, on ${uri}\n`);
    await aborted(leave.signal);
    listening.refuse();
    await worker.leave();
    return 0;
  } finally {
    listening.close();
    letGo();
  }
}

class RestateWorker implements Bench {
  readonly unattended: Unattended;
  readonly #call: Invocation;
  readonly #attempts = new Set<AttemptHere>();
  readonly #queue: (() => void)[] = [];
  #busy = 0;

  constructor(call: Invocation) {
    this.#call = call;
    this.unattended = new Unattended(call);
  }

  /** As many again as are worked on may wait here, so that no place is empty while the server looks. */
  get isFull(): boolean {
    return this.#busy + this.#queue.length >= 2 * this.#call.flags.jobs;
  }

  open(handed: Handed): AttemptHere {
    if (this.#attempts.size === 0) this.unattended.refresh();
    const attempt: AttemptHere = new AttemptHere(this, handed, () =>
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
      // The place goes from one to the other.
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
        err.write(`run ${id} asks: ${line(question)} ${startedAs(env)} answer ${id}\n`);
      return;
    }
    const summary = store.summary(run);
    out.write(
      flags.json ? jsonLine(summary) : `${rowOf(summary, out.isTTY ? out.columns : 120)}\n`,
    );
    const { reason } = store.facts(run).findLast(KERNEL.is('run.ended')) ?? {};
    if (!flags.quiet && summary.status !== 'done')
      err.write(`run ${id} ${summary.status}${reason === undefined ? '' : `: ${line(reason)}`}\n`);
  }
}

/** As it is written in an address. */
function hostOf(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** The first signal has it give back what is at work; a second Ctrl-C ends it at once. */
function onSignals({ out }: Invocation, end: () => void): () => void {
  let pressed = false;
  const interrupt = (): void => {
    if (pressed) process.exit(130);
    pressed = true;
    end();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', end);
  process.on('SIGHUP', end);
  out.on('error', end);
  return () => {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', end);
    process.off('SIGHUP', end);
    out.off('error', end);
  };
}
