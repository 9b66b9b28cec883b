/**
 * Collects the requests of several runs and sends them as one batch. Runs and providers work as they do
 * without batches, except that the provider's `fetch` is replaced: it hands each request to the collector,
 * which later returns the answer as a stream of events. So usage, refusals, retries and schemas are handled
 * by the same code.
 *
 * When every run waits for an answer and no run is about to begin, the waiting requests become one wave. The
 * collector records the wave (tables `wave` and `wave_call`), sends it and waits for it. A request's name is
 * the digest of its run, step, attempt and body, so a request that is repeated after a stop finds its wave,
 * and nothing is sent twice.
 */
import { setMaxListeners } from 'node:events';
import { v7 as uuidv7 } from 'uuid';
import { computeDigest } from '../../kernel/digest.ts';
import { DeliberateError } from '../../kernel/errors.ts';
import type { ModelSpec } from '../../kernel/model.ts';
import { splitSpec } from '../../kernel/providers/spec.ts';
import { type Failure, ProviderFailure } from '../failure.ts';
import { type Batches, MISSING, type Sender } from './batches.ts';
import { type FollowerParts, WaveFollower } from './follow-wave.ts';
import { groupRequests, type Waiter } from './groups.ts';

interface CollectorParts extends FollowerParts {
  readonly batches: (model: ModelSpec) => Batches | undefined;
}

/** A run that takes part in the collecting, from `enter` to `leave`. */
interface CollectedRun {
  /** The run's id, once it has one. */
  run: string | undefined;
}

/** Milliseconds without a new request after which a wave is sent; later requests go with the next one. */
const SETTLE_MS = 250;
/** How often a wave that does not arrive is sent. */
const MOST_TRIES = 5;
/** Failures that mean that the server has accepted nothing. */
const REFUSALS: ReadonlySet<Failure['code']> = new Set([
  'auth',
  'payment',
  'not-found',
  'rejected',
  'redirected',
  'too-long',
]);

/**
 * Collects requests of many calls, sends them as waves (batches), and gives each call its answer.
 */
export class Collector {
  /** Rejects with the error that ends the whole collection, and never resolves. */
  readonly failure: Promise<never>;
  readonly #fail: (error: unknown) => void;
  readonly #parts: CollectorParts;
  readonly #stays = new Set<CollectedRun>();
  /** All requests that wait for an answer, by id. */
  readonly #waiting = new Map<string, Waiter>();
  /** The waiting requests that are not sent yet. */
  readonly #pending = new Set<Waiter>();
  /** How often a call was sent without arriving, by its key. */
  readonly #tries = new Map<string, number>();
  readonly #attended = new Map<string, Promise<void>>();
  readonly #submitting = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();
  readonly #follower: WaveFollower;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: CollectorParts) {
    this.#parts = parts;
    // Allow any number of listeners: every wave adds one to the signal, and Node warns above ten.
    setMaxListeners(0, this.#closing.signal);
    this.#follower = new WaveFollower(parts, this.#closing.signal);
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => undefined);
    this.failure = promise;
    this.#fail = (error) => {
      if (!this.#closing.signal.aborted) reject(error);
    };
  }

  /**
   * Sends a request with the next wave and waits for its answer, see `Sender`. Rejects if the request
   * fails or is stopped.
   */
  readonly send: Sender = async ({ context, model, attempt }, url, body, signal) => {
    const batches = this.#parts.batches(model);
    const { run, step } = context;
    if (batches === undefined || run === undefined || step === undefined)
      throw new Error(`no batches for ${model}`);
    const path = pathOf(url);
    const whole = withoutStreaming(body);
    const key = computeDigest([model, path, run, step, attempt, whole]);
    const answer = await this.#answer(
      { key, run, step, model, path, body: whole, batches },
      signal,
    );
    return batches.replay(answer, splitSpec(model).model);
  };

  /**
   * Registers a run that may send requests. The caller sets the result's `run` when the run has an
   * id.
   */
  enter(): CollectedRun {
    const stay: CollectedRun = { run: undefined };
    this.#stays.add(stay);
    return stay;
  }

  /** Removes a run, which will send no more requests. `stay` is the result of `enter`. */
  leave(stay: CollectedRun): void {
    this.#stays.delete(stay);
    this.#consider();
  }

  /** Waits for the waves that are being sent, and stops waiting for answers. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    while (this.#submitting.size > 0) await Promise.allSettled(this.#submitting);
  }

  #answer(asked: Omit<Waiter, 'id' | 'resolve' | 'wave'>, signal: AbortSignal): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    signal.throwIfAborted();
    try {
      const known = this.#parts.log.find(asked.key);
      if (known?.answer != null) return Promise.resolve(known.answer);
      const id =
        known?.id ?? computeDigest([asked.key, this.#parts.log.spentOf(asked.key)]).slice(0, 48);
      const waiter: Waiter = { ...asked, id, resolve, wave: known?.wave };
      this.#waiting.set(id, waiter);
      signal.addEventListener(
        'abort',
        () => {
          if (this.#waiting.get(id) === waiter) this.#waiting.delete(id);
          this.#pending.delete(waiter);
          reject(signal.reason);
        },
        { once: true },
      );
      if (known === undefined) this.#pending.add(waiter);
      else this.#attend(known.wave, asked.batches);
    } catch (error) {
      // A call that failed here ends when its `signal` aborts: rejecting `failure` ends the evaluation's work.
      this.#fail(error);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    }
    this.#consider();
    return promise;
  }

  #consider(): void {
    clearTimeout(this.#timer);
    if (this.#pending.size === 0 || this.#closing.signal.aborted) return;
    this.#timer = setTimeout(() => this.#settle(), SETTLE_MS);
  }

  /** Sends the pending requests, unless a run that waits for no answer may still add one. */
  #settle(): void {
    const waiting = new Set([...this.#waiting.values()].map(({ run }) => run));
    for (const { run } of this.#stays) if (run === undefined || !waiting.has(run)) return;
    const groups = groupRequests([...this.#pending]);
    this.#pending.clear();
    for (const group of groups) void this.#submit(group).catch(this.#fail);
  }

  async #submit(group: readonly Waiter[]): Promise<void> {
    const [first] = group;
    if (first === undefined) return;
    const { log, redact, tell } = this.#parts;
    const { batches, model } = first;
    const { provider } = splitSpec(model);
    const at = new Date().toISOString();
    const wave = { id: uuidv7(), provider, at, requests: group.length };
    log.begin(wave, group);
    for (const waiter of group) waiter.wave = wave.id;
    const submitting = batches.submit(wave, group, new AbortController().signal);
    this.#submitting.add(submitting);
    try {
      log.name(wave.id, await submitting);
      tell({ type: 'sent', ...wave });
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      const { code, message, next } = error.failure;
      if (REFUSALS.has(code)) {
        log.drop(wave.id);
        throw code === 'not-found'
          ? noBatchesError(provider, redact(message))
          : new DeliberateError('batch-refused', redact(message), next && redact(next));
      }
      const tries = Math.max(...group.map(({ id }) => (this.#tries.get(id) ?? 0) + 1));
      if (tries >= MOST_TRIES)
        throw new DeliberateError(
          'batch-refused',
          `${redact(message)}, ${tries} times in a row`,
          'What was answered is kept. Go on with the same command later.',
        );
      for (const { id } of group) this.#tries.set(id, tries);
      tell({ type: 'trouble', ...wave, message: redact(message) });
    } finally {
      this.#submitting.delete(submitting);
    }
    this.#attend(wave.id, batches);
  }

  /** Follows a wave, once for all requests in it. */
  #attend(id: string, batches: Batches): void {
    if (this.#attended.has(id) || this.#closing.signal.aborted) return;
    const attending = this.#follow(id, batches)
      .finally(() => this.#attended.delete(id))
      .catch(this.#fail);
    this.#attended.set(id, attending);
  }

  async #follow(id: string, batches: Batches): Promise<void> {
    const { log, tell } = this.#parts;
    const wave = log.wave(id);
    if (wave === undefined) throw new Error(`no wave ${id}`);
    const batch = wave.batch ?? (await this.#follower.find(wave, batches));
    if (batch === undefined) {
      log.drop(id);
      for (const waiter of this.#waiting.values())
        if (waiter.wave === id) this.#pending.add(waiter);
      this.#consider();
      return;
    }
    const failed = await this.#follower.untilOver(wave, batch, batches);
    if (failed !== undefined) {
      log.drop(id);
      throw new DeliberateError(
        'batch-failed',
        this.#parts.redact(failed),
        'What was answered is kept. The same command asks for the rest again.',
      );
    }
    const missing = await this.#follower.collect(wave, batch, batches);
    tell({ ...wave, type: 'back', since: wave.at, missing });
    for (const waiter of [...this.#waiting.values()]) {
      if (waiter.wave !== id) continue;
      this.#waiting.delete(waiter.id);
      waiter.resolve(log.find(waiter.key)?.answer ?? MISSING);
    }
  }
}

function noBatchesError(provider: string, message: string): DeliberateError {
  return new DeliberateError(
    'no-batches',
    `the server of ${provider} takes no batches (${message})`,
    'Leave out --batch.',
  );
}

/** Returns the path of a URL from `/v1/` on, as batches name it. */
function pathOf(url: string): string {
  const { pathname } = new URL(url);
  const version = pathname.lastIndexOf('/v1/');
  return version < 0 ? pathname : pathname.slice(version);
}

/** Removes the fields that request a stream, as answers of a batch come whole. */
function withoutStreaming(body: string): string {
  const { stream: _, stream_options: __, ...rest } = JSON.parse(body) as Record<string, unknown>;
  return JSON.stringify(rest);
}
