/** `--batch`: sends an evaluation's calls to the providers' batch services, at half the list price. */
import { UsageError } from '../../kernel/errors.ts';
import type { ModelSpec, Models } from '../../kernel/model.ts';
import { splitSpec } from '../../kernel/providers/spec.ts';
import { Collector } from '../../models/batch/collector.ts';
import type { WaveNews } from '../../models/batch/follow-wave.ts';
import { makeBatchedModels } from '../../models/batch/models.ts';
import type { ModelGateway } from '../../models/gateway.ts';
import type { Store } from '../../store/store.ts';
import { toLine } from '../../text/line.ts';
import { formatCount } from '../../text/numbers.ts';
import type { Invocation } from '../invocation.ts';
import type { Config } from '../settings/config.ts';
import { readProfiles } from '../settings/profiles.ts';
import { openModels } from '../settings/providers.ts';
import type { SeatedArm } from './arm-maker.ts';

/** How long providers keep the answers of a batch. */
const KEPT_MS = 29 * 24 * 3_600_000;
/** Milliseconds between two messages about a batch that is being waited for. */
const EVERY_MS = 60_000;

type Seated = { readonly seated: Pick<SeatedArm, 'plan'> };

/**
 * Returns whether an arm can be asked through a provider's batch service. An arm with an unknown
 * number of calls cannot: each of the calls could need a batch of its own, which may take a day.
 */
export function canBeBatched({ seated }: Seated): boolean {
  return seated.plan !== undefined;
}

/**
 * Refuses models whose provider has no batch service.
 *
 * @throws UsageError that names the first such model
 */
export function refuseUnbatched(gateway: ModelGateway, models: readonly ModelSpec[]): void {
  const model = models.find((model) => gateway.batches(model) === undefined);
  if (model === undefined) return;
  throw new UsageError(
    `--batch: ${splitSpec(model).provider} takes no batches`,
    'Use a model of anthropic or openai, or leave out --batch.',
  );
}

/** Collects the calls of an evaluation and sends them to the providers' batch services. */
export class BatchCollector {
  /** The models to use in runs whose calls go into batches. */
  readonly models: Models;
  readonly #collector: Collector;

  constructor(call: Invocation, gateway: ModelGateway, config: Config, store: Store) {
    const { waves } = store.evaluations;
    const lines = new WaveLines(call);
    this.#collector = new Collector({
      log: waves,
      batches: (model) => gateway.batches(model),
      conceal: (text) => gateway.conceal?.(text) ?? text,
      redact: (text) => gateway.redact(text),
      tell: (news) => lines.tell(news),
    });
    const models = openModels(
      call,
      // The calls of a batch are sent together, so the limit of concurrent calls does not apply.
      { ...config, concurrency: undefined },
      readProfiles(call),
      // Batches may take hours, so never give up a call because its retries take too long. Retry it without a
      // delay, because it waits for the next batch anyway.
      {
        send: this.#collector.send,
        retry: { backoffMs: 0, giveUpMs: Number.POSITIVE_INFINITY },
      },
    );
    this.models = makeBatchedModels(models, (run, step) => waves.spend(run, step));
  }

  /** Rejects with the error that ends the evaluation; never resolves. */
  get failure(): Promise<never> {
    return this.#collector.failure;
  }

  /** Returns whether an arm's calls go into batches. */
  takes(arm: Seated): boolean {
    return canBeBatched(arm);
  }

  /**
   * Runs `work`, whose calls to models go into batches. A batch is sent only when all work that runs in `within`
   * at the time waits for answers.
   *
   * @param work calls `named` with the run's id as soon as it is known
   */
  async within<T>(work: (named: (run: string) => void) => Promise<T>): Promise<T> {
    const stay = this.#collector.enter();
    try {
      return await work((run) => {
        stay.run = run;
      });
    } finally {
      this.#collector.leave(stay);
    }
  }

  close(): Promise<void> {
    return this.#collector.close();
  }
}

/** Prints the progress of batches on standard error. */
class WaveLines {
  readonly #call: Invocation;
  #told = performance.now();
  #trouble = '';

  constructor(call: Invocation) {
    this.#call = call;
  }

  tell(news: WaveNews): void {
    const { flags, err } = this.#call;
    if (flags.quiet || !this.#isNews(news)) return;
    err.write(`${sentenceOf(news)}\n`);
  }

  /** Returns whether news is printed: waiting once a minute, each problem once. */
  #isNews(news: WaveNews): boolean {
    const now = performance.now();
    if (news.type === 'waits' && now - this.#told < EVERY_MS) return false;
    if (news.type === 'trouble' && news.message === this.#trouble) return false;
    if (news.type === 'trouble') this.#trouble = news.message;
    this.#told = now;
    return true;
  }
}

function sentenceOf(news: WaveNews): string {
  const calls = formatCount(news.requests, 'call');
  const batch = `${news.provider}: a batch of ${calls}`;
  switch (news.type) {
    case 'sent':
      return `${batch} is sent, and answered within 24 h. Ctrl-C leaves it there: the same command comes back to it.`;
    case 'sought':
      return `${batch} may not have arrived; looking for it.`;
    case 'waits':
      return `${batch} has waited since ${formatClock(news.since)}, ${news.ended} of them ended.`;
    case 'back':
      return `${batch}, sent at ${formatClock(news.since)}, is back${news.missing === 0 ? '' : `; ${news.missing} of them have no answer`}.`;
    case 'trouble':
      return `${toLine(news.message)}. Trying again.`;
  }
}

function formatClock(iso: string): string {
  return `${iso.slice(11, 16)} UTC on ${iso.slice(0, 10)}`;
}

/**
 * Tells the person that answers of earlier batches were not fetched yet, although the evaluation now asks without
 * batches. Batches older than 29 days do not count: providers no longer keep their answers. With `--quiet`, prints
 * nothing.
 */
export function tellOpenWaves({ err, flags }: Invocation, store: Store): void {
  const since = new Date(Date.now() - KEPT_MS).toISOString();
  const open = store.evaluations.waves.open().filter(({ at }) => at > since);
  if (open.length === 0 || flags.quiet) return;
  const calls = open.reduce((sum, { requests }) => sum + requests, 0);
  err.write(
    `${formatCount(calls, 'call')} of earlier batches may still be answered: --batch waits for them. Without it, what is missing is asked again.\n`,
  );
}
