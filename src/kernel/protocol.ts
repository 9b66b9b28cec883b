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

/** What a protocol receives when an attempt begins. */
export interface RunContext<C, Q extends Request = Request> {
  readonly question: string;
  readonly seats: readonly Seat[];
  /** The protocol's settings, checked by its schema. */
  readonly config: C;
  /** What the person asks of this attempt. */
  readonly request: Q;
  /**
   * The state of the run at the beginning of the attempt. At the first attempt the state has no
   * answers.
   */
  readonly past: RunView;
  /** All facts of the log at the beginning of the attempt, for a protocol that computes a state of its own. */
  readonly facts: readonly AnyFact[];
  /** The run's copy of a repository; absent for runs that do not work on one. */
  readonly workshop?: Workshop | undefined;
}

/** How an attempt of a protocol ended. */
export interface Outcome {
  readonly status: 'done' | 'failed';
  /** Why the attempt failed, as a sentence. */
  readonly reason?: string;
}

/** A recorded run: its view and its facts. */
export interface RecordedRun {
  readonly view: RunView;
  readonly facts: readonly AnyFact[];
}

/**
 * What a person asks of a run that is not running. Names of models and seats are already checked;
 * the protocol decides whether it supports the request and what to do.
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
   * Writes the synthesis several times more, each time without one of the seats, to see whose answer
   * matters. `of` is the version of the synthesis; absent: the latest that this can be done for.
   */
  | { readonly kind: 'weigh'; readonly of?: number | undefined };

/**
 * A change that a fork makes to the run it is copied from: `seat.critic.model=…`,
 * `claim.C-2-1.text=…`, `verifier=…`.
 */
export type Change =
  | { readonly kind: 'seat'; readonly seat: string; readonly value: string }
  | { readonly kind: 'claim'; readonly claim: string; readonly value: string }
  | { readonly kind: 'synthesizer'; readonly value: string }
  | { readonly kind: 'verifier'; readonly value: string };

/**
 * The seats and settings with which a fork begins. A fork is a run that copies the steps of another
 * run up to some change.
 */
export interface ForkOpening {
  readonly seats: readonly Seat[];
  readonly config: Record<string, unknown>;
}

/** A value in the opening of an imported run that makes the run impossible to continue. */
export interface ConfigProblem {
  /** The path of the invalid value within `run.started`. */
  readonly path: readonly PropertyKey[];
  /** What is wrong with the value, as a sentence. */
  readonly message: string;
}

/**
 * A model's result in the entrance test, which a run gives to models before they may check claims
 * against documents.
 */
export interface Entrance {
  readonly model: ModelSpec;
  /** The time of the test, in ISO 8601. */
  readonly at: string;
  /** The number of items in the test. */
  readonly items: number;
  /** The number of items without a right answer, including items that were not answered. */
  readonly errors: number;
  /** The number of items that are false or undecided by the text, and that the model called true. */
  readonly calledTrue: number;
}

/**
 * A protocol: a plain async function over a durable run, with schemas of its settings and requests.
 */
export interface Protocol<C = unknown, Q extends Request = Request> {
  readonly name: string;
  /** The schema of the protocol's settings. */
  readonly config: z.ZodType<C>;
  /** The schema of the requests that runs of the protocol accept. Every protocol accepts `convene`. */
  readonly requests: z.ZodType<Q>;
  /**
   * The schema of the inputs that a running run accepts from a person; absent if it accepts none.
   */
  readonly controls?: z.ZodType<Control>;
  /** Carries out one attempt. Everything that must be repeatable goes through `run`. */
  execute(run: Run, context: RunContext<C, Q>): Promise<Outcome>;
  /**
   * Returns the steps whose failed calls a later attempt or a fork makes again. `config` holds the
   * settings of the later attempt or the fork. Absent: the steps that `unsettledFailures` returns.
   */
  readonly unsettled?: (facts: readonly AnyFact[], config: unknown) => readonly string[];
  /**
   * Returns the request that carries out what the person wants. Absent: runs of this protocol can
   * only be resumed.
   * @throws DeliberateError if the run does not support the action, or has nothing left to do
   */
  readonly request?: (past: RecordedRun, wanted: RunAction) => Q;
  /**
   * Returns the parent's seats and settings with the changes applied. `at` is the step that the
   * fork begins at. Absent: only the seats' models can be changed.
   * @throws UsageError if a change has nothing to apply to
   */
  readonly fork?: (past: RecordedRun, at: string, changes: readonly Change[]) => ForkOpening;
  /**
   * True if calls of a run are more than five minutes apart, the time that providers cache prompts
   * for. Prompts are then cached for an hour where the provider supports this at a higher price.
   * Absent: calls follow one another closely.
   */
  readonly longPauses?: boolean;
  /**
   * Returns the results of the entrance tests (see `Entrance`) among the facts of one attempt. They
   * are stored in the models' profiles.
   */
  readonly entrances?: (facts: readonly AnyFact[]) => readonly Entrance[];
  /**
   * Returns a sentence on the state of the work, for a person who is asked whether to exceed the budget;
   * may be empty.
   */
  readonly standing?: (facts: readonly AnyFact[]) => string;
  /**
   * Returns the first problem in the settings that a schema cannot find, such as a name that is no
   * seat's; undefined if there is none.
   */
  readonly unsound?: (seats: readonly Seat[], config: C) => ConfigProblem | undefined;
}
