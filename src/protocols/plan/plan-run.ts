/** Bundles what every phase of a plan uses: the run, its seats and settings, and the folded state. */
import type * as z from 'zod';
import type { Run } from '../../kernel/handle.ts';
import type { Message, MessagePart, PromptContents, Seat } from '../../kernel/model.ts';
import { toFoldable } from '../../kernel/vocabulary.ts';
import { askForm, type FormAnswer, type SeatAsker } from '../common/asking/ask-form.ts';
import { insertAttached, makeAttachedPart } from '../common/prompts/attached.ts';
import { editionOf, type PlanConfig } from './config.ts';
import type { FactBody } from './facts.ts';
import { EMPTY_PLAN, foldPlan, type PlanView } from './fold.ts';
import { isFrom } from './steps.ts';

interface Question<T> {
  /** The name of the task, such as `plan/speak`, which prompts, tests and the rehearsal refer to. */
  readonly task: string;
  /** The id of the seat that is asked. */
  readonly seat: string;
  /** Overrides the seat's own model. */
  readonly model?: string;
  readonly about?: Omit<PromptContents, 'question'>;
  readonly messages: readonly Message[];
  /** Whether the seat is shown the attached documents, behind the topic. */
  readonly isShownAttached?: boolean;
  readonly schema: z.ZodType<T>;
  readonly timeoutMs?: number;
}

/** A running plan: its settings, its state, and the functions that all phases use. */
export class PlanRun {
  readonly run: Run;
  readonly topic: string;
  readonly config: PlanConfig;
  /** The seats of specialists, in order. */
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
    this.#attached = makeAttachedPart(config);
    this.roles = seats.filter(({ id }) => Object.hasOwn(config.roles, id));
  }

  /**
   * The state folded from all facts that `record` has written so far or, in a resumed run, has found on record.
   */
  get view(): PlanView {
    return this.#view;
  }

  /**
   * Returns a seat with the model that plays it in the step `key`. A fork may have changed the model from a
   * step on.
   * @throws Error if the seat does not exist
   */
  seat(id: string, key: string): Seat {
    const seat = this.#seats.get(id);
    if (seat === undefined) throw new Error(`a plan without a seat ${id}`);
    const change = this.config.changes?.findLast(
      (change) => change.seat === id && isFrom(key, change.from),
    );
    return change === undefined ? seat : { ...seat, model: change.model };
  }

  /** Returns the title of a seat, or the id itself if there is no such seat. */
  title(id: string): string {
    return this.#seats.get(id)?.title ?? id;
  }

  /** Returns the clusters (domains of documents) that a seat may be shown. */
  clustersOf(seat: string): readonly string[] {
    const role = Object.hasOwn(this.config.roles, seat) ? this.config.roles[seat] : undefined;
    return role?.clusters ?? [];
  }

  /**
   * Records facts in a step of their own. A resumed run does not record them again.
   * @param inputs identify the step, together with `facts`; if both are the same, a replay finds the recorded facts
   */
  async record(key: string, inputs: unknown, facts: readonly FactBody[]): Promise<void> {
    const kept = await this.run.step(key, { inputs, facts }, ({ emit }) => {
      for (const body of facts) emit(body);
      return facts;
    });
    for (const body of kept) this.#view = foldPlan(this.#view, toFoldable(body));
  }

  /**
   * Asks a seat for an answer of the question's schema, up to three times; see `askForm`. Resolves to the answer as
   * `value`, or to `why` there is none.
   * @param how replaces the single call, such as by a conversation with tools
   */
  async ask<T>(key: string, question: Question<T>, how?: SeatAsker): Promise<FormAnswer<T>> {
    const { seat, model, schema, timeoutMs, about, messages, isShownAttached, ...rest } = question;
    const attached = isShownAttached === true ? this.#attached : undefined;
    return askForm(how ?? ((...given) => this.run.ask(...given)), key, {
      schema,
      timeoutMs,
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
