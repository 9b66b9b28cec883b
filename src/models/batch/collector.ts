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
import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { digest } from '../../kernel/digest.ts';
import { DeliberateError } from '../../kernel/errors.ts';
import type { ModelSpec } from '../../kernel/model.ts';
import { splitSpec } from '../../kernel/providers/spec.ts';
import { type Failure, ProviderFailure } from '../failure.ts';
import { type Batches, MISSING, type Sender } from './batches.ts';
import { groupsOf, type Waiter } from './groups.ts';

/** A wave as it is on record. */
interface Wave {
  readonly id: string;
  readonly provider: string;
  readonly at: string;
  readonly requests: number;
  readonly batch: string | null;
}

/** Where waves are kept; what each does is said at `Waves` of the store. */
interface WaveLog {
  begin(
    wave: Omit<Wave, 'batch'>,
    calls: readonly Pick<Waiter, 'id' | 'run' | 'step' | 'key'>[],
  ): void;
  name(wave: string, batch: string): void;
  drop(wave: string): void;
  find(
    key: string,
  ): { readonly id: string; readonly wave: string; readonly answer: string | null } | undefined;
  spentOf(key: string): number;
  wave(id: string): Wave | undefined;
  idsOf(wave: string): ReadonlySet<string>;
  batchesOf(provider: string): ReadonlySet<string>;
  keep(wave: string, answers: readonly (readonly [id: string, answer: string])[]): void;
  end(wave: string): void;
}

/** What happens to a wave, for a person. */
export type WaveNews = { readonly provider: string; readonly requests: number } & (
  | { readonly type: 'sent' }
  /** Nobody knows whether it arrived: its provider is asked. */
  | { readonly type: 'sought' }
  /** `since`: ISO 8601. */
  | { readonly type: 'waits'; readonly since: string; readonly ended: number }
  | { readonly type: 'back'; readonly since: string; readonly missing: number }
  | { readonly type: 'trouble'; readonly message: string }
);

interface CollectorParts {
  readonly log: WaveLog;
  readonly batches: (model: ModelSpec) => Batches | undefined;
  /** Takes keys out of what is kept. */
  readonly conceal: (text: string) => string;
  /** And out of sentences. */
  readonly redact: (text: string) => string;
  readonly tell: (news: WaveNews) => void;
}

/** A run that waits for answers as long as it is here. */
interface Stay {
  /** Once it is known. */
  run: string | undefined;
}

/** Nothing has moved for so long: what comes a little later goes with the next wave. */
const SETTLE_MS = 250;
/** Between two looks at a batch; half as long again each time. */
const FIRST_LOOK_MS = 200;
const LONGEST_LOOK_MS = 60_000;
/**
 * A wave that its provider does not know after so long never arrived. A large one is taken in slowly, and
 * sent twice would be paid twice: for each of its requests it is given a little longer.
 */
const ARRIVES_MS = 20_000;
const ARRIVES_EACH_MS = 20;
const SEEK_MS = 1_000;
/** How often a wave is sent that does not arrive. */
const MOST_TRIES = 5;
/** Answers that are written down together. */
const PART = 500;

/** What the server says before it has accepted anything. */
const REFUSALS: ReadonlySet<Failure['code']> = new Set([
  'auth',
  'payment',
  'not-found',
  'rejected',
  'redirected',
  'too-long',
]);

export class Collector {
  /** Rejects with what ends all of it; never resolves. */
  readonly failure: Promise<never>;
  readonly #fail: (error: unknown) => void;
  readonly #parts: CollectorParts;
  readonly #stays = new Set<Stay>();
  /** Everybody who waits, by the names of their requests. */
  readonly #waiting = new Map<string, Waiter>();
  /** Those of them that nothing was sent for. */
  readonly #pending = new Set<Waiter>();
  /** How often the call was sent without arriving, by its name. */
  readonly #tries = new Map<string, number>();
  readonly #attended = new Map<string, Promise<void>>();
  readonly #submitting = new Set<Promise<unknown>>();
  /** Batches of others that looked like ours. */
  readonly #strangers = new Set<string>();
  readonly #closing = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: CollectorParts) {
    this.#parts = parts;
    // Every wave listens to it.
    setMaxListeners(0, this.#closing.signal);
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => undefined);
    this.failure = promise;
    this.#fail = (error) => {
      if (!this.#closing.signal.aborted) reject(error);
    };
  }

  /** See `Sender`. Rejects where the request failed, and when it is stopped. */
  readonly send: Sender = async ({ context, model, attempt }, url, body, signal) => {
    const batches = this.#parts.batches(model);
    const { run, step } = context;
    if (batches === undefined || run === undefined || step === undefined)
      throw new Error(`no batches for ${model}`);
    const path = pathOf(url);
    const whole = unstreamed(body);
    const key = digest([model, path, run, step, attempt, whole]);
    const answer = await this.#answer(
      { key, run, step, model, path, body: whole, batches },
      signal,
    );
    return batches.replay(answer, splitSpec(model).model);
  };

  /** A run begins. It is known by `run` as soon as it has a name. */
  enter(): Stay {
    const stay: Stay = { run: undefined };
    this.#stays.add(stay);
    return stay;
  }

  leave(stay: Stay): void {
    this.#stays.delete(stay);
    this.#consider();
  }

  /** What is being sent arrives; nobody waits for answers any more. */
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
      const id = known?.id ?? digest([asked.key, this.#parts.log.spentOf(asked.key)]).slice(0, 48);
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
      // The log cannot be read: the whole ends, and with it this call.
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

  /** Sends what waits, unless somebody can still move: whoever does comes by again. */
  #settle(): void {
    const waiting = new Set([...this.#waiting.values()].map(({ run }) => run));
    for (const { run } of this.#stays) if (run === undefined || !waiting.has(run)) return;
    const groups = groupsOf([...this.#pending]);
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
    for (const one of group) one.wave = wave.id;
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
          ? noBatches(provider, redact(message))
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

  /** Waits for a wave, once for all who want something of it. */
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
    const batch = wave.batch ?? (await this.#seek(wave, batches));
    if (batch === undefined) {
      log.drop(id);
      for (const one of this.#waiting.values()) if (one.wave === id) this.#pending.add(one);
      this.#consider();
      return;
    }
    const failed = await this.#over(wave, batch, batches);
    if (failed !== undefined) {
      log.drop(id);
      throw new DeliberateError(
        'batch-failed',
        this.#parts.redact(failed),
        'What was answered is kept. The same command asks for the rest again.',
      );
    }
    const missing = await this.#collect(wave, batch, batches);
    tell({ ...wave, type: 'back', since: wave.at, missing });
    for (const one of [...this.#waiting.values()]) {
      if (one.wave !== id) continue;
      this.#waiting.delete(one.id);
      one.resolve(log.find(one.key)?.answer ?? MISSING);
    }
  }

  /** Looks for a wave at its provider that nobody knows to have arrived. Undefined: it never did. */
  async #seek(wave: Wave, batches: Batches): Promise<string | undefined> {
    const { log, tell } = this.#parts;
    tell({ ...wave, type: 'sought' });
    const until = performance.now() + ARRIVES_MS + wave.requests * ARRIVES_EACH_MS;
    for (;;) {
      const found = await this.#patiently(wave, () => batches.find(wave, this.#closing.signal));
      const known = log.batchesOf(wave.provider);
      for (const { batch, isCertain } of found) {
        if (known.has(batch) || this.#strangers.has(batch)) continue;
        if (isCertain || (await this.#isOurs(wave, batch, batches))) {
          log.name(wave.id, batch);
          return batch;
        }
        this.#strangers.add(batch);
      }
      if (performance.now() > until) return undefined;
      await this.#pause(SEEK_MS);
    }
  }

  /** By the names of its answers, once it has them. */
  async #isOurs(wave: Wave, batch: string, batches: Batches): Promise<boolean> {
    const ids = this.#parts.log.idsOf(wave.id);
    let isOurs = false;
    try {
      if ((await this.#over(wave, batch, batches)) !== undefined) return false;
      await this.#read(wave, batch, batches, (id) => {
        isOurs ||= ids.has(id);
      });
    } catch (error) {
      // It is not kept any more, and ours would be.
      if (!(error instanceof DeliberateError) || error.code !== LOST) throw error;
    }
    return isOurs;
  }

  #read(
    wave: Wave,
    batch: string,
    batches: Batches,
    take: (id: string, answer: string) => void,
  ): Promise<void> {
    return this.#patiently(wave, () =>
      batches.results(batch, take, this.#closing.signal).catch((error: unknown) => {
        throw isAbsent(error) ? lost(wave, batch) : error;
      }),
    );
  }

  /** Resolves when the batch is over; with why it came to nothing as a whole. */
  async #over(wave: Wave, batch: string, batches: Batches): Promise<string | undefined> {
    const { tell } = this.#parts;
    for (let pause = FIRST_LOOK_MS; ; pause = Math.min(pause * 1.5, LONGEST_LOOK_MS)) {
      const { isOver, ended, failed } = await this.#patiently(wave, () =>
        batches.look(batch, this.#closing.signal).catch((error: unknown) => {
          throw isAbsent(error) ? lost(wave, batch) : error;
        }),
      );
      if (isOver) return failed;
      tell({ ...wave, type: 'waits', since: wave.at, ended });
      await this.#pause(pause);
    }
  }

  /** Writes down what came of it; how many requests are without an answer. */
  async #collect(wave: Wave, batch: string, batches: Batches): Promise<number> {
    const { log, conceal } = this.#parts;
    const left = new Set(log.idsOf(wave.id));
    const part: [string, string][] = [];
    const keep = (): void => log.keep(wave.id, part.splice(0));
    await this.#read(wave, batch, batches, (id, answer) => {
      // What came twice came first as it was meant.
      if (!left.delete(id)) return;
      part.push([id, conceal(answer)]);
      if (part.length >= PART) keep();
    });
    part.push(...[...left].map((id): [string, string] => [id, MISSING]));
    keep();
    log.end(wave.id);
    return left.size;
  }

  /** Asks until there is an answer: a network that is away for a night is no reason to give up. */
  async #patiently<T>(wave: Wave, ask: () => Promise<T>): Promise<T> {
    for (let pause = FIRST_LOOK_MS; ; pause = Math.min(pause * 2, LONGEST_LOOK_MS)) {
      try {
        return await ask();
      } catch (error) {
        this.#closing.signal.throwIfAborted();
        if (!(error instanceof ProviderFailure)) throw error;
        const { retry, code, message, next, retryAfterMs = 0 } = error.failure;
        const { redact, tell } = this.#parts;
        if (!retry && code !== 'timeout' && code !== 'unreachable')
          throw new DeliberateError('batch-refused', redact(message), next && redact(next));
        tell({ ...wave, type: 'trouble', message: redact(message) });
        await this.#pause(Math.max(pause, Math.min(retryAfterMs, 10 * LONGEST_LOOK_MS)));
      }
    }
  }

  #pause(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: this.#closing.signal });
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof ProviderFailure && error.failure.code === 'not-found';
}

const LOST = 'batch-lost';

/** It may well be there, for another key: it is not sent again without a person's word. */
function lost({ provider, requests }: Wave, batch: string): DeliberateError {
  return new DeliberateError(
    LOST,
    `${provider} has no batch ${batch}, which ${requests} calls were sent with`,
    'Use the key and the address that it was sent with. Without --batch, what is missing is asked live.',
  );
}

function noBatches(provider: string, message: string): DeliberateError {
  return new DeliberateError(
    'no-batches',
    `the server of ${provider} takes no batches (${message})`,
    'Leave out --batch.',
  );
}

/** Below the server's address, as batches name it. */
function pathOf(url: string): string {
  const { pathname } = new URL(url);
  const version = pathname.lastIndexOf('/v1/');
  return version < 0 ? pathname : pathname.slice(version);
}

/** Answers of a batch come whole. */
function unstreamed(body: string): string {
  const { stream: _, stream_options: __, ...rest } = JSON.parse(body) as Record<string, unknown>;
  return JSON.stringify(rest);
}
