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
import type { ModelRequest, ModelSpec, Spent, Usage } from './model.ts';
import type { ToolCall, ToolInfo, ToolResult } from './tools/tools.ts';
import type { AnyBody } from './vocabulary.ts';

export interface AskOptions {
  /** Facts that follow from the reply, recorded in the same transaction. Not called for a stop. */
  readonly conclude?: (reply: Reply) => readonly AnyBody[];
  /** Asks again even if an answer or a failure is recorded. */
  readonly again?: boolean;
  /** Stops only this call; the reply is then `stopped`. */
  readonly signal?: AbortSignal;
  /**
   * The time limit in milliseconds. The reply is then a failure with the text received so far. The clock
   * starts when the request is sent; time in a queue does not count.
   */
  readonly timeoutMs?: number | undefined;
}

/** A person's request to ask a seat again, with another model if one is named. */
export interface Retry {
  readonly model?: string;
}

/** What the work of a step may use. */
export interface WorkContext {
  /** Records a fact together with the step's result. */
  emit(body: AnyBody): void;
  readonly signal: AbortSignal;
}

/** An answer that a gate offers. */
export interface GateOption {
  readonly value: string;
  readonly label: string;
  /** What the person is asked to write with this option; the answer is then `value: what they wrote`. */
  readonly words?: string | undefined;
  /** The initial text of the input, for the person to edit. */
  readonly draft?: string | undefined;
}

/** A question to the person at the console. */
export interface GateQuestion {
  readonly prompt: string;
  readonly options: readonly GateOption[];
  readonly default: string;
  /** The change that the question is about, in the format of `git diff`. A console can open it. */
  readonly diff?: string | undefined;
}

/** The answer to a gate, and who gave it. */
export interface GateAnswer {
  readonly answer: string;
  readonly by: FactOf<'gate.answered'>['by'];
}

/** Answers a gate. Throws RunStopped if nobody can answer. */
export type Answerer = (
  step: string,
  question: GateQuestion,
  signal: AbortSignal,
) => Promise<GateAnswer>;

/** Splits a gate's answer into the chosen option and the text that was written with it. */
export function readAnswer(answer: string): { readonly value: string; readonly words: string } {
  const at = answer.indexOf(': ');
  return at < 0
    ? { value: answer, words: '' }
    : { value: answer.slice(0, at), words: answer.slice(at + 2) };
}

/** A person's input that is recorded and that the protocol has not taken yet. */
export interface GivenControl {
  readonly id: string;
  readonly control: Control;
}

/** The durable run, as its protocol sees it. */
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
   * Asks a model once. The reply is `stopped` if a person stopped the call while it ran.
   * @throws RunStopped if the run was stopped before the call began.
   */
  ask(key: string, request: ModelRequest, options?: AskOptions): Promise<Reply>;
  /** The tools that seats may use; empty if the run has none. */
  readonly tools: readonly ToolInfo[];
  /**
   * Uses a tool once: the result is recorded under an id of its own and never looked up again. `offered`:
   * the names of the tools that the seat was offered; any other tool is refused, and the refusal is
   * recorded. Absent if the protocol itself uses the tool.
   * @throws RunStopped if the run was stopped before the tool answered.
   */
  callTool(
    key: string,
    seat: string,
    call: Omit<ToolCall, 'id'>,
    offered?: readonly string[],
  ): Promise<ToolResult>;
  /** Waits for a person's answer, once. @throws RunStopped if nobody can answer. */
  gate(key: string, question: GateQuestion): Promise<string>;
  /** Does the same as `gate` and also returns who answered. */
  decide(key: string, question: GateQuestion): Promise<GateAnswer>;
  /**
   * Returns the person's inputs that no earlier `takeInput` has returned. The result is recorded, so that a
   * replay takes the same inputs at the same place.
   */
  takeInput(key: string): Promise<readonly Control[]>;
  /** Returns the cost of a call in US dollars; undefined if no price is known for the model. */
  price(model: ModelSpec, usage: Usage): number | undefined;
  /** Returns the same run with `name/` before every key. */
  scope(name: string): Run;
  /**
   * Runs `work` in the scope `name` for at most the given milliseconds, queueing and waiting for people
   * included. Returns undefined if the limit was reached; running calls are then stopped. That the limit
   * was reached is recorded, and a replay returns undefined at once unless `again` is set. If the program
   * died first, a later attempt has the whole time again.
   */
  within<T>(
    name: string,
    ms: number,
    work: (run: Run) => Promise<T>,
    options?: { readonly again?: boolean },
  ): Promise<T | undefined>;
  /**
   * Sums what the calls of this scope have taken so far, earlier attempts included. `of`: selects the steps
   * to sum.
   */
  spent(of?: (step: string) => boolean): Spent;
  /**
   * Resolves to the person's request when the person wants the seat asked again, or to false when `until`
   * settles.
   */
  again(seat: string, until: Promise<unknown>): Promise<Retry | false>;
  /**
   * Waits for a time. The fact that `begin` makes of the end of the wait is recorded at once; a replay of
   * the same key waits only for the rest. Resolves to true when the time is over, false if `until` settled
   * or the run was stopped first.
   */
  wait(
    key: string,
    ms: number,
    begin: (until: string) => AnyBody,
    until: Promise<unknown>,
  ): Promise<boolean>;
}
