/**
 * A run that this process works on, attempt after attempt. An attempt begins with a request (convene,
 * retry, resynthesize, follow-up, weigh), which is recorded in `run.started` or `run.resumed`. The attempt
 * runs the protocol from the top and ends with `run.ended`.
 *
 * A protocol is a function of its settings, the request, and the log at the beginning of the attempt
 * (`context.past`). An attempt treats the calls on record as follows:
 * - A finished call returns its recorded answer. The model is never asked again.
 * - A stopped call is not a result, and neither is one that was running when its process was killed. The next attempt
 *   asks again.
 * - A failed call counts as a result once something was built on the failure. Other failures are forgotten
 *   when a later attempt begins. Protocols add their own rules (`unsettled`).
 * A request that is repeated because its attempt never ended counts as the same attempt, and keeps what that
 * attempt decided, such as a quorum.
 *
 * A worker that has to quit stops its calls and records them, but does not record `run.ended` (`handBack`),
 * so that the attempt goes on in another process.
 */

import { randomUUID } from 'node:crypto';
import { withoutUndefined } from '../text/without-undefined.ts';
import { Budget, type Limits } from './budget.ts';
import { Bus } from './bus.ts';
import { isCall } from './call.ts';
import { RunStopped, StoreError } from './errors.ts';
import {
  type Caller,
  type Control,
  fact,
  KERNEL,
  makeIterationFact,
  type Request,
  type Source,
} from './facts.ts';
import type { Answerer, GivenControl } from './handle.ts';
import type { Chunk, Journal } from './journal.ts';
import type { Models, Seat } from './model.ts';
import { refuseSeats } from './names.ts';
import type { Protocol } from './protocol.ts';
import { RunAttempt } from './run.ts';
import type { Tools } from './tools/tools.ts';
import type { Workshop } from './tools/workshop.ts';
import { failuresToAskAgain } from './unsettled.ts';
import { viewOf } from './view.ts';
import type { AnyBody, AnyFact } from './vocabulary.ts';

/**
 * How often, in milliseconds, the text of running calls is stored for other processes and for recovery
 * after a crash.
 */
const KEEP_MS = 500;

/** The request of a run's first attempt. */
const FIRST: Request = { kind: 'convene' };

/** How an attempt ended, and the reason if there is one. */
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
  /** The tools that seats may use. */
  readonly tools?: Tools | undefined;
  /** The place where a team's work is done; only for runs that have one. */
  readonly workshop?: Workshop | undefined;
  /** The user's own protocol file; recorded with every attempt. */
  readonly source?: Source | undefined;
  /** The trace that the attempts of this process belong to; recorded with every attempt. */
  readonly caller?: Caller | undefined;
}

/** The question, seats and settings of a new run, which may be a fork. */
export interface Opening {
  readonly question: string;
  readonly seats: readonly Seat[];
  readonly config: Record<string, unknown>;
  /** The id of the run that this run was forked from; absent if it is no fork. */
  readonly parent?: string;
  /** Steps of the parent whose failed calls are asked again instead of copied. */
  readonly again?: readonly string[];
}

/**
 * The attempts that this process makes at one run. A session starts attempts, passes the person's
 * input on, and ends them.
 */
export class Session {
  /** Delivers the facts and live events of all attempts to listeners. */
  readonly feed: Bus = new Bus();
  readonly #parts: SessionParts;
  readonly #budget: Budget;
  #live: RunAttempt | undefined;
  #ending: Promise<Ending> | undefined;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#budget = new Budget(parts.limits);
    for (const fact of parts.journal.facts()) this.#count(fact);
  }

  /** The id of the run. */
  get run(): string {
    return this.#parts.journal.run;
  }

  /** Whether an attempt is running. */
  get live(): boolean {
    return this.#live !== undefined;
  }

  /** Records `run.started` and begins the first attempt. Resolves when the attempt ends. */
  begin(opening: Opening): Promise<Ending> {
    this.open(opening);
    return this.#begun(FIRST);
  }

  /**
   * Records `run.started` without beginning an attempt. `start` begins the first attempt, in this
   * process or in another one.
   *
   * @throws UsageError if a seat has an invalid id or role; the seats of a fork come from its
   * parent and are not checked
   */
  open(opening: Opening): void {
    const { question, seats, config, parent, again = [] } = opening;
    if (parent === undefined) refuseSeats(seats);
    // A fork forgets the parent's failed steps that it is to repeat (`again`) before `run.started` is recorded. So
    // it never copies those failures, even if the process dies in between.
    for (const step of again) this.#parts.journal.forget(step);
    this.#note([
      fact('run.started', {
        protocol: this.#parts.protocol.name,
        question,
        seats: [...seats],
        config,
        request: FIRST,
        ...withoutUndefined({ parent }),
        ...this.#origin(),
      }),
    ]);
  }

  /** Begins the first attempt of a run that `open` has recorded. Resolves when the attempt ends. */
  start(): Promise<Ending> {
    return this.#begun(FIRST);
  }

  /**
   * Begins a later attempt. Resolves when the attempt ends.
   * @throws Error if another attempt is running; z.ZodError if the protocol does not know the
   * request
   */
  resume(request: Request): Promise<Ending> {
    if (this.#live !== undefined) throw new Error('an attempt is already in progress');
    this.record(request);
    return this.#begun(request);
  }

  /**
   * Records a request without beginning an attempt, for the process that works on the run next. Failed calls
   * that are to be made again are marked as not finished.
   * @throws z.ZodError if the protocol does not know the request
   */
  record(request: Request): void {
    const { journal, protocol } = this.#parts;
    protocol.requests.parse(request);
    for (const step of failuresToAskAgain(protocol, journal.facts())) journal.forget(step);
    this.#note([fact('run.resumed', { request, ...this.#origin() })]);
  }

  /** Aborts every call at its server and records the partial answers. No further step begins. */
  stop(): void {
    this.#live?.stop();
  }

  /**
   * Records a person's input to the run at once. The protocol gets the input from its next `takeInput`.
   * @throws z.ZodError if the input does not fit the protocol's schema `controls`; an Error if it has none
   */
  tell(control: Control): void {
    const { name, controls } = this.#parts.protocol;
    if (controls === undefined) throw new Error(`the protocol ${name} accepts no input`);
    controls.parse(control);
    const id = randomUUID();
    this.#note([fact('control.given', { id, control })]);
    this.#live?.give({ id, control });
  }

  /**
   * Adds a person's line to the run's iteration log, during or after an attempt.
   * @throws UsageError if the text has no words or is too long, see `makeIterationFact`
   */
  noteIteration(text: string): void {
    this.#note([makeIterationFact(text)]);
  }

  /** Records a fact that a person adds to the run, during or after an attempt. */
  say(body: AnyBody): void {
    this.#note([body]);
  }

  /**
   * Pauses the running attempt, so that running calls finish and no other call begins, or continues a
   * paused one. Returns whether the attempt is paused now; false if none is running.
   */
  pause(): boolean {
    if (this.#live?.paused) this.#live.goOn();
    else this.#live?.pause();
    return this.#live?.paused ?? false;
  }

  /** Stops the running calls of a seat. Returns false if the seat has none. */
  stopSeat(seat: string): boolean {
    return this.#live?.stopSeat(seat) ?? false;
  }

  /**
   * Asks a seat again whose call failed or was stopped, with another model if `model` is given.
   * Returns false if the protocol is not waiting for such a request.
   */
  retrySeat(seat: string, model?: string): boolean {
    return this.#live?.retrySeat(seat, model) ?? false;
  }

  /**
   * Stops the calls without ending the attempt, so that the process that takes the run next
   * continues it as after a crash.
   */
  handBack(): void {
    this.#live?.stop(new RunStopped('handed-back'));
  }

  /** Stops the attempt, waits until everything is recorded, and releases the run. */
  async close(): Promise<void> {
    this.stop();
    await Promise.allSettled([this.#ending]);
    this.feed.flush();
    this.#parts.journal.release();
  }

  #origin(): { source?: Source; caller?: Caller } {
    const { source, caller } = this.#parts;
    return withoutUndefined({ source, caller });
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
        ...withoutUndefined({ workshop }),
      });
      ending = live.stopped ? stoppedBy(live.stopped) : outcome;
    } catch (error) {
      // Stop the calls that are still running and record them, before the end of the run is
      // recorded.
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
    this.#note([fact('run.ended', { status, ...withoutUndefined({ reason }) })]);
  }

  #keepChunks(): () => void {
    const chunks = new Map<string, Chunk>();
    const requests = new Map<string, number>();
    const flushChunks = (): void => {
      if (chunks.size === 0) return;
      try {
        this.#parts.journal.keep([...chunks.values()]);
        chunks.clear();
      } catch (error) {
        // Keep the text of the calls in memory, and try to store it at the next interval. If the database fails
        // for good, recording the next fact raises the error.
        if (!(error instanceof StoreError)) throw error;
      }
    };
    const forget = this.feed.subscribe({
      live: (news) => {
        if (news.type === 'sent') {
          // When a step sends a further request, such as a retry, drop the text that its last request brought.
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
      fact: (fact) => {
        if (isCall(fact)) chunks.delete(fact.step);
      },
    });
    const timer = setInterval(flushChunks, KEEP_MS);
    return () => {
      clearInterval(timer);
      forget();
    };
  }

  #count(fact: AnyFact): void {
    if (isCall(fact) && fact.inherited !== true) this.#budget.spend(fact.usage, fact.costUsd);
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

/** Returns the inputs of a person that are recorded but that no attempt has used yet. */
export function pendingInput(log: readonly AnyFact[]): GivenControl[] {
  const facts = log.filter(KERNEL.owns);
  const heeded = new Set(facts.flatMap((fact) => (fact.type === 'control.heeded' ? fact.ids : [])));
  return facts.flatMap((fact) =>
    fact.type === 'control.given' && !heeded.has(fact.id)
      ? [{ id: fact.id, control: fact.control }]
      : [],
  );
}
