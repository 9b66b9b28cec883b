/**
 * Bundles what every phase of a team uses: the run, its seats and settings, the workshop, and the folded
 * state.
 */
import type * as z from 'zod';
import { entryOf } from '../../kernel/entry.ts';
import type { GateAnswer, GateQuestion, Run } from '../../kernel/handle.ts';
import type { Message, MessagePart, PromptContents, Seat } from '../../kernel/model.ts';
import { splitSpec } from '../../kernel/providers/spec.ts';
import type { Provision, Survey, Workshop } from '../../kernel/tools/workshop.ts';
import { toFoldable } from '../../kernel/vocabulary.ts';
import { askForm, type FormAnswer, type SeatAsker } from '../common/asking/ask-form.ts';
import { countAttachedPart, insertAttached, makeAttachedPart } from '../common/prompts/attached.ts';
import { type SeatId, type TeamConfig, TIER_LEVELS } from './config.ts';
import { type FactBody, TIERS } from './facts.ts';
import { EMPTY_TEAM, foldTeam, type TaskView, type TeamView } from './fold.ts';
import type { Level, Task, TeamPlan, Workstream } from './forms/plan.ts';
import type { TierCost } from './outcome.ts';
import type { BaseCheck } from './rules/checks.ts';
import type { OrderedTasks } from './rules/graph.ts';
import { isStepFrom } from './steps.ts';

/**
 * Tokens of context that every call asks for, the same in all tiers so that a local model is loaded once.
 * Long conversations may need more.
 */
const ROOM = 32_768;

/** Which seat is asked, at which level, and which specialist plays it. */
interface Asked {
  readonly seat: SeatId;
  /** Overrides the capability level of the seat's tier. */
  readonly level?: Level | undefined;
  /** The entry of the plan's cast that plays the seat. */
  readonly cast?: TeamPlan['cast'][number] | undefined;
}

/** A question to a seat, which answers with JSON of the given schema. */
export interface Question<T> extends Asked {
  /** The name of the task, such as `team/plan`, which prompts, tests and the rehearsal refer to. */
  readonly task: string;
  /** The subject of the question in structured form, without the goal. */
  readonly about?: Omit<PromptContents, 'question'> | undefined;
  readonly messages: readonly Message[];
  readonly schema: z.ZodType<T>;
  readonly timeoutMs?: number;
}

/** The result of local work, and the facts that record it. */
interface Done<T> {
  readonly value: T;
  readonly facts: readonly FactBody[];
}

/**
 * What is settled before the work begins: the survey, the plan, what checks may use, and how checks
 * ended without the work.
 */
export interface WorkBasis {
  readonly survey: Survey;
  readonly plan: TeamPlan;
  /** What checks may use beside the committed files. */
  readonly provision: Provision;
  /** How each check ended before the work. */
  readonly base: readonly BaseCheck[];
}

interface Graph {
  readonly tasks: readonly Task[];
  readonly ordered: readonly OrderedTasks[];
}

/** A running team: its settings, its state, and the functions that all phases use. */
export class TeamRun {
  readonly run: Run;
  readonly goal: string;
  readonly config: TeamConfig;
  readonly workshop: Workshop;
  readonly seats: readonly Seat[];
  /** The attached documents as a part of prompts; undefined if nothing is attached. */
  readonly attached: MessagePart | undefined;
  /** Tokens of context that a call may take. */
  readonly #room: number;
  readonly #seats: ReadonlyMap<string, Seat>;
  /** The tier that each recorded step asked, by the step's key. */
  readonly #tiers = new Map<string, string>();
  #isRehearsed = false;
  #person: Promise<unknown> = Promise.resolve();
  #view: TeamView = EMPTY_TEAM;

  constructor(
    run: Run,
    goal: string,
    seats: readonly Seat[],
    config: TeamConfig,
    workshop: Workshop,
  ) {
    this.run = this.#watching(run);
    this.goal = goal;
    this.config = config;
    this.workshop = workshop;
    this.seats = seats;
    this.attached = makeAttachedPart(config);
    this.#room = ROOM + countAttachedPart(config);
    this.#seats = new Map(seats.map((seat) => [seat.id, seat]));
  }

  /**
   * The state folded from all facts of the run so far, including those of earlier attempts that this
   * attempt has replayed.
   */
  get view(): TeamView {
    return this.#view;
  }

  /**
   * What the calls of each tier cost, including stopped calls. Calls copied from a fork's parent cost
   * nothing.
   */
  get costs(): readonly TierCost[] {
    return TIERS.flatMap((tier) => {
      const spent = this.run.spent((step) => this.#tiers.get(step) === tier);
      const { calls, usage, costUsd, unpriced } = spent;
      return calls === 0 ? [] : [{ tier, calls, usage, ...(unpriced > 0 ? {} : { costUsd }) }];
    });
  }

  /** Returns how many questions a tier, such as `T1`, was asked so far, with their calls and tokens. */
  paidBy(tier: string): { questions: number; calls: number; tokens: number } {
    const steps = [...this.#tiers].flatMap(([step, of]) => (of === tier ? [step] : []));
    const { calls, usage } = this.run.spent((step) => this.#tiers.get(step) === tier);
    return {
      questions: new Set(steps.map((step) => step.replace(/\/turn-\d+$/, ''))).size,
      calls,
      tokens: usage.input + usage.output,
    };
  }

  /** Whether the built-in stand-in for models has answered for any seat. */
  get isRehearsed(): boolean {
    return this.#isRehearsed;
  }

  #watching(run: Run): Run {
    return {
      ...run,
      ask: (key, request, options) => {
        const { id, model } = request.seat;
        this.#tiers.set(key, id.slice(0, 2).toUpperCase());
        this.#isRehearsed ||= splitSpec(model).provider === 'rehearsal';
        return run.ask(key, request, options);
      },
    };
  }

  /**
   * The version of the rules and prompts that the run follows: `version` of its settings, or 1 if there is
   * none.
   */
  get edition(): number {
    return this.config.version ?? 1;
  }

  /** All tasks of the run and their order. Throws if there are none yet. */
  get graph(): Graph {
    const { graphed } = this.#view;
    if (graphed === undefined) throw new Error('a team without tasks');
    return graphed;
  }

  /**
   * Returns the state of a task.
   * @throws Error if there is no task with this id
   */
  task(id: string): TaskView {
    const found = this.#view.tasks.find(({ task }) => task.id === id);
    if (found === undefined) throw new Error(`a team without a task ${id}`);
    return found;
  }

  /**
   * Returns a seat with the model that plays it in the step `key`. A fork may have changed the model from a
   * step on.
   * @throws Error if the seat does not exist
   */
  seat(key: string, { seat: id, level, cast }: Asked): Seat {
    const seat = this.#seats.get(id);
    if (seat === undefined) throw new Error(`a team without a seat ${id}`);
    const { changes, tiers, levels, specialists } = this.config;
    const tier = entryOf(tiers, id);
    const changed = changes?.findLast(
      (change) => change.seat === id && isStepFrom(key, change.from),
    );
    const model =
      changed?.model ??
      tier?.model ??
      levels[level ?? tier?.level ?? TIER_LEVELS[id]] ??
      seat.model;
    const specialist = specialists.find(({ slug }) => slug === cast?.specialist);
    const brief = [seat.brief, specialist?.brief ?? ''].filter((text) => text !== '').join('\n\n');
    return { ...seat, model, brief };
  }

  /** Returns the capability level of a seat before anything has failed. */
  levelOf(id: SeatId): Level {
    return entryOf(this.config.tiers, id)?.level ?? TIER_LEVELS[id];
  }

  /**
   * Does local work once, as a recorded step. `inputs` identify the work and must not depend on timing, so
   * that a replay finds the recorded result.
   */
  async act<T>(
    key: string,
    inputs: unknown,
    work: (signal: AbortSignal) => Done<T> | Promise<Done<T>>,
  ): Promise<T> {
    const { value, facts } = await this.run.step(key, inputs, async ({ emit, signal }) => {
      const done = await work(signal);
      for (const body of done.facts) emit(body);
      return done;
    });
    for (const body of facts) this.#view = foldTeam(this.#view, toFoldable(body));
    return value;
  }

  /** Records facts in a step of their own. A resumed run does not record them again. */
  record(key: string, inputs: unknown, facts: readonly FactBody[]): Promise<void> {
    return this.act(key, inputs, () => ({ value: undefined, facts })).then(() => undefined);
  }

  /** Does work on the run's copy of the repository, such as reading files, as a recorded step without facts. */
  look<T>(key: string, inputs: unknown, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return this.run.step(key, inputs, ({ signal }) => work(signal));
  }

  /**
   * Asks the person, one question after another, because tasks that run at the same time may ask at once.
   */
  askPerson(key: string, question: GateQuestion): Promise<GateAnswer> {
    const answer = this.#person.then(() => this.run.decide(key, question));
    this.#person = answer.catch(() => undefined);
    return answer;
  }

  /**
   * Asks a seat for an answer of the question's schema, and asks up to twice more if the call fails or the
   * answer has another form. Returns the answer, or `why` there is none. `how` replaces the single call, such as by a
   * conversation with tools.
   */
  async ask<T>(key: string, question: Question<T>, how?: SeatAsker): Promise<FormAnswer<T>> {
    const { seat, level, cast, schema, timeoutMs, about, messages, ...rest } = question;
    return askForm(how ?? ((...given) => this.run.ask(...given)), key, {
      schema,
      timeoutMs,
      request: (step) => ({
        ...rest,
        messages: insertAttached(messages, this.attached),
        about: { question: this.goal, ...about },
        seat: this.seat(step, { seat, level, cast }),
        schema,
        seed: this.config.seed,
        room: this.#room,
      }),
    });
  }
}

/**
 * Returns which specialist the plan names for a tier in a workstream or domain. An entry of the
 * plan that names neither applies to all of them. Undefined if no entry applies.
 */
export function castOf(
  { cast }: TeamPlan,
  tier: TeamPlan['cast'][number]['tier'],
  of: { readonly workstream?: string; readonly domain?: string } = {},
): TeamPlan['cast'][number] | undefined {
  const own = cast.filter((member) => member.tier === tier);
  return (
    own.find(
      ({ workstream, domain }) =>
        (of.workstream !== undefined && workstream === of.workstream) ||
        (of.domain !== undefined && domain === of.domain),
    ) ?? own.find(({ workstream, domain }) => workstream === '' && domain === '')
  );
}

/** Returns the workstream with an id; undefined if the plan has none. */
export function workstreamOf(plan: TeamPlan, id: string): Workstream | undefined {
  return plan.workstreams.find((workstream) => workstream.id === id);
}
