/** Implements the durable run of `handle.ts`, and what a person does to a running attempt. */
import { randomUUID } from 'node:crypto';
import { type CallParts, RunningCalls } from './attempt/calls.ts';
import { Recorder } from './attempt/recorder.ts';
import { ASSUMED_OUTPUT, BUDGET_GATE, budgetQuestion } from './budget.ts';
import { identifyCall, isCall, type Reply, replyFromFact } from './call.ts';
import { computeDigest } from './digest.ts';
import { waitUntil } from './duration.ts';
import { RunStopped, TimeIsUp } from './errors.ts';
import { type Control, fact, KERNEL } from './facts.ts';
import type {
  Answerer,
  AskOptions,
  GateAnswer,
  GateQuestion,
  GivenControl,
  Retry,
  Run,
  WorkContext,
} from './handle.ts';
import { type ModelRequest, NO_USAGE } from './model.ts';
import { Consent } from './providers/consent.ts';
import { estimateTokens, textsOf } from './tokens.ts';
import type { AnyBody } from './vocabulary.ts';

interface RunParts extends CallParts {
  readonly answer: Answerer;
  /** Inputs of a person that an earlier attempt recorded and did not take. */
  readonly pendingInput?: readonly GivenControl[];
  /** Returns the protocol's sentence on the state of the work; empty if it has none. */
  readonly standing?: () => string;
}

/** The key of the step that records that `within` reached its time limit. */
const TIME_IS_UP = 'time-is-up';

/**
 * One attempt at a run: makes the run that the protocol sees, and lets a person stop, pause or
 * retry parts of it.
 */
export class RunAttempt {
  readonly #parts: RunParts;
  readonly #recorder: Recorder;
  readonly #stop = new AbortController();
  #stopped: RunStopped | undefined;
  readonly #active = new Map<string, Promise<unknown>>();
  readonly #calls: RunningCalls;
  readonly #retries = new Map<string, (retry: Retry) => void>();
  #budgetGate: Promise<string> | undefined;
  readonly #consent: Consent;
  #given: GivenControl[];
  #rest: { readonly over: Promise<void>; readonly end: () => void } | undefined;

  constructor(parts: RunParts) {
    this.#parts = parts;
    this.#given = [...(parts.pendingInput ?? [])];
    this.#recorder = new Recorder(parts.journal, parts.bus);
    this.#calls = new RunningCalls(parts, this.#recorder);
    this.#consent = new Consent(parts, (...gate) => this.handle().gate(...gate));
  }

  /**
   * Returns the run as its protocol sees it, with `prefix` before every key. `limit` is a signal
   * that ends the steps under these keys early; default: the signal that stops the whole run.
   */
  handle(prefix = '', limit: AbortSignal = this.#stop.signal): Run {
    const { journal, tools } = this.#parts;
    return {
      id: journal.run,
      signal: limit,
      step: (key, inputs, work) =>
        this.#once(prefix + key, () => this.#step(prefix + key, inputs, work, limit)),
      ask: (key, request, options = {}) =>
        this.#once(prefix + key, () => this.#ask(prefix + key, request, options, limit)),
      tools: tools?.offered ?? [],
      callTool: (key, seat, call, offered) =>
        this.#once(prefix + key, () =>
          this.#recorder.callTool(tools, { step: prefix + key, seat, ...call }, limit, offered),
        ),
      gate: async (key, question) => (await this.#gate(prefix + key, question, limit)).answer,
      decide: (key, question) => this.#gate(prefix + key, question, limit),
      takeInput: (key) => this.#once(prefix + key, () => this.#takeInput(prefix + key, limit)),
      price: (model, usage) => this.#parts.models.price(model, usage),
      scope: (name) => this.handle(`${prefix}${name}/`, limit),
      within: (name, ms, work, { again = false } = {}) => {
        if (again) journal.forget(`${prefix}${name}/${TIME_IS_UP}`);
        return this.#within(`${prefix}${name}/`, ms, work, limit);
      },
      spent: (of) => this.#recorder.sumSpent(prefix, of),
      again: (seat, until) => this.#again(seat, until),
      wait: (key, ms, begin, until) => this.#wait(prefix + key, ms, begin, until, limit),
    };
  }

  /** Aborts every running call at its server. No further step begins. Only the first call of `stop` counts. */
  stop(reason: RunStopped = new RunStopped('user')): void {
    if (this.#stopped !== undefined) return;
    this.#stopped = reason;
    this.goOn();
    this.#stop.abort(reason);
  }

  /** The reason why the run was stopped; undefined if it was not stopped. */
  get stopped(): RunStopped | undefined {
    return this.#stopped;
  }

  /** Passes a person's input to the protocol, for its next `takeInput`. */
  give(given: GivenControl): void {
    this.#given.push(given);
  }

  /** Lets running calls finish and starts no further call until `goOn` or `stop` is called. */
  pause(): void {
    if (this.#rest !== undefined || this.#stopped !== undefined) return;
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    this.#rest = { over, end };
  }

  /** Continues a paused run. */
  goOn(): void {
    this.#rest?.end();
    this.#rest = undefined;
  }

  /** Whether the run is paused. */
  get paused(): boolean {
    return this.#rest !== undefined;
  }

  /** Stops the running calls of a seat. Returns false if the seat has none. */
  stopSeat(seat: string): boolean {
    return this.#calls.stop(seat);
  }

  /**
   * Asks a seat again whose call failed or was stopped, with another model if `model` is given.
   * Returns false if the protocol is not waiting for such a request.
   */
  retrySeat(seat: string, model?: string): boolean {
    const retry = this.#retries.get(seat);
    retry?.(model === undefined ? {} : { model });
    return retry !== undefined;
  }

  /** Resolves when no step is running whose key begins with `prefix`. */
  async idle(prefix = ''): Promise<void> {
    for (;;) {
      const active = [...this.#active].filter(([step]) => step.startsWith(prefix));
      if (active.length === 0) return;
      await Promise.allSettled(active.map(([, running]) => running));
    }
  }

  /** Runs a step unless one with the same key is running, which is a defect of the protocol. */
  #once<T>(step: string, work: () => Promise<T>): Promise<T> {
    if (this.#active.has(step)) return Promise.reject(new Error(`step ${step} is already running`));
    const running = work().finally(() => this.#active.delete(step));
    // `catch` marks the step's error as handled. Otherwise, Node would report it as unhandled if the protocol
    // does not await the step yet.
    this.#active.set(
      step,
      running.catch(() => undefined),
    );
    return running;
  }

  async #step<T>(
    step: string,
    inputs: unknown,
    work: (context: WorkContext) => T | Promise<T>,
    limit: AbortSignal,
  ): Promise<T> {
    const hash = computeDigest(inputs);
    const known = this.#recorder.recall(step, hash);
    if (known.record !== undefined) return known.record.result as T;
    limit.throwIfAborted();
    const attempt = randomUUID();
    // Local work costs nothing, so its beginning is recorded only together with its end. A call's beginning is
    // recorded before the call is sent, since the call may be billed even if the process dies.
    const started = fact('step.started', { step, attempt, kind: 'work', ...known.stale });
    const emitted: AnyBody[] = [];
    let result: T;
    try {
      result = await work({ emit: (body) => emitted.push(body), signal: limit });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#recorder.note([started, fact('step.failed', { step, attempt, message })]);
      // If the run was stopped or its time limit reached, throw that reason to the protocol. The recorded failure,
      // such as an AbortError, may be only its consequence.
      limit.throwIfAborted();
      throw error;
    }
    this.#recorder.commit({ step, hash, result: result ?? null }, [
      started,
      ...emitted,
      fact('step.completed', { step, attempt }),
    ]);
    return result;
  }

  /** Runs `work` below `prefix` until it is done or the time limit is reached. */
  async #within<T>(
    prefix: string,
    ms: number,
    work: (run: Run) => Promise<T>,
    outer: AbortSignal,
  ): Promise<T | undefined> {
    const step = prefix + TIME_IS_UP;
    const hash = computeDigest({ ms });
    if (this.#recorder.recall(step, hash).record !== undefined) return undefined;
    outer.throwIfAborted();
    const late = new TimeIsUp(ms);
    const clock = new AbortController();
    const timer = setTimeout(() => clock.abort(late), ms);
    try {
      const done = await work(this.handle(prefix, AbortSignal.any([outer, clock.signal])));
      // If the limit `ms` of `work` was reached, drop the result of `work`: calls that it rests on may be cut off.
      if (!clock.signal.aborted) return done;
    } catch (error) {
      if (error !== late) throw error;
    } finally {
      clearTimeout(timer);
    }
    // Wait until the partial answers of stopped calls are recorded, then record that the limit was reached.
    await this.idle(prefix);
    await this.#once(step, () => this.#step(step, { ms }, () => null, outer));
    return undefined;
  }

  async #ask(
    step: string,
    request: ModelRequest,
    options: AskOptions,
    limit: AbortSignal,
  ): Promise<Reply> {
    const asked = identifyCall(request, this.#parts.models);
    if (options.again) this.#parts.journal.forget(step);
    const known = this.#recorder.recall(step, asked.hash, asked.prompt);
    const recorded = known.record?.facts().findLast(isCall);
    if (recorded !== undefined) return replyFromFact(recorded);
    await this.#rest?.over;
    limit.throwIfAborted();
    const mayRunUnsandboxed = await this.#consent.isGiven(request.seat.model);
    const release = await this.#reserve(request);
    try {
      limit.throwIfAborted();
      return await this.#calls.make(
        step,
        asked,
        { ...options, mayRunUnsandboxed },
        known.stale,
        limit,
      );
    } finally {
      release();
    }
  }

  #gate(step: string, question: GateQuestion, limit: AbortSignal): Promise<GateAnswer> {
    return this.#once(step, async () => {
      // Identify the gate by its options and its default, since the prompt may contain figures that change
      // between attempts.
      const hash = computeDigest({ options: question.options, default: question.default });
      const known = this.#recorder.recallGate(step, hash, question.prompt);
      if (known.record !== undefined) {
        const answered = known.record.facts().findLast(KERNEL.is('gate.answered'));
        return { answer: known.record.result as string, by: answered?.by ?? 'default' };
      }
      limit.throwIfAborted();
      const attempt = randomUUID();
      this.#recorder.note([
        fact('step.started', { step, attempt, kind: 'gate', ...known.stale }),
        fact('gate.opened', { step, ...question, options: [...question.options] }),
      ]);
      const { answer, by } = await this.#parts.answer(step, question, limit);
      this.#recorder.commit({ step, hash, result: answer }, [
        fact('gate.answered', { step, answer, by }),
        fact('step.completed', { step, attempt }),
      ]);
      return { answer, by };
    });
  }

  #takeInput(step: string, limit: AbortSignal): Promise<readonly Control[]> {
    return this.#step(
      step,
      null,
      ({ emit }) => {
        const given = this.#given.splice(0);
        const ids = given.map(({ id }) => id);
        if (ids.length > 0) emit(fact('control.heeded', { step, ids }));
        return given.map(({ control }) => control);
      },
      limit,
    );
  }

  async #again(seat: string, until: Promise<unknown>): Promise<Retry | false> {
    if (this.#stopped !== undefined) return false;
    const wanted = new Promise<Retry>((resolve) => this.#retries.set(seat, resolve));
    try {
      const returnFalse = (): false => false;
      return await Promise.race([wanted, until.then(returnFalse, returnFalse)]);
    } finally {
      this.#retries.delete(seat);
    }
  }

  async #wait(
    step: string,
    ms: number,
    begin: (until: string) => AnyBody,
    until: Promise<unknown>,
    limit: AbortSignal,
  ): Promise<boolean> {
    const over = await this.#once(step, () =>
      this.#step(
        step,
        null,
        ({ emit }) => {
          const moment = new Date(Date.now() + ms).toISOString();
          emit(begin(moment));
          return moment;
        },
        limit,
      ),
    );
    if (limit.aborted) return false;
    return waitUntil(over, until, limit);
  }

  /** Reserves a call's estimated cost. If it may exceed the budget, asks the person once for all calls. */
  async #reserve({ seat, messages, maxTokens: output = ASSUMED_OUTPUT }: ModelRequest) {
    const { models, standing } = this.#parts;
    const own = models.ownPrompt?.(seat.model) ?? 0;
    const input = own + estimateTokens(seat.brief + messages.flatMap(textsOf).join('\n'));
    const usd = models.price(seat.model, { ...NO_USAGE, input, output });
    for (;;) {
      const reserved = this.#parts.budget.reserve({ tokens: input + output, usd }, seat.model);
      if (typeof reserved === 'function') return reserved;
      const gate = BUDGET_GATE + this.#parts.budget.name;
      this.#budgetGate ??= this.handle().gate(gate, budgetQuestion(reserved, standing?.() ?? ''));
      const answer = await this.#budgetGate;
      if (answer !== 'go-on') {
        // Forget the recorded answer, so that a later attempt asks the person again.
        this.#parts.journal.forget(gate);
        this.stop(new RunStopped('budget', reserved));
        throw this.#stopped;
      }
      this.#parts.budget.lift();
    }
  }
}
