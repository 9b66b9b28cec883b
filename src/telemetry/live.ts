/**
 * Sends a run's spans to a collector while it goes on. A run never waits for it and never fails for it: what
 * cannot be sent at once is dropped, and `export --format otlp` has all of it afterwards.
 */

import type { Feed } from '../kernel/bus.ts';
import type { AnyFact } from '../kernel/vocabulary.ts';
import { decodePercents } from '../text/percent.ts';
import { otlpOf, type Resource } from './otlp.ts';
import { type Span, SpanFold, type SpanOptions } from './spans.ts';

type Env = Readonly<Record<string, string | undefined>>;

interface Collector {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly resource: Resource;
}

/** Spans that wait to be sent; more are dropped, the oldest first. */
const MOST_WAITING = 512;
const BATCH_MS = 1_000;
/** A request that takes longer is given up. */
const REQUEST_MS = 5_000;
/** Milliseconds that `close` waits for the collector to take what is left. */
const LAST_MS = 500;

/** Where spans go, as OpenTelemetry's own variables say; undefined: nowhere. */
export function collectorIn(env: Env): Collector | undefined {
  if (env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true') return undefined;
  const whole = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?.trim();
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT?.trim();
  const named = whole || (base ? `${base.replace(/\/+$/, '')}/v1/traces` : '');
  if (!URL.canParse(named) || !/^https?:$/.test(new URL(named).protocol)) return undefined;
  return {
    url: named,
    headers: {
      ...pairs(env.OTEL_EXPORTER_OTLP_HEADERS),
      ...pairs(env.OTEL_EXPORTER_OTLP_TRACES_HEADERS),
    },
    resource: resourceIn(env),
  };
}

/** What is said of whoever sends the spans. */
export function resourceIn(env: Env): Resource {
  return {
    ...pairs(env.OTEL_RESOURCE_ATTRIBUTES),
    'service.name':
      env.OTEL_SERVICE_NAME?.trim() ||
      new Map(Object.entries(pairs(env.OTEL_RESOURCE_ATTRIBUTES))).get('service.name') ||
      'deliberate',
  };
}

/** `key=value,other=value`, percent-encoded; a pair that is none is left out. */
function pairs(text = ''): Record<string, string> {
  return Object.fromEntries(
    text.split(',').flatMap((pair) => {
      const [, key = '', value = ''] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
      const decoded = decodePercents(value);
      return key === '' || decoded === undefined ? [] : [[key, decoded]];
    }),
  );
}

/** One run's spans on their way to a collector. */
export class LiveSpans {
  readonly #collector: Collector;
  readonly #version: string;
  readonly #fold: SpanFold;
  readonly #forget: () => void;
  readonly #timer: NodeJS.Timeout;
  #waiting: Span[] = [];
  #sending: Promise<void> | undefined;
  readonly #over = new AbortController();

  /** `past`: what is on record already; it has been sent, or its export will be. */
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
    for (const one of past) this.#fold.take(one);
    this.#forget = feed.subscribe({
      fact: (one) => {
        this.#waiting.push(...this.#fold.take(one));
        this.#waiting.splice(0, this.#waiting.length - MOST_WAITING);
      },
    });
    this.#timer = setInterval(() => this.#send(), BATCH_MS);
    this.#timer.unref();
  }

  /**
   * Sends what is left, then stops. Never rejects.
   *
   * @param withinMs milliseconds after which what was not taken is dropped
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

  /** One request at a time: what comes meanwhile waits, or is dropped. */
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
        body: JSON.stringify(otlpOf(spans, resource, this.#version)),
        // Its headers may be secrets of this one place.
        redirect: 'error',
        signal: AbortSignal.any([this.#over.signal, AbortSignal.timeout(REQUEST_MS)]),
      });
      await response.body?.cancel();
    } catch (error) {
      // A collector that is not there, or slow, or wrong: nobody's run waits for it.
      if (!(error instanceof Error)) throw error;
    }
  }
}
