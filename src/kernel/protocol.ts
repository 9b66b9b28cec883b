/**
 * The interface of a protocol: how it deliberates, and every rule about its runs. The kernel, the store and
 * the commands know protocols only through this interface and never ask for a protocol's name.
 */
import type * as z from 'zod';
import type { Control, Request } from './facts.ts';
import type { Run } from './handle.ts';
import type { ModelSpec, Seat } from './model.ts';
import type { Workshop } from './tools/workshop.ts';
import type { RunView } from './view.ts';
import type { AnyFact } from './vocabulary.ts';

/** What a protocol is given when an attempt begins. */
export interface RunContext<C, Q extends Request = Request> {
  readonly question: string;
  readonly seats: readonly Seat[];
  readonly config: C;
  readonly request: Q;
  /** The view of the run's log at the beginning of the attempt. It has no answers at the first attempt. */
  readonly past: RunView;
  /** The facts of the log, for a protocol with its own fold. */
  readonly facts: readonly AnyFact[];
  /** The place where work on a repository is done; only for runs that have one. */
  readonly workshop?: Workshop | undefined;
}

/** How an attempt of a protocol ended. */
export interface Outcome {
  readonly status: 'done' | 'failed';
  readonly reason?: string;
}

/** A recorded run: its view and its facts. */
export interface RecordedRun {
  readonly view: RunView;
  readonly facts: readonly AnyFact[];
}

/**
 * What a person asks of a run that is not running. Names of models and seats in it were checked; whether
 * the protocol supports the request, and what it then does, is the protocol's to decide.
 */
export type RunAction =
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
   * An ablation, under the name that runs record. `of`: the version of the synthesis to ablate; absent: the
   * latest that can be ablated.
   */
  | { readonly kind: 'weigh'; readonly of?: number | undefined };

/** A change that a fork makes: `seat.critic.model=…`, `claim.C-2-1.text=…`, `verifier=…`. */
export type Change =
  | { readonly kind: 'seat'; readonly seat: string; readonly value: string }
  | { readonly kind: 'claim'; readonly claim: string; readonly value: string }
  | { readonly kind: 'synthesizer'; readonly value: string }
  | { readonly kind: 'verifier'; readonly value: string };

/** The seats and settings that a forked run begins with. */
export interface ForkOpening {
  readonly seats: readonly Seat[];
  readonly config: Record<string, unknown>;
}

/**
 * A problem in the opening of an imported run that makes it impossible to continue, and where the problem
 * is.
 */
export interface ConfigProblem {
  /** The path of the invalid value within `run.started`. */
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** A model's result in the entrance test for readers that a run held. */
export interface Entrance {
  readonly model: ModelSpec;
  /** ISO 8601. */
  readonly at: string;
  readonly items: number;
  readonly errors: number;
  /** The number of false items that the model called true. */
  readonly calledTrue: number;
}

/** A way to deliberate: a plain async function over a durable run. */
export interface Protocol<C = unknown, Q extends Request = Request> {
  readonly name: string;
  readonly config: z.ZodType<C>;
  /** The requests that its runs accept; every protocol accepts `convene`. */
  readonly requests: z.ZodType<Q>;
  /** The inputs that it accepts from a person while it runs; absent if none. */
  readonly controls?: z.ZodType<Control>;
  execute(run: Run, context: RunContext<C, Q>): Promise<Outcome>;
  /**
   * Returns the failed calls of a log that are asked again when a later attempt or a fork begins; absent:
   * `unsettledFailures` of the session decides. `config`: the settings of the later attempt.
   */
  readonly unsettled?: (facts: readonly AnyFact[], config: unknown) => readonly string[];
  /**
   * Returns the request that carries out what the person wants; absent: its runs can only be resumed.
   * @throws DeliberateError if the run does not support it, or has nothing left to do
   */
  readonly request?: (past: RecordedRun, wanted: RunAction) => Q;
  /**
   * Returns the parent's seats and settings with the changes applied; absent: only the seats' models can be
   * changed.
   * @throws UsageError if a change has nothing to apply to
   */
  readonly fork?: (past: RecordedRun, at: string, changes: readonly Change[]) => ForkOpening;
  /**
   * True if its phases are more than the five minutes apart for which prompts are cached. Prompts are then
   * cached for an hour where the provider supports it, which costs more. Absent: calls follow one another
   * closely.
   */
  readonly longPauses?: boolean;
  /**
   * Returns the results of the entrance tests among the facts of one attempt. They are stored in the
   * models' profiles.
   */
  readonly entrances?: (facts: readonly AnyFact[]) => readonly Entrance[];
  /**
   * Returns a sentence on the state of the work, for a person who is asked whether to exceed the budget;
   * may be empty.
   */
  readonly standing?: (facts: readonly AnyFact[]) => string;
  /**
   * Checks what the schema of its settings cannot: that names in them are names of seats. Returns the first
   * problem.
   */
  readonly unsound?: (seats: readonly Seat[], config: C) => ConfigProblem | undefined;
}
