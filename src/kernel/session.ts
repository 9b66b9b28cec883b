/**
 * A run that this process works on, attempt after attempt. An attempt begins with a request (convene,
 * retry, resynthesize, follow-up, weigh), which is recorded in `run.started` or `run.resumed`. The attempt
 * runs the protocol from the top and ends with `run.ended`.
 *
 * A protocol is a function of its settings, the request, and the log at the beginning of the attempt
 * (`context.past`). An attempt treats the calls on record as follows:
 * - A finished call returns its recorded answer. The model is never asked again.
 * - A stopped call is not a result. The next attempt asks again.
 * - A failed call counts as a result once something was built on the failure. Other failures are forgotten
 *   when a later attempt begins. Protocols add their own rules (`unsettled`).
 * A request that is repeated because its attempt never ended counts as the same attempt, and keeps what that
 * attempt decided, such as a quorum.
 *
 * A worker that has to quit stops its calls and records them, but does not record `run.ended` (`handBack`),
 * so that the attempt goes on in another process.
 */

import { randomUUID } from 'node:crypto';
import { Budget, type Limits } from './budget.ts';
import { Bus } from './bus.ts';
import { isCall } from './call.ts';
import { RunStopped, StoreError } from './errors.ts';
import {
  type Caller,
  type Control,
  fact,
  iterationNoted,
  KERNEL,
  type Request,
  type Source,
} from './facts.ts';
import type { Answerer, GivenControl } from './handle.ts';
import type { Chunk, Journal } from './journal.ts';
import type { Models, Seat } from './model.ts';
import { refuseSeats } from './names.ts';
import type { Protocol } from './protocol.ts';
import { RunAttempt } from './run.ts';
import { isOfTurns, type Tools } from './tools/tools.ts';
import type { Workshop } from './tools/workshop.ts';
import { viewOf } from './view.ts';
import type { AnyBody, AnyFact } from './vocabulary.ts';

/** How often running calls' text is kept for other processes and for the day after a crash. */
const KEEP_MS = 500;

/** What the first attempt of a run is asked for. */
const FIRST: Request = { kind: 'convene' };

/** By the protocol's own rule, or the one for all. */
export function failuresToAskAgain(
  protocol: Protocol,
  facts: readonly AnyFact[],
  config: unknown = viewOf(facts).config,
): readonly string[] {
  return protocol.unsettled?.(facts, config) ?? unsettledFailures(facts);
}

/** How an attempt ended. */
export interface Ending {
  readonly status: 'done' | 'stopped' | 'failed';
  readonly reason?: string | undefined;
}

interface SessionParts {
  readonly journal: Journal;
  readonly models: Models;
  readonly protocol: Protocol;
  readonly limits?: Limits;
  readonly answer: Answerer;
  /** What seats may look things up with. */
  readonly tools?: Tools | undefined;
  /** Where a team's work is done; only of runs that have such a place. */
  readonly workshop?: Workshop | undefined;
  /** Of a protocol that lies in somebody's own file: recorded with every attempt. */
  readonly source?: Source | undefined;
  /** Whose trace the attempts of this process belong to: recorded with each. */
  readonly caller?: Caller | undefined;
}

/** What a new run is about. */
export interface Opening {
  readonly question: string;
  readonly seats: readonly Seat[];
  readonly config: Record<string, unknown>;
  readonly parent?: string;
  /** Failed calls of the parent that are not taken over: they are asked again. */
  readonly again?: readonly string[];
}

export class Session {
  /** News of the run. It lives on from attempt to attempt. */
  readonly feed: Bus = new Bus();
  readonly #parts: SessionParts;
  readonly #budget: Budget;
  #live: RunAttempt | undefined;
  #ending: Promise<Ending> | undefined;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#budget = new Budget(parts.limits);
    for (const one of parts.journal.facts()) this.#count(one);
  }

  get run(): string {
    return this.#parts.journal.run;
  }

  get live(): boolean {
    return this.#live !== undefined;
  }

  /** The first attempt of a new run. */
  begin(opening: Opening): Promise<Ending> {
    this.open(opening);
    return this.#begun(FIRST);
  }

  /**
   * Records `run.started`. The first attempt is begun by `start`, in this process or in another one.
   *
   * @throws UsageError if a seat has an invalid id or role; a fork's seats are its parent's and not checked
   */
  open(opening: Opening): void {
    const { question, seats, config, parent, again = [] } = opening;
    if (parent === undefined) refuseSeats(seats);
    // Before the run is said to have begun: killed in between, it would take the failures over.
    for (const step of again) this.#parts.journal.forget(step);
    this.#note([
      fact('run.started', {
        protocol: this.#parts.protocol.name,
        question,
        seats: [...seats],
        config,
        request: FIRST,
        ...(parent === undefined ? {} : { parent }),
        ...this.#origin(),
      }),
    ]);
  }

  /** The first attempt of a run that was opened, and nothing more. */
  start(): Promise<Ending> {
    return this.#begun(FIRST);
  }

  /**
   * A later attempt. @throws Error while another one is going on; z.ZodError where the protocol knows
   * no such request.
   */
  resume(request: Request): Promise<Ending> {
    if (this.#live !== undefined) throw new Error('an attempt is already in progress');
    this.record(request);
    return this.#begun(request);
  }

  /** Records what is asked of the run, for whoever works on it next. @throws as `resume` does */
  record(request: Request): void {
    const { journal, protocol } = this.#parts;
    protocol.requests.parse(request);
    for (const step of failuresToAskAgain(protocol, journal.facts())) journal.forget(step);
    this.#note([fact('run.resumed', { request, ...this.#origin() })]);
  }

  /** Aborts every stream at its server and keeps what was said. Nothing new begins. */
  stop(): void {
    this.#live?.stop();
  }

  /** Tells the run something; it is recorded at once and taken where the protocol next asks for it. */
  tell(control: Control): void {
    this.#parts.protocol.controls?.parse(control);
    const id = randomUUID();
    this.#note([fact('control.given', { id, control })]);
    this.#live?.give({ id, control });
  }

  /** Adds a person's line to the iteration log, whether the run goes on or not. @throws as `iterationNoted` does */
  noteIteration(text: string): void {
    this.#note([iterationNoted(text)]);
  }

  /** Records a fact that a person adds to the run, whether the run is at work or not. */
  say(body: AnyBody): void {
    this.#note([body]);
  }

  /** Lets running calls end and begins no other; a second time: goes on. Returns whether it rests. */
  pause(): boolean {
    if (this.#live?.paused) this.#live.goOn();
    else this.#live?.pause();
    return this.#live?.paused ?? false;
  }

  stopSeat(seat: string): boolean {
    return this.#live?.stopSeat(seat) ?? false;
  }

  retrySeat(seat: string, model?: string): boolean {
    return this.#live?.retrySeat(seat, model) ?? false;
  }

  /**
   * As `stop`, but the attempt is not over with it: whoever takes the run next goes on with it, as after
   * a crash.
   */
  handBack(): void {
    this.#live?.stop(new RunStopped('handed-back'));
  }

  /** Stops what is going on, waits until it is recorded and gives the run back. */
  async close(): Promise<void> {
    this.stop();
    await Promise.allSettled([this.#ending]);
    this.feed.flush();
    this.#parts.journal.release();
  }

  #origin(): { source?: Source; caller?: Caller } {
    const { source, caller } = this.#parts;
    return {
      ...(source === undefined ? {} : { source }),
      ...(caller === undefined ? {} : { caller }),
    };
  }

  #begun(request: Request): Promise<Ending> {
    this.#ending = this.#attempt(request);
    return this.#ending;
  }

  async #attempt(request: Request): Promise<Ending> {
    try {
      return await this.#work(request);
    } finally {
      await this.#parts.models.endRun?.(this.run);
    }
  }

  async #work(request: Request): Promise<Ending> {
    const { journal, models, protocol, answer, tools, workshop } = this.#parts;
    const live = new RunAttempt({
      journal,
      models,
      answer,
      tools,
      longPauses: protocol.longPauses,
      bus: this.feed,
      budget: this.#budget,
      pendingInput: pendingInput(journal.facts()),
      standing: () => protocol.standing?.(journal.facts()) ?? '',
    });
    this.#live = live;
    const facts = journal.facts();
    const past = viewOf(facts);
    const forgetKeeper = this.#keepChunks();
    let ending: Ending;
    try {
      const config = protocol.config.parse(past.config);
      const { question, seats } = past;
      const outcome = await protocol.execute(live.handle(), {
        question,
        seats,
        config,
        request: protocol.requests.parse(request),
        past,
        facts,
        ...(workshop === undefined ? {} : { workshop }),
      });
      ending = live.stopped ? stoppedBy(live.stopped) : outcome;
    } catch (error) {
      // Calls that still run must be stopped and recorded before the run can be called ended.
      live.stop(error instanceof RunStopped ? error : undefined);
      await live.idle();
      forgetKeeper();
      if (!(error instanceof RunStopped)) {
        const reason = error instanceof Error ? error.message : String(error);
        this.#end({ status: 'failed', reason });
        throw error;
      }
      ending = stoppedBy(error);
    }
    await live.idle();
    forgetKeeper();
    if (live.stopped?.reason === 'handed-back') this.#live = undefined;
    else this.#end(ending);
    return ending;
  }

  #end(ending: Ending): void {
    this.#live = undefined;
    const { status, reason } = ending;
    this.#note([fact('run.ended', { status, ...(reason === undefined ? {} : { reason }) })]);
  }

  #keepChunks(): () => void {
    const chunks = new Map<string, Chunk>();
    const requests = new Map<string, number>();
    const flush = (): void => {
      if (chunks.size === 0) return;
      try {
        this.#parts.journal.keep([...chunks.values()]);
        chunks.clear();
      } catch (error) {
        // No reason to end the process: it is tried again, and a fact that finds no room will say so.
        if (!(error instanceof StoreError)) throw error;
      }
    };
    const forget = this.feed.subscribe({
      live: (news) => {
        if (news.type === 'sent') {
          // Another request: what the one before it said no longer counts.
          requests.set(news.step, news.attempt);
          chunks.delete(news.step);
        }
        if (news.type !== 'text' && news.type !== 'thinking') return;
        const before = chunks.get(news.step);
        chunks.set(news.step, {
          step: news.step,
          attempt: `${news.call}#${requests.get(news.step) ?? 1}`,
          text: (before?.text ?? '') + (news.type === 'text' ? news.text : ''),
          thinking: (before?.thinking ?? '') + (news.type === 'thinking' ? news.text : ''),
        });
      },
      fact: (one) => {
        if (isCall(one)) chunks.delete(one.step);
      },
    });
    const timer = setInterval(flush, KEEP_MS);
    return () => {
      clearInterval(timer);
      forget();
    };
  }

  #count(one: AnyFact): void {
    if (isCall(one) && one.inherited !== true) this.#budget.spend(one.usage, one.costUsd);
  }

  #note(facts: Parameters<Journal['note']>[0]): void {
    this.feed.facts(this.#parts.journal.note(facts));
  }
}

function stoppedBy(error: RunStopped): Ending {
  return error.reason === 'user'
    ? { status: 'stopped' }
    : { status: 'stopped', reason: error.message };
}

/** What a person said that no attempt has taken into account yet. */
export function pendingInput(log: readonly AnyFact[]): GivenControl[] {
  const facts = log.filter(KERNEL.owns);
  const heeded = new Set(facts.flatMap((one) => (one.type === 'control.heeded' ? one.ids : [])));
  return facts.flatMap((one) =>
    one.type === 'control.given' && !heeded.has(one.id)
      ? [{ id: one.id, control: one.control }]
      : [],
  );
}

/** What `unsettledFailures` is told beside the log. */
interface Settling {
  /**
   * False where local work is worked out anew from what it is made of, and costs nothing: only calls
   * and answers of a person then count as built on a failure.
   */
  readonly byWork?: boolean;
  /** The place in the log up to which everything is taken as settled. */
  readonly upTo?: number;
}

/**
 * Recorded failures that nothing was built on: no step that began after them has finished. These are
 * worth another try when somebody comes back to the run; the others were decided upon, and changing
 * them would make everything after them stale.
 */
export function unsettledFailures(
  facts: readonly AnyFact[],
  { byWork = true, upTo = 0 }: Settling = {},
): string[] {
  const startedAt = new Map<string, number>();
  let lastBuilt = upTo;
  const failures = new Map<string, number>();
  for (const one of facts.filter(KERNEL.owns)) {
    if (one.type === 'step.started')
      startedAt.set(one.step, byWork || one.kind !== 'work' ? one.seq : 0);
    if (one.type === 'call.failed') failures.set(one.step, one.seq);
    if (one.type === 'call.completed') failures.delete(one.step);
    // Whoever forked the run took the failure over as it is.
    if (one.type === 'step.completed' && one.inherited !== undefined) failures.delete(one.step);
    // A seat's turns are built on its own turns before them, whoever else failed meanwhile.
    if (one.type === 'step.completed' && isOfTurns(one.step)) continue;
    if (one.type === 'step.completed' && !failures.has(one.step))
      lastBuilt = Math.max(lastBuilt, startedAt.get(one.step) ?? 0);
  }
  return [...failures].filter(([, seq]) => seq > lastBuilt).map(([step]) => step);
}
