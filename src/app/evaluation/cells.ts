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
import { digest } from '../../kernel/digest.ts';
import { RunStopped } from '../../kernel/errors.ts';
import { KERNEL } from '../../kernel/facts.ts';
import type { Journal } from '../../kernel/journal.ts';
import { type ModelSpec, NO_USAGE, type Usage } from '../../kernel/model.ts';
import { type Ending, Session } from '../../kernel/session.ts';
import { viewOf } from '../../kernel/view.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import type { ModelGateway } from '../../models/gateway.ts';
import { requestOf } from '../../protocols/common/past.ts';
import { protocolNamed } from '../../protocols/table.ts';
import type { Store } from '../../store/store.ts';
import { cellDone, giveCell, type There } from '../elsewhere/cell.ts';
import type { RunTools } from '../settings/run-tools.ts';
import type { ArmMaker, FinalText, SeatedArm } from './arm-maker.ts';
import type { Batching } from './batch.ts';

/** Cells at a time where `--concurrency` says nothing. */
export const AT_ONCE = 4;

/** An arm that can be asked. */
export interface SeatedMaker {
  readonly maker: ArmMaker;
  readonly seated: SeatedArm;
  /** Of everything that makes it this arm: program, seats, settings, editions of the models. */
  readonly hash: string;
  /** Whom it may ask, each once. */
  readonly models: readonly ModelSpec[];
}

/** What came of a cell. Figures are of all calls that it ever took, failed and repeated ones included. */
interface CellResult {
  readonly run: string;
  readonly isDone: boolean;
  /** Why not. */
  readonly reason?: string | undefined;
  readonly final: FinalText | undefined;
  readonly firsts: ReturnType<ArmMaker['firstAnswers']>;
  /** At list price, nothing taken off for caches; null where nobody is paid or a price is not known. */
  readonly costUsd: number | null;
  /** As recorded with each call, what batches and caches save taken off. */
  readonly billedUsd: number;
  readonly tokens: number;
  /** As served: by the server's own name for it, or else with the edition. */
  readonly models: readonly string[];
  /** Calls that were on their way when a process died: they were sent again, and may have been billed. */
  readonly resent: number;
}

interface CellParts {
  readonly store: Store;
  readonly models: ModelGateway;
  /** Each model with its edition, by its address. */
  readonly editions: ReadonlyMap<string, string>;
  /** Cells that are worked on at a time. */
  readonly atOnce: number;
  /** The server whose workers work on them; absent: this process does. */
  readonly there?: There | undefined;
  /** The tools that seats may use, the same in every arm. */
  readonly toolsOfRuns: Pick<RunTools, 'tools' | 'keep'>;
  /** Where answers come in batches: then all cells that are wanted begin at once. */
  readonly batching?: Batching | undefined;
}

/** How a cell is worked on whose answers come in batches. */
interface Batched {
  readonly batching: Batching;
  readonly named: (run: string) => void;
}

/** By which a cell's run is found: what is asked, of which arm, with which seed. */
export function cellKey(question: string, hash: string, seed: number): string {
  return digest({ question, arm: hash, seed });
}

export class Cells {
  readonly #parts: CellParts;
  readonly #live = new Set<Session>();
  /** By key: texts that are the same have the same repair. */
  readonly #asking = new Map<string, Promise<CellResult>>();
  readonly #waiting: (() => void)[] = [];
  /** Of those that are worked on. All arms ask an item with one seed, repairs included; samples of votes do not. */
  readonly #seeds: number[] = [];
  /** Once nothing else is to begin: those that may, so that an item that has begun has its answer of every arm. */
  #last: ReadonlySet<number> | undefined;
  #stopped = false;
  readonly #stop = new AbortController();

  constructor(parts: CellParts) {
    this.#parts = parts;
  }

  /** Begins no other item: to those that have begun every arm still answers. */
  windDown(): void {
    // What waits for a batch may wait for a day, and is found again: nobody stays for it.
    if (this.#parts.batching !== undefined) this.stop();
    if (this.#last !== undefined) return;
    this.#last = new Set(this.#seeds);
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Answers that are waited for while it winds down. */
  get awaited(): number {
    return this.#asking.size;
  }

  /** Stops what is under way; nothing new begins. */
  stop(): void {
    this.#stopped = true;
    this.#stop.abort();
    for (const session of this.#live) session.stop();
  }

  /** Resolves once nothing is under way any more. */
  async settled(): Promise<void> {
    while (this.#asking.size > 0) await Promise.allSettled([...this.#asking.values()]);
  }

  /** What is on record, or else what comes of asking. @throws RunStopped once it was stopped */
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

  /** @throws RunStopped where nothing else is to begin */
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
    // Left behind by a process that ended before the workers did.
    const goesOn = known !== undefined && store.elsewhere.find(known.run)?.isOver === false;
    if (goesOn) {
      const ending = await cellDone(store, known.run, this.#stop.signal);
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
        // An attempt that only goes on is asked for by who goes on.
        if (before.length === 0) session.open({ question, seats, config: { ...config, seed } });
        giveCell(store, journal, there);
        return cellDone(store, journal.run, this.#stop.signal);
      }
      if (before.length === 0)
        return session.begin({ question, seats, config: { ...config, seed } });
      const past = { view: viewOf(before), facts: before };
      return protocolNamed(name).then((protocol) =>
        session.resume((protocol.request ?? requestOf)(past, { kind: 'resume' })),
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
      ...accountOf(facts, gateway),
      models: servedModels(facts, models),
      resent: unfinished(facts, () => store.evaluations.waves.answeredSteps(run)),
    };
  }

  async #attempt(
    journal: Journal,
    name: string,
    batching: Batching | undefined,
    start: (session: Session) => Promise<Ending>,
  ): Promise<Ending> {
    const { tools } = this.#parts.toolsOfRuns;
    const session = new Session({
      journal,
      ...(tools === undefined ? {} : { tools }),
      models: batching?.models ?? this.#parts.models,
      protocol: await protocolNamed(name),
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
 * What an evaluation counts of a run: all of it until it was first done. People may open it like any other
 * and ask on; what is said then answers another question, and costs no arm anything.
 */
export function factsOfCell(store: Store, run: string): readonly AnyFact[] {
  const facts = store.facts(run);
  const isEnd = KERNEL.is('run.ended');
  const end = facts.findIndex((one) => isEnd(one) && one.status === 'done');
  return end < 0 ? facts : facts.slice(0, end + 1);
}

function isDone(facts: readonly AnyFact[]): boolean {
  return facts.length > 0 && viewOf(facts).status === 'done';
}

/**
 * What its calls were answered by, each once: by the name that the server gave, or else as the model stood when
 * the cell began. Where nothing has answered, none: no server has said by which name it would have.
 */
function servedModels(facts: readonly AnyFact[], begun: readonly string[]): readonly string[] {
  const served = new Set<string>();
  for (const one of facts) {
    if (!isCall(one) || one.type !== 'call.completed') continue;
    const named = begun.find((name) => name === one.model || name.startsWith(`${one.model} `));
    served.add(one.served === undefined ? (named ?? one.model) : `${one.model} as ${one.served}`);
  }
  return [...served];
}

/** Everything that the run's calls took. */
export function accountOf(
  facts: readonly AnyFact[],
  gateway: Pick<ModelGateway, 'price'>,
): Pick<CellResult, 'costUsd' | 'billedUsd' | 'tokens'> {
  let tokens = 0;
  let usd = 0;
  let billedUsd = 0;
  let isPriced = true;
  let isPaid = false;
  for (const one of facts) {
    if (!isCall(one)) continue;
    tokens += one.usage.input + one.usage.output;
    billedUsd += one.costUsd ?? 0;
    const cost = gateway.price(one.model, withoutDiscount(one.usage));
    if (cost === undefined) isPriced = false;
    else usd += cost;
    // A call that failed before it took anything is one that somebody is paid for, all the same.
    isPaid ||= (gateway.price(one.model, A_MILLION) ?? 0) > 0;
  }
  return { tokens, billedUsd, costUsd: isPriced && isPaid ? usd : null };
}

/** Of each, so that a price that there is cannot come to nothing. */
const A_MILLION: Usage = { ...NO_USAGE, input: 1_000_000, output: 1_000_000 };

/** A prompt that was read from a cache cost less, for a reason that is no merit of the arm. */
function withoutDiscount(usage: Usage): Usage {
  const { cacheWrittenForHour: _hour, ...rest } = usage;
  return { ...rest, cached: 0, cacheWritten: 0 };
}

/** Calls whose start is recorded and whose end is not; `waited`: steps that were not asked a second time. */
export function unfinished(
  facts: readonly AnyFact[],
  waited: () => ReadonlySet<string> = () => new Set(),
): number {
  const ended = new Set(facts.filter(isCall).map(({ attempt }) => attempt));
  const open = facts.flatMap((any) => {
    const one = KERNEL.own(any);
    return one?.type === 'step.started' && one.kind === 'call' && !ended.has(one.attempt)
      ? [one.step]
      : [];
  });
  if (open.length === 0) return 0;
  const sentOnce = waited();
  return open.filter((step) => !sentOnce.has(step)).length;
}
