/**
 * Sends a run's spans to a collector while the run goes on. The run never waits for it and never fails
 * because of it: spans that cannot be sent in time are dropped, and `export --format otlp` contains all of
 * them later.
 */

import type { Feed } from '../kernel/bus.ts';
import type { AnyFact } from '../kernel/vocabulary.ts';
import { decodePercents } from '../text/percent.ts';
import { type Resource, toOtlp } from './otlp.ts';
import { type Span, SpanFold, type SpanOptions } from './spans.ts';

type Env = Readonly<Record<string, string | undefined>>;

interface Collector {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly resource: Resource;
}

/** The most spans waiting to be sent; of more, the oldest are dropped. */
const MOST_WAITING = 512;
const BATCH_MS = 1_000;
/** The time limit of a request in milliseconds. */
const REQUEST_MS = 5_000;
/** Milliseconds that `close` waits for the collector to take what is left. */
const LAST_MS = 500;

/**
 * Returns the address of the OpenTelemetry collector, with the headers and attributes to send, from
 * the variables `OTEL_…`. Returns undefined if they name no HTTP address, or if `OTEL_SDK_DISABLED`
 * is `true`.
 */
export function findCollector(env: Env): Collector | undefined {
  if (env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true') return undefined;
  const whole = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?.trim();
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT?.trim();
  const named = whole || (base ? `${base.replace(/\/+$/, '')}/v1/traces` : '');
  if (!URL.canParse(named) || !/^https?:$/.test(new URL(named).protocol)) return undefined;
  return {
    url: named,
    headers: {
      ...parsePairs(env.OTEL_EXPORTER_OTLP_HEADERS),
      ...parsePairs(env.OTEL_EXPORTER_OTLP_TRACES_HEADERS),
    },
    resource: readResource(env),
  };
}

/**
 * Returns the attributes that describe this program to a collector, from the variables `OTEL_…`.
 * The name of the service is `deliberate` if they give none.
 */
export function readResource(env: Env): Resource {
  return {
    ...parsePairs(env.OTEL_RESOURCE_ATTRIBUTES),
    'service.name':
      env.OTEL_SERVICE_NAME?.trim() ||
      new Map(Object.entries(parsePairs(env.OTEL_RESOURCE_ATTRIBUTES))).get('service.name') ||
      'deliberate',
  };
}

/** Parses `key=value,other=value` with percent-encoding; malformed pairs are skipped. */
function parsePairs(text = ''): Record<string, string> {
  return Object.fromEntries(
    text.split(',').flatMap((pair) => {
      const [, key = '', value = ''] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
      const decoded = decodePercents(value);
      return key === '' || decoded === undefined ? [] : [[key, decoded]];
    }),
  );
}

/** Sends the spans of a run to a collector while the run goes on. */
export class LiveSpans {
  readonly #collector: Collector;
  readonly #version: string;
  readonly #fold: SpanFold;
  readonly #forget: () => void;
  readonly #timer: NodeJS.Timeout;
  #waiting: Span[] = [];
  #sending: Promise<void> | undefined;
  readonly #over = new AbortController();

  /**
   * Starts listening to the run.
   *
   * @param past the facts recorded so far; their spans are not sent
   */
  constructor(
    collector: Collector,
    version: string,
    feed: Feed,
    past: readonly AnyFact[],
    options: SpanOptions,
  ) {
    this.#collector = collector;
    this.#version = version;
    this.#fold = new SpanFold(options);
    for (const fact of past) this.#fold.take(fact);
    this.#forget = feed.subscribe({
      fact: (fact) => {
        this.#waiting.push(...this.#fold.take(fact));
        this.#waiting.splice(0, this.#waiting.length - MOST_WAITING);
      },
    });
    this.#timer = setInterval(() => this.#send(), BATCH_MS);
    this.#timer.unref();
  }

  /**
   * Sends the remaining spans, then stops. Never rejects.
   *
   * @param withinMs milliseconds after which unsent spans are dropped
   */
  async close(withinMs = LAST_MS): Promise<void> {
    this.#forget();
    clearInterval(this.#timer);
    const timer = setTimeout(() => this.#over.abort(), withinMs);
    await this.#sending;
    this.#send();
    await this.#sending;
    clearTimeout(timer);
  }

  /** Sends one request at a time; later spans wait or are dropped. */
  #send(): void {
    if (this.#sending !== undefined || this.#waiting.length === 0) return;
    const spans = this.#waiting.splice(0);
    this.#sending = this.#post(spans).finally(() => {
      this.#sending = undefined;
    });
  }

  async #post(spans: readonly Span[]): Promise<void> {
    const { url, headers, resource } = this.#collector;
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(toOtlp(spans, resource, this.#version)),
        // Do not follow redirects: the headers may contain secrets that only this address may see.
        redirect: 'error',
        signal: AbortSignal.any([this.#over.signal, AbortSignal.timeout(REQUEST_MS)]),
      });
      await response.body?.cancel();
    } catch (error) {
      // Ignore the error: a missing, slow or failing collector must not affect the run.
      if (!(error instanceof Error)) throw error;
    }
  }
}
