/**
 * `deliberate worker`: works on queued runs, in one process or in several on one database. A worker takes a
 * queued run and holds it by a lease. A run that it hands back, or that it leaves by dying, is taken by another
 * worker.
 */

import { parseAddress, parseListen, restateAddressOf } from '../../app/elsewhere/flags.ts';
import type { Invocation } from '../../app/invocation.ts';
import { withRescue } from '../../app/rescue.ts';
import { type OpenSession, openRunSession } from '../../app/run/hold.ts';
import { UnattendedRuns } from '../../app/run/unattended.ts';
import { readConfig } from '../../app/settings/config.ts';
import { openStore } from '../../app/store.ts';
import { getStartCommand } from '../../app/suggest.ts';
import { DeliberateError, StoreError, UsageError } from '../../kernel/errors.ts';
import { KERNEL } from '../../kernel/facts.ts';
import type { Journal } from '../../kernel/journal.ts';
import type { Ending, Session } from '../../kernel/session.ts';
import { shortId } from '../../kernel/short-id.ts';
import { jsonLine } from '../../plain/json-lines.ts';
import { handleSignals } from '../../platform/signals.ts';
import type { Store } from '../../store/store.ts';
import { toLine } from '../../text/line.ts';
import { formatRunRow } from '../list.ts';

/** Milliseconds between two looks at the queue, so that a queued run starts about as soon as a detached one. */
const LOOK_MS = 500;

/**
 * Error codes that concern one run only: it was taken over or removed. The worker continues with the others.
 */
const OF_ONE_RUN: ReadonlySet<string> = new Set(['taken-over', 'no-such-run']);

/**
 * Runs `deliberate worker`: works on queued runs until it is stopped; with `--once`, until the
 * queue is empty and the worker's runs have ended. Resolves to 0.
 */
export async function worker(call: Invocation): Promise<number> {
  const [word] = call.words;
  if (word !== undefined)
    throw new UsageError('worker takes no arguments', 'Queue a run: deliberate board "…" --queue');
  // Report wrong settings once, before any run is taken.
  readConfig(call);
  const address = restateAddressOf(call);
  if (address !== undefined) return workThere(call, address);
  const store = openStore(call);
  try {
    await new Worker(call, store).work();
    return 0;
  } finally {
    store.close();
  }
}

async function workThere(call: Invocation, address: string): Promise<number> {
  const { once, restateAdmin, advertise } = call.flags;
  if (once)
    throw new UsageError(
      '--once is of the queue of a database',
      'A worker for Restate is handed runs until it is stopped.',
    );
  const admin = restateAdmin && parseAddress('--restate-admin', restateAdmin);
  const advertised = advertise && parseAddress('--advertise', advertise);
  const { restateWorker } = await import('./restate.ts');
  return restateWorker(call, { address, admin, advertised, ...parseListen(call) });
}

class Worker {
  readonly #call: Invocation;
  readonly #store: Store;
  readonly #leave = new AbortController();
  readonly #jobs = new Set<Promise<void>>();
  /** Runs that wait for a person's answer; they do not count against `--jobs`. */
  readonly #waiting = new Set<Journal>();
  readonly #unattended: UnattendedRuns;
  #wake: () => void = () => undefined;
  /** The error that ends this worker, such as a database that cannot be written; it is no fault of the run. */
  #failure: unknown;

  constructor(call: Invocation, store: Store) {
    this.#call = call;
    this.#store = store;
    this.#unattended = new UnattendedRuns(call);
  }

  async work(): Promise<void> {
    const letGo = this.#handleSignals();
    let told = false;
    try {
      while (!this.#leave.signal.aborted) {
        this.#takeAll();
        if (this.#call.flags.once && this.#jobs.size === 0) break;
        if (!told && this.#jobs.size === 0) this.#say('Waiting for queued runs; Ctrl-C stops.');
        told = true;
        await this.#pause();
      }
    } finally {
      this.#leave.abort();
      await Promise.all(this.#jobs);
      letGo();
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Resolves when a job has ended, the worker is to stop, or it is time to look at the queue again. */
  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, LOOK_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #end(): void {
    this.#leave.abort();
    this.#wake();
  }

  /** Takes runs from the queue as long as there are free places. */
  #takeAll(): void {
    while (this.#jobs.size - this.#waiting.size < this.#call.flags.jobs) {
      const taken = this.#take();
      if (taken === undefined) return;
      if ('leftAlone' in taken) {
        this.#sayEnd(taken.leftAlone, 'skipped: every worker that took it died');
        continue;
      }
      const job = this.#do(taken).finally(() => {
        this.#jobs.delete(job);
        this.#wake();
      });
      this.#jobs.add(job);
    }
  }

  #take(): ReturnType<Store['takeQueued']> {
    if (this.#jobs.size === 0) {
      if (!this.#store.isInPlace())
        throw new StoreError('io', `${toLine(this.#store.file)} was moved, deleted or replaced`);
      // Read prices and profiles again while no run is under way, so that they do not change during
      // a run.
      this.#unattended.refresh();
    }
    try {
      return this.#store.takeQueued();
    } catch (error) {
      if (error instanceof StoreError && error.code === 'busy') return undefined;
      throw error;
    }
  }

  /** Works on one run. Never rejects. */
  async #do(journal: Journal): Promise<void> {
    try {
      await this.#tryTo(journal);
    } catch (error) {
      this.#failure ??= error;
      this.#end();
    } finally {
      this.#waiting.delete(journal);
    }
  }

  /**
   * Works on one run and prints how it ended.
   * @throws StoreError if the database cannot be used any more
   */
  async #tryTo(journal: Journal): Promise<void> {
    const { run } = journal;
    try {
      this.#tell(
        run,
        await withRescue(this.#call.protocols, this.#store, run, () => this.#workOn(journal)),
      );
    } catch (error) {
      if (error instanceof StoreError && !OF_ONE_RUN.has(error.code)) throw error;
      // Take the failed run out of the queue until a person resumes it: another worker would most likely fail
      // on it too.
      this.#store.dequeue(run);
      const next = error instanceof DeliberateError ? error.next : undefined;
      const why = error instanceof Error ? error.message : String(error);
      this.#sayEnd(run, `failed: ${toLine(why)}`, next);
    }
  }

  async #workOn(journal: Journal): Promise<Ending> {
    const { signal } = this.#leave;
    let held: OpenSession | undefined;
    const handBack = (): void => held?.session.handBack();
    try {
      const run = await this.#unattended.open(this.#store, journal);
      held = await openRunSession(run, run.call.flags.yes ? 'by default' : 'some day');
      if (signal.aborted) return { status: 'stopped' };
      signal.addEventListener('abort', handBack);
      this.#hear(journal, held.session);
      return await run.start(held.session);
    } finally {
      signal.removeEventListener('abort', handBack);
      if (held === undefined) journal.release();
      else await held.close();
    }
  }

  #hear(journal: Journal, { feed }: Session): void {
    const id = shortId(journal.run);
    feed.subscribe({
      live: () => undefined,
      fact: (fact) => {
        const kernelFact = KERNEL.own(fact);
        if (kernelFact?.type === 'gate.answered') this.#waiting.delete(journal);
        if (kernelFact?.type !== 'gate.opened') return;
        this.#waiting.add(journal);
        const choices = kernelFact.options.map(({ value }) => toLine(value)).join('|');
        const [question = ''] = kernelFact.prompt.split('\n');
        this.#say(
          `run ${id} asks: ${toLine(question)} ${getStartCommand(this.#call.env)} answer ${id} ${choices}`,
        );
        // A run that waits for an answer does not count against `--jobs`, so look for another run in the queue.
        this.#wake();
      },
    });
  }

  #tell(run: string, { status, reason }: Ending): void {
    const { out, flags } = this.#call;
    const summary = this.#store.summary(run);
    if (summary.status === 'queued') {
      this.#say(`run ${shortId(run)} returned to the queue`);
      return;
    }
    const width = out.isTTY ? out.columns : 120;
    out.write(flags.json ? jsonLine(summary) : `${formatRunRow(summary, width)}\n`);
    if (status !== 'done')
      this.#sayEnd(run, reason === undefined ? status : `${status}: ${toLine(reason)}`);
  }

  #sayEnd(run: string, how: string, next?: string): void {
    const id = shortId(run);
    const said = how.replace(/\.$/, '');
    this.#say(`run ${id} ${said}. ${next ?? `${getStartCommand(this.#call.env)} resume ${id}`}`);
  }

  #say(text: string): void {
    if (!this.#call.flags.quiet) this.#call.err.write(`${text}\n`);
  }

  /**
   * Installs handlers of signals: the first hands all runs back, a second Ctrl-C exits at once. Nothing
   * recorded is lost.
   */
  #handleSignals(): () => void {
    const end = (): void => this.#end();
    const interrupt = (): void => {
      if (this.#leave.signal.aborted) process.exit(130);
      if (this.#jobs.size > 0)
        this.#say('Returning runs to the queue; press again to quit at once.');
      end();
    };
    const { out } = this.#call;
    const release = handleSignals(interrupt, end);
    out.on('error', end);
    return () => {
      release();
      out.off('error', end);
    };
  }
}
