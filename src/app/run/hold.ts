/**
 * A session with everything around it that does not depend on who looks on: where its answers and stops
 * come from, where its spans go, and what is done when this process lets go of the run.
 */
import type { Source } from '../../kernel/facts.ts';
import type { Journal } from '../../kernel/journal.ts';
import type { Protocol } from '../../kernel/protocol.ts';
import { type Ending, Session } from '../../kernel/session.ts';
import type { Tools } from '../../kernel/tools/tools.ts';
import type { Workshop } from '../../kernel/tools/workshop.ts';
import type { ModelGateway } from '../../models/gateway.ts';
import type { Store } from '../../store/store.ts';
import { readCaller } from '../../telemetry/caller.ts';
import type { Invocation } from '../invocation.ts';
import type { Config } from '../settings/config.ts';
import { keepLearned } from '../settings/profiles.ts';
import { type Answered, Gates } from './gates.ts';

/** A run that this process owns, and what it takes to work on it. */
export interface OwnedRun {
  readonly call: Invocation;
  readonly config: Config;
  readonly store: Store;
  readonly journal: Journal;
  readonly protocol: Protocol;
  readonly models: ModelGateway;
  /** The file of a protocol of the person's own. */
  readonly source?: Source | undefined;
  /** What seats may look things up with. */
  readonly tools?: Tools | undefined;
  /** Where a team's work is done. */
  readonly workshop?: Workshop | undefined;
  /** Begins the first attempt of this process. */
  readonly start: (session: Session) => Promise<Ending>;
}

export interface Held {
  readonly session: Session;
  readonly gates: Gates;
  /** Stops what is going on, and gives the run back. */
  readonly close: () => Promise<void>;
}

/** Whoever calls this begins the attempt before anything else is awaited: a stop would come too early. */
export async function hold(run: OwnedRun, answered: Answered): Promise<Held> {
  const { call, config, store, journal, models, protocol, source, tools, workshop } = run;
  const gates = new Gates(store, journal.run, answered);
  const session = new Session({
    journal,
    models,
    protocol,
    source,
    tools,
    workshop,
    caller: readCaller(call.env.TRACEPARENT),
    limits: { tokens: config.budget_tokens, usd: config.budget_usd },
    answer: gates.answer,
  });
  const before = journal.facts().length;
  const spans = await spansTo(call, session, journal);
  const lookAway = gates.watch(() => session.stop());
  const close = async (): Promise<void> => {
    lookAway();
    const held = protocol.entrances?.(journal.facts().slice(before)) ?? [];
    await session.close();
    await tools?.close?.();
    await spans?.close();
    await keepLearned(call, models, held);
  };
  return { session, gates, close };
}

/** Loaded where a person has named a collector. */
async function spansTo({ env, flags }: Invocation, session: Session, journal: Journal) {
  if (!Object.keys(env).some((name) => /^OTEL_EXPORTER_OTLP_(?:TRACES_)?ENDPOINT$/.test(name)))
    return undefined;
  const { sendSpans } = await import('./trace.ts');
  return sendSpans(env, session.feed, journal.facts(), flags);
}
