/**
 * Opens a session with what it needs in any display: where answers and stops come from, where spans are sent,
 * and how the run is released at the end.
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
import { type GateAnswerer, Gates } from './gates.ts';

/** A run that this process works on, with everything that its session needs. */
export interface OwnedRun {
  readonly call: Invocation;
  readonly config: Config;
  readonly store: Store;
  readonly journal: Journal;
  readonly protocol: Protocol;
  readonly models: ModelGateway;
  /** The file of a person's own protocol; absent if the protocol is built in. */
  readonly source?: Source | undefined;
  /** The tools that seats may use. */
  readonly tools?: Tools | undefined;
  /** The copy of a repository in which a team works. */
  readonly workshop?: Workshop | undefined;
  /** Begins the first attempt of this process at the run. */
  readonly start: (session: Session) => Promise<Ending>;
}

/** An open session of a run that this process works on. */
export interface OpenSession {
  readonly session: Session;
  readonly gates: Gates;
  /**
   * Stops the session, releases the run to other processes, and stores what was learned of models.
   */
  readonly close: () => Promise<void>;
}

/**
 * Opens the session of a run. From then on another process may stop the session, so the caller must
 * begin an attempt at the run before it awaits anything else.
 *
 * @param answered who answers the run's questions to people
 */
export async function openRunSession(run: OwnedRun, answered: GateAnswerer): Promise<OpenSession> {
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

/** Sends spans to the collector that the environment names. Loaded only if there is one. */
async function spansTo({ env, flags }: Invocation, session: Session, journal: Journal) {
  if (!Object.keys(env).some((name) => /^OTEL_EXPORTER_OTLP_(?:TRACES_)?ENDPOINT$/.test(name)))
    return undefined;
  const { sendSpans } = await import('./trace.ts');
  return sendSpans(env, session.feed, journal.facts(), flags);
}
