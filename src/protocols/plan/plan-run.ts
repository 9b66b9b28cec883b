/** What every phase of a plan has around it: the run, its seats and settings, and how it stands so far. */
import type { Reply } from '../../kernel/call.ts';
import type { AskOptions, Run } from '../../kernel/handle.ts';
import type { ModelRequest, Seat } from '../../kernel/model.ts';
import type { AnyBody } from '../../kernel/vocabulary.ts';
import { CHAIR, type PlanConfig } from './config.ts';
import type { FactBody } from './facts.ts';
import { EMPTY_PLAN, foldPlan, type PlanView } from './fold.ts';

/** A phase that fails is tried again so often; then what it was to give is missing, by name. */
const TRIES = 3;

/** An answer of the form that was asked for, or why there is none. */
export type Answered<T> = { readonly value: T } | { readonly why: string };

export class PlanRun {
  readonly run: Run;
  readonly topic: string;
  readonly config: PlanConfig;
  /** Those with clusters, in the order of their seats. */
  readonly roles: readonly Seat[];
  readonly #seats: ReadonlyMap<string, Seat>;
  #view: PlanView = EMPTY_PLAN;

  constructor(run: Run, topic: string, seats: readonly Seat[], config: PlanConfig) {
    this.run = run;
    this.topic = topic;
    this.config = config;
    this.#seats = new Map(seats.map((seat) => [seat.id, seat]));
    this.roles = seats.filter(({ id }) => Object.hasOwn(config.roles, id));
  }

  /** Everything recorded by the steps of this attempt and those before, as they are come by. */
  get view(): PlanView {
    return this.#view;
  }

  seat(id: string): Seat {
    const seat = this.#seats.get(id) ?? this.#seats.get(CHAIR);
    if (seat === undefined) throw new Error(`a plan without a seat ${id} or ${CHAIR}`);
    return seat;
  }

  clustersOf(seat: string): readonly string[] {
    const role = Object.hasOwn(this.config.roles, seat) ? this.config.roles[seat] : undefined;
    return role?.clusters ?? [];
  }

  /**
   * Records what follows from what is known, as one step: its result is what it emits, so that a replay
   * comes by the same view. `inputs`: what it follows from.
   */
  async record(key: string, inputs: unknown, facts: readonly FactBody[]): Promise<void> {
    const kept = await this.run.step(key, { inputs, facts }, ({ emit }) => {
      for (const body of facts) emit(body as AnyBody);
      return facts;
    });
    const at = new Date(0).toISOString();
    for (const body of kept) this.#view = foldPlan(this.#view, { ...body, id: 0, at } as never);
  }

  /** Asks for a form, and again where the call fails; `read` says what is wrong with an answer, if anything. */
  async ask<T>(
    key: string,
    request: Omit<ModelRequest, 'seed'>,
    read: (value: unknown) => T | undefined,
    options: AskOptions = {},
    how: (key: string, request: ModelRequest, options: AskOptions) => Promise<Reply> = (...given) =>
      this.run.ask(...given),
  ): Promise<Answered<T>> {
    let why = 'it was not asked';
    for (let attempt = 1; attempt <= TRIES; attempt += 1) {
      const step = attempt === 1 ? key : `${key}/try-${attempt}`;
      const reply = await how(step, { ...request, seed: this.config.seed }, options);
      if (reply.status === 'done') {
        const value = read(reply.value);
        if (value !== undefined) return { value };
        why = 'its answer has not the form that was asked for';
      } else if (reply.status === 'failed') why = reply.message;
      // Whoever stopped a seat does not want it asked again.
      else return { why: 'stopped' };
    }
    return { why };
  }
}
