/**
 * `deliberate worker`: works on the runs that were queued, in one process or in several on one database.
 * A worker is no master of anything: it takes what rests, holds it by its lease, and whatever it leaves
 * undone, by giving it back or by dying, is taken by another.
 */
import { addressOf, engineOf, listenOf } from '../../app/elsewhere/flags.ts';
import type { Invocation } from '../../app/invocation.ts';
import { keeping } from '../../app/rescue.ts';
import { type Held, hold } from '../../app/run/hold.ts';
import { Unattended } from '../../app/run/unattended.ts';
import { readConfig } from '../../app/settings/config.ts';
import { openStore } from '../../app/store.ts';
import { startedAs } from '../../app/suggest.ts';
import { DeliberateError, StoreError, UsageError } from '../../kernel/errors.ts';
import { KERNEL } from '../../kernel/facts.ts';
import type { Journal } from '../../kernel/journal.ts';
import type { Ending, Session } from '../../kernel/session.ts';
import { shortId } from '../../kernel/short-id.ts';
import { jsonLine } from '../../plain/json-lines.ts';
import type { Store } from '../../store/store.ts';
import { line } from '../../text/line.ts';
import { rowOf } from '../list.ts';

/** How often it is looked for runs: a run that was queued is begun about as soon as one that is detached. */
const LOOK_MS = 500;

/** Somebody has taken the run over, or removed it: no reason to leave the others. */
const OF_ONE_RUN: ReadonlySet<string> = new Set(['taken-over', 'no-such-run']);

/** Resolves to 0 when it was told to stop, or with `--once` when nothing rests any more. */
export async function worker(call: Invocation): Promise<number> {
  const [word] = call.words;
  if (word !== undefined)
    throw new UsageError('worker takes no arguments', 'Queue a run: deliberate board "…" --queue');
  // What is wrong with the settings is said at once, and not of every run.
  readConfig(call);
  const address = engineOf(call);
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
  const admin = restateAdmin && addressOf('--restate-admin', restateAdmin);
  const advertised = advertise && addressOf('--advertise', advertise);
  const { restateWorker } = await import('./restate.ts');
  return restateWorker(call, { address, admin, advertised, ...listenOf(call) });
}

class Worker {
  readonly #call: Invocation;
  readonly #store: Store;
  readonly #leave = new AbortController();
  readonly #jobs = new Set<Promise<void>>();
  /** The runs that wait for an answer, which takes nobody's time. */
  readonly #waiting = new Set<Journal>();
  readonly #unattended: Unattended;
  #wake: () => void = () => undefined;
  /** What ends this worker: a database that cannot be written is no fault of the run. */
  #failure: unknown;

  constructor(call: Invocation, store: Store) {
    this.#call = call;
    this.#store = store;
    this.#unattended = new Unattended(call);
  }

  async work(): Promise<void> {
    const letGo = this.#handleSignals();
    try {
      while (!this.#leave.signal.aborted) {
        this.#takeAll();
        if (this.#call.flags.once && this.#jobs.size === 0) break;
        await this.#pause();
      }
    } finally {
      this.#leave.abort();
      await Promise.all(this.#jobs);
      letGo();
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Until a job has ended, it is to leave, or it is time to look again. */
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

  /** As many as there is room for. */
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
        throw new StoreError('io', `${line(this.#store.file)} was moved, deleted or replaced`);
      // When nothing goes on.
      this.#unattended.refresh();
    }
    try {
      return this.#store.takeQueued();
    } catch (error) {
      if (error instanceof StoreError && error.code === 'busy') return undefined;
      throw error;
    }
  }

  /** Never rejects. */
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

  /** @throws StoreError where the database is no longer to be worked with */
  async #tryTo(journal: Journal): Promise<void> {
    const { run } = journal;
    try {
      this.#tell(run, await keeping(this.#store, run, () => this.#workOn(journal)));
    } catch (error) {
      if (error instanceof StoreError && !OF_ONE_RUN.has(error.code)) throw error;
      // It is the same for every worker, until a person has seen to it.
      this.#store.dequeue(run);
      const next = error instanceof DeliberateError ? error.next : undefined;
      const why = error instanceof Error ? error.message : String(error);
      this.#sayEnd(run, `failed: ${line(why)}`, next);
    }
  }

  async #workOn(journal: Journal): Promise<Ending> {
    const { signal } = this.#leave;
    let held: Held | undefined;
    const handBack = (): void => held?.session.handBack();
    try {
      const run = await this.#unattended.open(this.#store, journal);
      held = await hold(run, run.call.flags.yes ? 'by default' : 'some day');
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
        const one = KERNEL.own(fact);
        if (one?.type === 'gate.answered') this.#waiting.delete(journal);
        if (one?.type !== 'gate.opened') return;
        this.#waiting.add(journal);
        const choices = one.options.map(({ value }) => line(value)).join('|');
        const [question = ''] = one.prompt.split('\n');
        this.#say(
          `run ${id} asks: ${line(question)} ${startedAs(this.#call.env)} answer ${id} ${choices}`,
        );
        // There may be room for another one now.
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
    out.write(flags.json ? jsonLine(summary) : `${rowOf(summary, width)}\n`);
    if (status !== 'done')
      this.#sayEnd(run, reason === undefined ? status : `${status}: ${line(reason)}`);
  }

  #sayEnd(run: string, how: string, next?: string): void {
    const id = shortId(run);
    const said = how.replace(/\.$/, '');
    this.#say(`run ${id} ${said}. ${next ?? `${startedAs(this.#call.env)} resume ${id}`}`);
  }

  #say(text: string): void {
    if (!this.#call.flags.quiet) this.#call.err.write(`${text}\n`);
  }

  /** Once gives back what is at work; a second Ctrl-C ends it at once, which loses nothing recorded. */
  #handleSignals(): () => void {
    const end = (): void => this.#end();
    const interrupt = (): void => {
      if (this.#leave.signal.aborted) process.exit(130);
      if (this.#jobs.size > 0)
        this.#say('Returning runs to the queue; press again to quit at once.');
      end();
    };
    const { out } = this.#call;
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
}
