/** Exports a run as a trace: as text for `export`, and to a collector while the run goes on. */
import type { Env } from '../../io/surroundings.ts';
import type { Feed } from '../../kernel/bus.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { escapeLoose } from '../../plain/json-lines.ts';
import { findCollector, LiveSpans, readResource } from '../../telemetry/live.ts';
import { toOtlp } from '../../telemetry/otlp.ts';
import { type SpanOptions, toSpans } from '../../telemetry/spans.ts';
import { readVersion } from '../version.ts';

/** Formats a run as one line of OTLP JSON, the form in which collectors read traces from files. */
export function traceText(facts: readonly AnyFact[], env: Env, options: SpanOptions): string {
  const trace = toOtlp(toSpans(facts, options), readResource(env), readVersion());
  return `${escapeLoose(JSON.stringify(trace))}\n`;
}

/**
 * Sends the spans of a run to a collector from now on. Returns undefined if the environment names
 * no collector.
 *
 * @param past the facts recorded so far, whose spans are not sent
 */
export function sendSpans(
  env: Env,
  feed: Feed,
  past: readonly AnyFact[],
  options: SpanOptions,
): LiveSpans | undefined {
  const collector = findCollector(env);
  return collector && new LiveSpans(collector, readVersion(), feed, past, options);
}
