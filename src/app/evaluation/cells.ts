/**
 * Cells of an evaluation: one question, one arm, one seed. Each cell is an ordinary run, found again by the
 * digest of the three (table `cell`), so that no evaluation asks again for what any evaluation has an answer
 * to. An arm is the program's version, its seats, its settings and the editions of their models. Targets and
 * the code that scores are not part of an arm, so scoring again calls no model.
 *
 * What decides about money depends on recorded costs in the order of the seed, not on when an answer came: an
 * evaluation that was killed and resumed asks for the same cells and reports the same as an uninterrupted
 * one.
 */

import { isCall } from '../../kernel/call.ts';
import { computeDigest } from '../../kernel/digest.ts';
import { RunStopped } from '../../kernel/errors.ts';
import { KERNEL } from '../../kernel/facts.ts';
import type { Journal } from '../../kernel/journal.ts';
import { type ModelSpec, NO_USAGE, type Usage } from '../../kernel/model.ts';
import { type Ending, Session } from '../../kernel/session.ts';
import { viewOf } from '../../kernel/view.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import type { ModelGateway } from '../../models/gateway.ts';
import { makeRequest } from '../../protocols/common/past.ts';
import type { Store } from '../../store/store.ts';
import { withoutUndefined } from '../../text/without-undefined.ts';
import { handOverCell, type RestateTarget, waitForCell } from '../elsewhere/cell.ts';
import type { Protocols } from '../invocation.ts';
import type { RunTools } from '../settings/run-tools.ts';
import type { ArmMaker, FinalText, SeatedArm } from './arm-maker.ts';
import type { BatchCollector } from './batch.ts';

/** The default of `--concurrency`: how many runs of an evaluation go on at the same time. */
export const AT_ONCE = 4;

/** One of the compared ways to answer (an arm), ready to be asked. */
export interface SeatedMaker {
  readonly maker: ArmMaker;
  readonly seated: SeatedArm;
  /**
   * A digest of everything that defines the arm: the program, seats, settings and versions of
   * models.
   */
  readonly hash: string;
  /** The models that the arm may call, each once. */
  readonly models: readonly ModelSpec[];
}

/**
 * The result of a cell (one arm's answer to one question). Costs include all calls that were ever
 * made for the answer, even failed and repeated ones.
 */
interface CellResult {
  readonly run: string;
  readonly isDone: boolean;
  /** Why the cell has no result. */
  readonly reason?: string | undefined;
  readonly final: FinalText | undefined;
  readonly firsts: ReturnType<ArmMaker['firstAnswers']>;
  /**
   * Cost in dollars at list price, without discounts for caching; null if the models are free or a price is
   * unknown.
   */
  readonly costUsd: number | null;
  /** Cost in dollars as recorded with each call, after discounts for batches and caching. */
  readonly billedUsd: number;
  readonly tokens: number;
  /** The models that answered, by the name that the server gave or else with the edition. */
  readonly models: readonly string[];
  /**
   * How many calls were under way when a process died. They were sent again, and may have been billed twice.
   */
  readonly resent: number;
}

interface CellParts {
  readonly protocols: Protocols;
  readonly store: Store;
  readonly models: ModelGateway;
  /** Each model's name with its edition, by spec. */
  readonly editions: ReadonlyMap<string, string>;
  /** The most cells that are worked on at the same time. */
  readonly atOnce: number;
  /** The Restate server whose workers work on the cells; absent if this process does. */
  readonly there?: RestateTarget | undefined;
  /** The tools that seats may use, the same in every arm. */
  readonly toolsOfRuns: Pick<RunTools, 'tools' | 'keep'>;
  /** Set if answers come in batches; then all wanted cells start at once. */
  readonly batching?: BatchCollector | undefined;
}

/** A cell whose answers come in batches. */
interface Batched {
  readonly batching: BatchCollector;
  readonly named: (run: string) => void;
}

/**
 * Returns the key under which the run with an arm's answer to a question is stored and found again.
 * @param hash the arm's hash
 * @param seed the seed of the run
 */
export function cellKey(question: string, hash: string, seed: number): string {
  return computeDigest({ question, arm: hash, seed });
}

/**
 * Carries out the cells of an evaluation: one run for each compared way to answer (arm) and
 * question. Runs that the database already contains are not repeated.
 */
export class CellRunner {
  readonly #parts: CellParts;
  readonly #live = new Set<Session>();
  /** Cells under way, by key. Cells with equal texts share one result. */
  readonly #asking = new Map<string, Promise<CellResult>>();
  readonly #waiting: (() => void)[] = [];
  /**
   * The seeds of the cells under way. All arms ask an item with the same seed, repairs included; samples of
   * votes have their own.
   */
  readonly #seeds: number[] = [];
  /**
   * Set when winding down: the seeds that may still start cells, so that every arm answers the items already
   * begun.
   */
  #last: ReadonlySet<number> | undefined;
  #stopped = false;
  readonly #stop = new AbortController();

  constructor(parts: CellParts) {
    this.#parts = parts;
  }

  /**
   * Begins no new questions from now on. Questions that were begun are still answered by every arm;
   * in an evaluation with batches, all runs are stopped instead.
   */
  windDown(): void {
    // Do not wait for a batch: it may take a day, and the same `deliberate eval` finds the batch again later.
    if (this.#parts.batching !== undefined) this.stop();
    if (this.#last !== undefined) return;
    this.#last = new Set(this.#seeds);
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** How many answers are still missing after `windDown`. */
  get awaited(): number {
    return this.#asking.size;
  }

  /** Stops all runs and begins no more. */
  stop(): void {
    this.#stopped = true;
    this.#stop.abort();
    for (const session of this.#live) session.stop();
  }

  /** Resolves when no run is under way. */
  async settled(): Promise<void> {
    while (this.#asking.size > 0) await Promise.allSettled([...this.#asking.values()]);
  }

  /**
   * Returns the recorded answer of a cell, or starts a run that answers it.
   *
   * @throws RunStopped after `stop` and, for a question that was not begun, after `windDown`
   */
  ask(arm: SeatedMaker, question: string, seed: number): Promise<CellResult> {
    const key = cellKey(question, arm.hash, seed);
    const known = this.#asking.get(key);
    if (known !== undefined) return known;
    const asking = this.#inTurn(key, arm, question, seed).finally(() => this.#asking.delete(key));
    this.#asking.set(key, asking);
    return asking;
  }

  async #inTurn(
    key: string,
    arm: SeatedMaker,
    question: string,
    seed: number,
  ): Promise<CellResult> {
    const { batching } = this.#parts;
    if (batching?.takes(arm) === true)
      return batching.within((named) => this.#work(key, arm, question, seed, { batching, named }));
    await this.#enter(seed);
    try {
      return await this.#work(key, arm, question, seed);
    } finally {
      this.#seeds.splice(this.#seeds.indexOf(seed), 1);
      this.#waiting.shift()?.();
    }
  }

  /**
   * Waits for a free place.
   * @throws RunStopped if no cell with this seed may start
   */
  async #enter(seed: number): Promise<void> {
    const mayBegin = (): boolean => this.#last?.has(seed) ?? true;
    while (mayBegin() && this.#seeds.length >= this.#parts.atOnce)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (!mayBegin()) throw new RunStopped('user', 'the evaluation was stopped');
    this.#seeds.push(seed);
  }

  async #work(
    key: string,
    arm: SeatedMaker,
    question: string,
    seed: number,
    batched?: Batched,
  ): Promise<CellResult> {
    if (this.#stopped) throw new RunStopped('user', 'the evaluation was stopped');
    const { store, editions } = this.#parts;
    const { protocol: name, seats, config } = arm.seated;
    const known = store.evaluations.cell(key);
    const before = known === undefined ? [] : factsOfCell(store, known.run);
    if (known !== undefined && isDone(before))
      return this.#resultOf(arm, known.run, before, known.models);
    const asked = arm.models.map((model) => editions.get(model) ?? model);
    // An earlier `deliberate eval` may have ended while workers of a Restate server work on this answer. Wait for
    // their result and use it.
    const goesOn = known !== undefined && store.elsewhere.find(known.run)?.isOver === false;
    if (goesOn) {
      const ending = await waitForCell(store, known.run, this.#stop.signal);
      if (this.#stopped) throw new RunStopped('user', 'the evaluation was stopped');
      return this.#resultOf(arm, known.run, factsOfCell(store, known.run), known.models, ending);
    }
    const journal =
      known === undefined ? store.create(name, null, { key, models: asked }) : store.own(known.run);
    if (known === undefined) this.#parts.toolsOfRuns.keep(store, journal.run);
    batched?.named(journal.run);
    const ending = await this.#attempt(journal, name, batched?.batching, (session) => {
      const { there } = this.#parts;
      if (there !== undefined) {
        // A Restate server carries out this run. If the run has no facts yet, record its question, seats and
        // settings before the server gets it.
        if (before.length === 0) session.open({ question, seats, config: { ...config, seed } });
        handOverCell(store, journal, there);
        return waitForCell(store, journal.run, this.#stop.signal);
      }
      if (before.length === 0)
        return session.begin({ question, seats, config: { ...config, seed } });
      const past = { view: viewOf(before), facts: before };
      return this.#parts.protocols
        .load(name)
        .then((protocol) =>
          session.resume((protocol.request ?? makeRequest)(past, { kind: 'resume' })),
        );
    });
    if (this.#stopped) throw new RunStopped('user', 'the evaluation was stopped');
    const facts = factsOfCell(store, journal.run);
    if (batched !== undefined && isDone(facts)) store.evaluations.waves.forget(journal.run);
    return this.#resultOf(arm, journal.run, facts, known?.models ?? asked, ending);
  }

  #resultOf(
    { maker }: SeatedMaker,
    run: string,
    facts: readonly AnyFact[],
    models: readonly string[],
    ending?: Ending,
  ): CellResult {
    const { models: gateway, store } = this.#parts;
    const done = isDone(facts);
    return {
      run,
      isDone: done,
      reason: ending?.reason,
      final: done ? maker.finalText(facts) : undefined,
      firsts: done ? maker.firstAnswers(facts) : [],
      ...sumUsage(facts, gateway),
      models: servedModels(facts, models),
      resent: countUnfinished(facts, () => store.evaluations.waves.answeredSteps(run)),
    };
  }

  async #attempt(
    journal: Journal,
    name: string,
    batching: BatchCollector | undefined,
    start: (session: Session) => Promise<Ending>,
  ): Promise<Ending> {
    const { tools } = this.#parts.toolsOfRuns;
    const session = new Session({
      journal,
      ...withoutUndefined({ tools }),
      models: batching?.models ?? this.#parts.models,
      protocol: await this.#parts.protocols.load(name),
      answer: () => Promise.reject(new RunStopped('gate', 'nobody to ask')),
    });
    this.#live.add(session);
    try {
      return await start(session);
    } finally {
      this.#live.delete(session);
      await session.close();
    }
  }
}

/**
 * Returns the facts of a run that count in an evaluation: the facts up to the moment when the run
 * was done for the first time. What people ask the finished run afterwards is left out.
 */
export function factsOfCell(store: Store, run: string): readonly AnyFact[] {
  const facts = store.facts(run);
  const isEnd = KERNEL.is('run.ended');
  const end = facts.findIndex((fact) => isEnd(fact) && fact.status === 'done');
  return end < 0 ? facts : facts.slice(0, end + 1);
}

function isDone(facts: readonly AnyFact[]): boolean {
  return facts.length > 0 && viewOf(facts).status === 'done';
}

/**
 * Returns the names of the models that answered, each once: as the server named them, or else as they were
 * named when the cell began. Empty if nothing was answered.
 */
function servedModels(facts: readonly AnyFact[], begun: readonly string[]): readonly string[] {
  const served = new Set<string>();
  for (const fact of facts) {
    if (!isCall(fact) || fact.type !== 'call.completed') continue;
    const named = begun.find((name) => name === fact.model || name.startsWith(`${fact.model} `));
    served.add(
      fact.served === undefined ? (named ?? fact.model) : `${fact.model} as ${fact.served}`,
    );
  }
  return [...served];
}

/**
 * Adds up the tokens and costs in dollars of all calls of a run. `billedUsd` is what was recorded with the
 * calls. `costUsd` is the list price without discounts; null if all models are free or a price is unknown.
 */
export function sumUsage(
  facts: readonly AnyFact[],
  gateway: Pick<ModelGateway, 'price'>,
): Pick<CellResult, 'costUsd' | 'billedUsd' | 'tokens'> {
  let tokens = 0;
  let usd = 0;
  let billedUsd = 0;
  let isPriced = true;
  let isPaid = false;
  for (const fact of facts) {
    if (!isCall(fact)) continue;
    tokens += fact.usage.input + fact.usage.output;
    billedUsd += fact.costUsd ?? 0;
    const cost = gateway.price(fact.model, withoutDiscount(fact.usage));
    if (cost === undefined) isPriced = false;
    else usd += cost;
    // Decide by the price of its model whether a call is paid, because a failed call may have no usage.
    isPaid ||= (gateway.price(fact.model, A_MILLION) ?? 0) > 0;
  }
  return { tokens, billedUsd, costUsd: isPriced && isPaid ? usd : null };
}

/** A million tokens each way, so that a small price does not round to zero. */
const A_MILLION: Usage = { ...NO_USAGE, input: 1_000_000, output: 1_000_000 };

/** Returns the usage as if nothing had been read from a cache; caching is no merit of the arm. */
function withoutDiscount(usage: Usage): Usage {
  const { cacheWrittenForHour: _hour, ...rest } = usage;
  return { ...rest, cached: 0, cacheWritten: 0 };
}

/**
 * Counts the calls of a run that began and never ended, which a provider may have billed.
 *
 * @param waited returns the keys of the steps whose answers came from a provider's batch; their calls
 *   are not counted
 */
export function countUnfinished(
  facts: readonly AnyFact[],
  waited: () => ReadonlySet<string> = () => new Set(),
): number {
  const ended = new Set(facts.filter(isCall).map(({ attempt }) => attempt));
  const open = facts.flatMap((any) => {
    const fact = KERNEL.own(any);
    return fact?.type === 'step.started' && fact.kind === 'call' && !ended.has(fact.attempt)
      ? [fact.step]
      : [];
  });
  if (open.length === 0) return 0;
  const sentOnce = waited();
  return open.filter((step) => !sentOnce.has(step)).length;
}
