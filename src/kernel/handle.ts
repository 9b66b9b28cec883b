/**
 * The interface that a protocol has to its durable run. A step runs once for its key and its inputs. When the
 * protocol is run again after a crash, finished steps return the recorded result, and only unfinished steps
 * do their work.
 *
 * A protocol awaits nothing but these methods: it uses no clock, randomness, file or network of its own. The
 * two methods that need a clock record facts. `wait` records when the wait will be over, so that a replay
 * waits only for the rest. `within` gives part of a run a time limit and records that the limit was reached,
 * so that a replay gives up at once. The time limit of one call (`timeoutMs` of `ask`) begins when its
 * request is sent.
 *
 * A fork uses its parent as a cache: a step that the fork has not recorded is looked up in the parent by key
 * and hash. Its record is copied, marked as inherited, and left out of every sum.
 *
 * The usage of a call is what its provider reported. If a call ended before the provider reported it, the
 * usage is estimated from the texts that were sent and received, and marked as `usage.estimated`. A sum with
 * an estimate in it has the mark too.
 */
import type { Reply } from './call.ts';
import type { Control, FactOf } from './facts.ts';
import type { ModelRequest, ModelSpec, Usage } from './model.ts';
import type { ToolCall, ToolInfo, ToolResult } from './tools/tools.ts';
import type { Spent } from './usage.ts';
import type { AnyBody } from './vocabulary.ts';

export interface AskOptions {
  /** Facts that follow from the reply, recorded in the same transaction. Not called for a stop. */
  readonly conclude?: (reply: Reply) => readonly AnyBody[];
  /** Ask even if an answer or a failure is recorded: a person wants another try. */
  readonly again?: boolean;
  /** Stops this call alone, as a person can: the reply is then `stopped`. */
  readonly signal?: AbortSignal;
  /**
   * The call is given up after so long, as a failure with what it had said. The clock starts when the
   * request is sent: what a call waits in a queue is not its model's fault.
   */
  readonly timeoutMs?: number | undefined;
}

/** A person's wish to have a seat asked again; by another model, if one is named. */
export interface Retry {
  readonly model?: string;
}

export interface WorkContext {
  /** Records a fact together with the step's result. */
  emit(body: AnyBody): void;
  readonly signal: AbortSignal;
}

export interface GateOption {
  readonly value: string;
  readonly label: string;
  /** What the person is asked to write with it; the answer is then `value: what they wrote`. */
  readonly words?: string | undefined;
  /** What stands in the box before they write: they edit it. */
  readonly draft?: string | undefined;
}

/** A question to the person at the console. */
export interface GateQuestion {
  readonly prompt: string;
  readonly options: readonly GateOption[];
  readonly default: string;
  /** The change that the question is about, as `git diff` writes it. A console can open the change. */
  readonly diff?: string | undefined;
}

/** What was answered, and by whom. */
export interface GateAnswer {
  readonly answer: string;
  readonly by: FactOf<'gate.answered'>['by'];
}

/** Answers a gate, or throws RunStopped where nobody can. */
export type Answerer = (
  step: string,
  question: GateQuestion,
  signal: AbortSignal,
) => Promise<GateAnswer>;

/** An answer apart: which option, and what was written with it. */
export function readAnswer(answer: string): { readonly value: string; readonly words: string } {
  const at = answer.indexOf(': ');
  return at < 0
    ? { value: answer, words: '' }
    : { value: answer.slice(0, at), words: answer.slice(at + 2) };
}

/** A person's word on its way to the protocol. */
export interface GivenControl {
  readonly id: string;
  readonly control: Control;
}

export interface Run {
  readonly id: string;
  /** Aborted when the run is stopped. */
  readonly signal: AbortSignal;
  /**
   * Does a piece of work once. `inputs` and the result are JSON-serialisable.
   * @throws RunStopped if the run was stopped and the step is not recorded; whatever `work` throws.
   */
  step<T>(key: string, inputs: unknown, work: (context: WorkContext) => T | Promise<T>): Promise<T>;
  /**
   * Asks a model once. The reply is `stopped` where a person stopped the call while it ran.
   * @throws RunStopped if the run was stopped before the call began.
   */
  ask(key: string, request: ModelRequest, options?: AskOptions): Promise<Reply>;
  /** What seats may look things up with; empty where the run was given nothing. */
  readonly tools: readonly ToolInfo[];
  /**
   * Uses a tool once: what it finds is recorded under an id of its own and never looked up again.
   * `offered`: the tools that the seat was told of; any other is refused, on record. Absent where the
   * protocol itself looks something up.
   * @throws RunStopped if the run was stopped before anything was found.
   */
  callTool(
    key: string,
    seat: string,
    call: Omit<ToolCall, 'id'>,
    offered?: readonly string[],
  ): Promise<ToolResult>;
  /** Waits for a person's answer, once. @throws RunStopped where nobody can answer. */
  gate(key: string, question: GateQuestion): Promise<string>;
  /** The same, with whose answer it is. */
  decide(key: string, question: GateQuestion): Promise<GateAnswer>;
  /**
   * What the person has said to the run and no earlier `takeInput` has returned. Recorded, so that a replay
   * takes the same words at the same place.
   */
  takeInput(key: string): Promise<readonly Control[]>;
  /** USD for what a call took; undefined where no price is known for the model. */
  price(model: ModelSpec, usage: Usage): number | undefined;
  /** The same run with `name/` before every key. */
  scope(name: string): Run;
  /**
   * Works in the scope `name` for at most so many milliseconds, waiting for places and people included;
   * undefined where it was given up, its running calls stopped. That it was is recorded: a replay gives
   * it up at once, unless it is to be tried `again`. Where it was not over when the program died, a
   * later attempt has all the time once more.
   */
  within<T>(
    name: string,
    ms: number,
    work: (run: Run) => Promise<T>,
    options?: { readonly again?: boolean },
  ): Promise<T | undefined>;
  /** What the calls of this scope have taken so far, those of earlier attempts included. `of`: which steps. */
  spent(of?: (step: string) => boolean): Spent;
  /** Resolves as soon as the person wants the seat asked again; false once `until` settles. */
  again(seat: string, until: Promise<unknown>): Promise<Retry | false>;
  /**
   * Lets time pass. What `begin` makes of the moment at which it is over is recorded at once; a replay
   * of the same key waits for the rest. True when the time is over, false where `until` settled or the
   * run was stopped before.
   */
  wait(
    key: string,
    ms: number,
    begin: (until: string) => AnyBody,
    until: Promise<unknown>,
  ): Promise<boolean>;
}
