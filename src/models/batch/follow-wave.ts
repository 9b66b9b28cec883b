/**
 * Follows a wave at its provider: finds the batch that it became, waits until that is over, and stores its
 * answers. A network that is down delays this and does not end it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { DeliberateError } from '../../kernel/errors.ts';
import { ProviderFailure } from '../failure.ts';
import { type Batches, MISSING } from './batches.ts';
import type { Waiter } from './groups.ts';

/** A recorded wave. */
interface Wave {
  readonly id: string;
  readonly provider: string;
  readonly at: string;
  readonly requests: number;
  readonly batch: string | null;
}

/** Records waves. The methods are described at `Waves` of the store. */
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

/**
 * An event in the life of a wave (a batch of requests), for display. `since` is when the wave was sent, in
 * ISO 8601; `ended` the number of finished requests; `missing` the number of requests without an answer.
 */
export type WaveNews = { readonly provider: string; readonly requests: number } & (
  | { readonly type: 'sent' }
  /** It is unknown whether the wave arrived: the provider is asked. */
  | { readonly type: 'sought' }
  /** The provider still works on the wave. */
  | { readonly type: 'waits'; readonly since: string; readonly ended: number }
  /** The answers have arrived. */
  | { readonly type: 'back'; readonly since: string; readonly missing: number }
  /** A request to the provider failed; the provider is asked again later. */
  | { readonly type: 'trouble'; readonly message: string }
);

/** The functions with which a `WaveFollower` stores, cleans and reports what it receives. */
export interface FollowerParts {
  readonly log: WaveLog;
  /** Masks the configured API keys in an answer before it is stored, and changes nothing else. */
  readonly conceal: (text: string) => string;
  /** Masks the configured API keys, and whatever looks like a key, in a message for a person. */
  readonly redact: (text: string) => string;
  /** Reports an event in the life of a wave. */
  readonly tell: (news: WaveNews) => void;
}

/** Milliseconds between two checks of a batch; each pause is half as long again as the one before. */
const FIRST_LOOK_MS = 200;
const LONGEST_LOOK_MS = 60_000;
/**
 * Milliseconds after which a wave that the provider does not list counts as never arrived. A large wave
 * takes longer to be accepted, and sending it twice would cost twice, so each of its requests adds a
 * little.
 */
const ARRIVES_MS = 20_000;
const ARRIVES_EACH_MS = 20;
const SEEK_MS = 1_000;
/** The number of answers that are stored in one transaction. */
const PART = 500;

/**
 * Asks the provider about a sent wave (a batch of requests) again and again until its answers have arrived, and
 * stores them. The methods reject when the signal is aborted.
 */
export class WaveFollower {
  readonly #parts: FollowerParts;
  readonly #signal: AbortSignal;
  /** Batches of other programs that matched a wave of ours. */
  readonly #strangers = new Set<string>();

  constructor(parts: FollowerParts, signal: AbortSignal) {
    this.#parts = parts;
    this.#signal = signal;
  }

  /**
   * Searches the provider for a wave whose arrival is unknown. Returns its batch, or undefined if it never
   * arrived.
   */
  async find(wave: Wave, batches: Batches): Promise<string | undefined> {
    const { log, tell } = this.#parts;
    tell({ ...wave, type: 'sought' });
    const until = performance.now() + ARRIVES_MS + wave.requests * ARRIVES_EACH_MS;
    for (;;) {
      const found = await this.#patiently(wave, () => batches.find(wave, this.#signal));
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

  /** Returns whether a batch is this wave, by comparing the ids of its answers once it has some. */
  async #isOurs(wave: Wave, batch: string, batches: Batches): Promise<boolean> {
    const ids = this.#parts.log.idsOf(wave.id);
    let isOurs = false;
    try {
      if ((await this.untilOver(wave, batch, batches)) !== undefined) return false;
      await this.#read(wave, batch, batches, (id) => {
        isOurs ||= ids.has(id);
      });
    } catch (error) {
      // A batch is recognized as the sought wave by the ids of its answers. If the provider has deleted the
      // answers, the batch counts as a different one.
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
      batches.results(batch, take, this.#signal).catch((error: unknown) => {
        throw isAbsent(error) ? lostBatchError(wave, batch) : error;
      }),
    );
  }

  /** Resolves when the batch is over: to the reason if it failed as a whole, otherwise to undefined. */
  async untilOver(wave: Wave, batch: string, batches: Batches): Promise<string | undefined> {
    const { tell } = this.#parts;
    for (let pause = FIRST_LOOK_MS; ; pause = Math.min(pause * 1.5, LONGEST_LOOK_MS)) {
      const { isOver, ended, failed } = await this.#patiently(wave, () =>
        batches.look(batch, this.#signal).catch((error: unknown) => {
          throw isAbsent(error) ? lostBatchError(wave, batch) : error;
        }),
      );
      if (isOver) return failed;
      tell({ ...wave, type: 'waits', since: wave.at, ended });
      await this.#pause(pause);
    }
  }

  /** Stores the answers of a batch. Returns the number of requests without an answer. */
  async collect(wave: Wave, batch: string, batches: Batches): Promise<number> {
    const { log, conceal } = this.#parts;
    const left = new Set(log.idsOf(wave.id));
    const part: [string, string][] = [];
    const keepPart = (): void => log.keep(wave.id, part.splice(0));
    await this.#read(wave, batch, batches, (id, answer) => {
      // If the results contain an id twice, the first answer counts.
      if (!left.delete(id)) return;
      part.push([id, conceal(answer)]);
      if (part.length >= PART) keepPart();
    });
    part.push(...[...left].map((id): [string, string] => [id, MISSING]));
    keepPart();
    log.end(wave.id);
    return left.size;
  }

  /** Repeats a request until it succeeds: a network that is down for a night is no reason to fail. */
  async #patiently<T>(wave: Wave, ask: () => Promise<T>): Promise<T> {
    for (let pause = FIRST_LOOK_MS; ; pause = Math.min(pause * 2, LONGEST_LOOK_MS)) {
      try {
        return await ask();
      } catch (error) {
        this.#signal.throwIfAborted();
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
    return sleep(ms, undefined, { signal: this.#signal });
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof ProviderFailure && error.failure.code === 'not-found';
}

const LOST = 'batch-lost';

/** The batch may exist for another key, so a person decides whether to send its requests again. */
function lostBatchError({ provider, requests }: Wave, batch: string): DeliberateError {
  return new DeliberateError(
    LOST,
    `${provider} has no batch ${batch}, which ${requests} calls were sent with`,
    'Use the key and the address that it was sent with. Without --batch, what is missing is asked live.',
  );
}
