/** What every phase of a plan has around it: the run, its seats and settings, and how it stands so far. */
import type * as z from 'zod';
import type { Run } from '../../kernel/handle.ts';
import type { About, Message, MessagePart, Seat } from '../../kernel/model.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { type Answered, type Asking, askForm } from '../common/ask-form.ts';
import { attachedPart, insertAttached } from '../common/attached.ts';
import { editionOf, type PlanConfig } from './config.ts';
import type { FactBody } from './facts.ts';
import { EMPTY_PLAN, foldPlan, type PlanView } from './fold.ts';
import { isFrom } from './steps.ts';

interface Question<T> {
  /** Whose task, and which: `plan/speak`. */
  readonly task: string;
  /** The seat that is asked. */
  readonly seat: string;
  /** Instead of the seat's own. */
  readonly model?: string;
  readonly about?: Omit<About, 'question'>;
  readonly messages: readonly Message[];
  /** Whether the seat is shown the attached documents, behind the topic. */
  readonly isShownAttached?: boolean;
  readonly schema: z.ZodType<T>;
  readonly timeoutMs?: number;
}

export class PlanRun {
  readonly run: Run;
  readonly topic: string;
  readonly config: PlanConfig;
  /** Those with a domain, in the order of their seats. */
  readonly roles: readonly Seat[];
  readonly #seats: ReadonlyMap<string, Seat>;
  readonly #attached: MessagePart | undefined;
  #view: PlanView;

  constructor(run: Run, topic: string, seats: readonly Seat[], config: PlanConfig) {
    this.run = run;
    this.topic = topic;
    this.config = config;
    this.#view = { ...EMPTY_PLAN, edition: editionOf(config) };
    this.#seats = new Map(seats.map((seat) => [seat.id, seat]));
    this.#attached = attachedPart(config);
    this.roles = seats.filter(({ id }) => Object.hasOwn(config.roles, id));
  }

  /** What the steps of this attempt have come by so far, those on record included. */
  get view(): PlanView {
    return this.#view;
  }

  /** `key`: the step that it is wanted for; a fork may give a seat another model from there on. */
  seat(id: string, key: string): Seat {
    const seat = this.#seats.get(id);
    if (seat === undefined) throw new Error(`a plan without a seat ${id}`);
    const change = this.config.changes?.findLast((one) => one.seat === id && isFrom(key, one.from));
    return change === undefined ? seat : { ...seat, model: change.model };
  }

  title(id: string): string {
    return this.#seats.get(id)?.title ?? id;
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
      for (const body of facts) emit(body);
      return facts;
    });
    for (const body of kept) this.#view = foldPlan(this.#view, readAs(body));
  }

  /** Asks for a form, and again where the call fails. `how`: otherwise than by a single call. */
  async ask<T>(key: string, question: Question<T>, how?: Asking): Promise<Answered<T>> {
    const { seat, model, schema, timeoutMs, about, messages, isShownAttached, ...rest } = question;
    const attached = isShownAttached === true ? this.#attached : undefined;
    return askForm(how ?? ((...given) => this.run.ask(...given)), key, {
      ...{ schema, timeoutMs },
      request: (step) => {
        const own = this.seat(seat, step);
        return {
          ...rest,
          messages: insertAttached(messages, attached),
          about: { question: this.topic, ...about },
          seat: model === undefined ? own : { ...own, model },
          schema,
          seed: this.config.seed,
        };
      },
    });
  }
}

/** A body as the fold reads it: neither its number nor its time matters to it. */
function readAs(body: FactBody): AnyFact {
  return { run: '', seq: 0, at: '', ...body };
}
