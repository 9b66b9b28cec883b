/** What every phase of a team has around it: the run, its seats and settings, the workshop, and how it stands. */
import type * as z from 'zod';
import { entryOf } from '../../kernel/entry.ts';
import type { GateAnswer, GateQuestion, Run } from '../../kernel/handle.ts';
import type { About, Message, MessagePart, Seat } from '../../kernel/model.ts';
import { splitSpec } from '../../kernel/providers/spec.ts';
import type { Provision, Survey, Workshop } from '../../kernel/tools/workshop.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { type Answered, type Asking, askForm } from '../common/ask-form.ts';
import { attachedPart, countAttachedPart, insertAttached } from '../common/attached.ts';
import { type SeatId, type TeamConfig, TIER_LEVELS } from './config.ts';
import { type FactBody, TIERS } from './facts.ts';
import { EMPTY_TEAM, foldTeam, type TaskView, type TeamView } from './fold.ts';
import type { Level, Task, TeamPlan, Workstream } from './forms/plan.ts';
import type { TierCost } from './outcome.ts';
import type { BaseCheck } from './rules/checks.ts';
import type { Ordered } from './rules/graph.ts';
import { isFrom } from './steps.ts';

/**
 * Tokens of context that every call of a team fits into, except for long conversations; the same in all
 * tiers.
 */
const ROOM = 32_768;

/** Who is asked, and in whose specialty. */
interface Asked {
  readonly seat: SeatId;
  /** Instead of the tier's own. */
  readonly level?: Level | undefined;
  /** Which of the plan's cast plays it. */
  readonly cast?: TeamPlan['cast'][number] | undefined;
}

export interface Question<T> extends Asked {
  /** Whose task, and which: `team/plan`. */
  readonly task: string;
  readonly about?: Omit<About, 'question'> | undefined;
  readonly messages: readonly Message[];
  readonly schema: z.ZodType<T>;
  readonly timeoutMs?: number;
}

/** What a piece of local work came to, and the facts of it. */
interface Done<T> {
  readonly value: T;
  readonly facts: readonly FactBody[];
}

/** What is settled before anybody works, and holds for all of it. */
export interface Ground {
  readonly survey: Survey;
  readonly plan: TeamPlan;
  readonly provision: Provision;
  readonly base: readonly BaseCheck[];
}

interface Graph {
  readonly tasks: readonly Task[];
  readonly ordered: readonly Ordered[];
}

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
  /** Of the steps in which seats were asked. */
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
    this.attached = attachedPart(config);
    this.#room = ROOM + countAttachedPart(config);
    this.#seats = new Map(seats.map((seat) => [seat.id, seat]));
  }

  /** What the steps of this attempt have come by so far, those on record included. */
  get view(): TeamView {
    return this.#view;
  }

  /** What each tier's calls took, also those that were stopped; nothing that a fork took over. */
  get costs(): readonly TierCost[] {
    return TIERS.flatMap((tier) => {
      const spent = this.run.spent((step) => this.#tiers.get(step) === tier);
      const { calls, usage, costUsd, unpriced } = spent;
      return calls === 0 ? [] : [{ tier, calls, usage, ...(unpriced > 0 ? {} : { costUsd }) }];
    });
  }

  /** The questions that a tier was asked so far, with the calls and tokens that they took. */
  paidBy(tier: string): { questions: number; calls: number; tokens: number } {
    const steps = [...this.#tiers].flatMap(([step, of]) => (of === tier ? [step] : []));
    const { calls, usage } = this.run.spent((step) => this.#tiers.get(step) === tier);
    return {
      questions: new Set(steps.map((step) => step.replace(/\/turn-\d+$/, ''))).size,
      ...{ calls, tokens: usage.input + usage.output },
    };
  }

  /** Whether the stand-in played any of the seats. */
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

  /** By which edition of the rules and words the run goes on: `version` of its settings, 1 where it has none. */
  get edition(): number {
    return this.config.version ?? 1;
  }

  /** All tasks of the run and their order, as it is by now. */
  get graph(): Graph {
    const { graphed } = this.#view;
    if (graphed === undefined) throw new Error('a team without tasks');
    return graphed;
  }

  task(id: string): TaskView {
    const found = this.#view.tasks.find(({ task }) => task.id === id);
    if (found === undefined) throw new Error(`a team without a task ${id}`);
    return found;
  }

  /** `key`: the step that it is wanted for; a fork may give a seat another model from there on. */
  seat(key: string, { seat: id, level, cast }: Asked): Seat {
    const seat = this.#seats.get(id);
    if (seat === undefined) throw new Error(`a team without a seat ${id}`);
    const { changes, tiers, levels, specialists } = this.config;
    const tier = entryOf(tiers, id);
    const changed = changes?.findLast((one) => one.seat === id && isFrom(key, one.from));
    const model =
      changed?.model ??
      tier?.model ??
      levels[level ?? tier?.level ?? TIER_LEVELS[id]] ??
      seat.model;
    const specialist = specialists.find(({ slug }) => slug === cast?.specialist);
    const brief = [seat.brief, specialist?.brief ?? ''].filter((one) => one !== '').join('\n\n');
    return { ...seat, model, brief };
  }

  /** The level at which a tier thinks before anything has gone wrong. */
  levelOf(id: SeatId): Level {
    return entryOf(this.config.tiers, id)?.level ?? TIER_LEVELS[id];
  }

  /**
   * Does a piece of local work once. `inputs`: what it follows from, and nothing that depends on who
   * was ready first: a replay comes by the same facts whatever the order.
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
    for (const body of facts) this.#view = foldTeam(this.#view, readAs(body));
    return value;
  }

  /** Records what follows from what is known. */
  record(key: string, inputs: unknown, facts: readonly FactBody[]): Promise<void> {
    return this.act(key, inputs, () => ({ value: undefined, facts })).then(() => undefined);
  }

  /** Looks at the workshop without recording any fact of it. */
  look<T>(key: string, inputs: unknown, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return this.run.step(key, inputs, ({ signal }) => work(signal));
  }

  /** Asks the person, one thing at a time: tasks that work side by side may want to know at once. */
  askPerson(key: string, question: GateQuestion): Promise<GateAnswer> {
    const answer = this.#person.then(() => this.run.decide(key, question));
    this.#person = answer.catch(() => undefined);
    return answer;
  }

  /** Asks for a form, and again where the call fails. `how`: otherwise than by a single call. */
  async ask<T>(key: string, question: Question<T>, how?: Asking): Promise<Answered<T>> {
    const { seat, level, cast, schema, timeoutMs, about, messages, ...rest } = question;
    return askForm(how ?? ((...given) => this.run.ask(...given)), key, {
      ...{ schema, timeoutMs },
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

/** Who of the cast plays a tier for a workstream or a domain; the one named for neither plays it for all. */
export function castOf(
  { cast }: TeamPlan,
  tier: TeamPlan['cast'][number]['tier'],
  of: { readonly workstream?: string; readonly domain?: string } = {},
): TeamPlan['cast'][number] | undefined {
  const own = cast.filter((one) => one.tier === tier);
  return (
    own.find(
      ({ workstream, domain }) =>
        (of.workstream !== undefined && workstream === of.workstream) ||
        (of.domain !== undefined && domain === of.domain),
    ) ?? own.find(({ workstream, domain }) => workstream === '' && domain === '')
  );
}

export function workstreamOf(plan: TeamPlan, id: string): Workstream | undefined {
  return plan.workstreams.find((one) => one.id === id);
}

/** A body as the fold reads it: neither its number nor its time matters to it. */
function readAs(body: FactBody): AnyFact {
  return { run: '', seq: 0, at: '', ...body };
}
