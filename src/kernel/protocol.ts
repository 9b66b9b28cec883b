/**
 * What a protocol says about itself: how it deliberates, and every rule about its runs that would else
 * be asked by its name elsewhere. The kernel, the store and the commands know protocols only as this.
 */
import type * as z from 'zod';
import type { Control, Request } from './facts.ts';
import type { Run } from './handle.ts';
import type { ModelSpec, Seat } from './model.ts';
import type { Workshop } from './tools/workshop.ts';
import type { RunView } from './view.ts';
import type { AnyFact } from './vocabulary.ts';

/** What lies on the table when an attempt begins. */
export interface RunContext<C, Q extends Request = Request> {
  readonly question: string;
  readonly seats: readonly Seat[];
  readonly config: C;
  readonly request: Q;
  /** What the run's log says so far: empty of answers at the first attempt. */
  readonly past: RunView;
  /** The log itself, for a protocol with a fold of its own. */
  readonly facts: readonly AnyFact[];
  /** Where work is done on a repository; only of runs that were given such a place. */
  readonly workshop?: Workshop | undefined;
}

export interface Outcome {
  readonly status: 'done' | 'failed';
  readonly reason?: string;
}

/** A run on record. */
export interface Past {
  readonly view: RunView;
  readonly facts: readonly AnyFact[];
}

/**
 * What a person wants of a run that rests. Models were checked to be named rightly, seats to be the
 * run's; whether the protocol has such a thing, and what it is for it, the protocol says.
 */
export type Wanted =
  | { readonly kind: 'resume' }
  | { readonly kind: 'ask'; readonly question: string }
  | { readonly kind: 'retry'; readonly seats: readonly string[]; readonly model?: string }
  | {
      readonly kind: 'resynthesize';
      readonly model?: string;
      readonly note?: string;
      readonly without?: readonly string[];
    }
  /**
   * An ablation, under the word that runs are recorded with. `of`: the synthesis to ablate; absent: the
   * latest that can be.
   */
  | { readonly kind: 'weigh'; readonly of?: number | undefined };

/** A change that a fork makes: `seat.critic.model=…`, `claim.C-2-1.text=…`, `verifier=…`. */
export type Change =
  | { readonly kind: 'seat'; readonly seat: string; readonly value: string }
  | { readonly kind: 'claim'; readonly claim: string; readonly value: string }
  | { readonly kind: 'synthesizer'; readonly value: string }
  | { readonly kind: 'verifier'; readonly value: string };

/** What a forked run begins with. */
export interface Forked {
  readonly seats: readonly Seat[];
  readonly config: Record<string, unknown>;
}

/** Something about the opening of an imported run that the protocol could not go on with, and where. */
export interface Unsound {
  /** Within `run.started`. */
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** How a model did at the reader's entrance while a run was held. */
export interface Entrance {
  readonly model: ModelSpec;
  /** ISO 8601. */
  readonly at: string;
  readonly items: number;
  readonly errors: number;
  /** Items that are not true and were called true. */
  readonly calledTrue: number;
}

/** A way of deliberating: a plain async function over a durable run. */
export interface Protocol<C = unknown, Q extends Request = Request> {
  readonly name: string;
  readonly config: z.ZodType<C>;
  /** What a run of it can be asked for; every protocol can be asked to `convene`. */
  readonly requests: z.ZodType<Q>;
  /** What a person may tell it while it works; absent where it takes nothing in. */
  readonly controls?: z.ZodType<Control>;
  execute(run: Run, context: RunContext<C, Q>): Promise<Outcome>;
  /**
   * The failed calls in a log that are asked again when somebody comes back to the run or forks it;
   * absent: `unsettledFailures` of the session. `config`: the settings of whoever comes back.
   */
  readonly unsettled?: (facts: readonly AnyFact[], config: unknown) => readonly string[];
  /**
   * The request that a wish comes to; absent: a run of it can only be resumed.
   * @throws DeliberateError where there is no such thing here, or nothing more to do
   */
  readonly request?: (past: Past, wanted: Wanted) => Q;
  /**
   * The parent's opening with the changes laid in; absent: other models can play the seats.
   * @throws UsageError where a change can change nothing
   */
  readonly fork?: (past: Past, at: string, changes: readonly Change[]) => Forked;
  /**
   * True: its phases lie further apart than the five minutes that prompts are cached for; they are then
   * kept for an hour where that can be had, which costs more. Absent: its calls follow one another.
   */
  readonly longPauses?: boolean;
  /** Readers' entrances that were held for it, of the facts of one attempt: kept with the models' profiles. */
  readonly entrances?: (facts: readonly AnyFact[]) => readonly Entrance[];
  /** How the work stands, for a person who is asked whether it goes on beyond the budget; may be empty. */
  readonly standing?: (facts: readonly AnyFact[]) => string;
  /** Checks what its schema of settings cannot: that names in them are those of seats. */
  readonly unsound?: (seats: readonly Seat[], config: C) => Unsound | undefined;
}
