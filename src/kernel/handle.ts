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
import type { ModelRequest, ModelSpec, SpentTotal, Usage } from './model.ts';
import type { ToolInfo, ToolResult, ToolUse } from './tools/tools.ts';
import type { AnyBody } from './vocabulary.ts';

/** Options of a single call, see `Run.ask`. */
export interface AskOptions {
  /**
   * Returns facts that follow from the reply; they are recorded in the same transaction. Not called
   * if the call was stopped.
   */
  readonly conclude?: (reply: Reply) => readonly AnyBody[];
  /** True: asks again even if the log has an answer or a failure. */
  readonly again?: boolean;
  /** Stops only this call when aborted; the reply then has the status `stopped`. */
  readonly signal?: AbortSignal;
  /**
   * The time limit in milliseconds. When the limit is reached, the reply is a failure with the text
   * received so far. The clock starts when the request is sent; time in a queue does not count.
   */
  readonly timeoutMs?: number | undefined;
}

/** A person's request to ask a seat again, with another model if one is named. */
export interface Retry {
  /** The model that answers in place of the seat's own; absent if the seat keeps its model. */
  readonly model?: string;
}

/** What a step's work function may use. */
export interface WorkContext {
  /** Records a fact in the same transaction as the step's result. */
  emit(body: AnyBody): void;
  /** Aborted when the run is stopped or a time limit is reached. */
  readonly signal: AbortSignal;
}

/** One answer that a person can choose at a gate. */
export interface GateOption {
  /** The recorded name of the option. */
  readonly value: string;
  /** The text that the person sees. */
  readonly label: string;
  /**
   * The label of an input, if the option asks the person for a text. The recorded answer is then
   * `value: TEXT`.
   */
  readonly words?: string | undefined;
  /** The initial text of that input, which the person can edit. */
  readonly draft?: string | undefined;
}

/**
 * A question to the person who runs the program; the run waits at this "gate" until it is answered.
 */
export interface GateQuestion {
  readonly prompt: string;
  readonly options: readonly GateOption[];
  /**
   * The value of the option that is preselected. It is also the answer if the person wants no questions, as with
   * `--yes`.
   */
  readonly default: string;
  /** The change that the question is about, in the format of `git diff`. A console can open it. */
  readonly diff?: string | undefined;
}

/** The answer to a gate, and whether a person, the default or another program gave it. */
export interface GateAnswer {
  readonly answer: string;
  /** Who gave the answer, such as `person` or `default`. */
  readonly by: FactOf<'gate.answered'>['by'];
}

/**
 * A function that answers a gate (a recorded question to a person) at the given step.
 *
 * @throws RunStopped if nobody can answer
 */
export type Answerer = (
  step: string,
  question: GateQuestion,
  signal: AbortSignal,
) => Promise<GateAnswer>;

/**
 * Splits a gate's recorded answer, `value` or `value: TEXT`, into the chosen option and the text.
 * `words` is empty if the answer has no text.
 */
export function readAnswer(answer: string): { readonly value: string; readonly words: string } {
  const at = answer.indexOf(': ');
  return at < 0
    ? { value: answer, words: '' }
    : { value: answer.slice(0, at), words: answer.slice(at + 2) };
}

/** An input that a person gave to a run, with the id under which the input is recorded. */
export interface GivenControl {
  readonly id: string;
  readonly control: Control;
}

/**
 * The durable run, as its protocol sees it. Everything that a protocol waits for goes through these
 * methods, so that a resumed run gets the recorded results.
 */
export interface Run {
  /** The id of the run. */
  readonly id: string;
  /** Aborted when the run is stopped or a time limit of `within` is reached. */
  readonly signal: AbortSignal;
  /**
   * Does a piece of work once and records the result under the key and a hash of `inputs`. A later
   * attempt with the same key and inputs gets the recorded result. `inputs` and the result must be
   * JSON-serialisable.
   * @throws RunStopped if the run was stopped and the step is not recorded; TimeIsUp after the time
   * limit of `within`; otherwise whatever `work` throws
   */
  step<T>(key: string, inputs: unknown, work: (context: WorkContext) => T | Promise<T>): Promise<T>;
  /**
   * Asks a model once and records the reply under the key; a later attempt gets the recorded reply. The reply
   * has the status `stopped` if a person, a signal or the end of the run stopped the call while it ran. A
   * stopped call is made again by a later attempt.
   * @throws RunStopped if the run was stopped before the call began, or if the budget does not allow the call
   */
  ask(key: string, request: ModelRequest, options?: AskOptions): Promise<Reply>;
  /** The tools that seats may use; empty if the run has none. */
  readonly tools: readonly ToolInfo[];
  /**
   * Uses a tool for a seat and records the result, with an id if a seat can cite the result; a replay
   * returns the recorded result. `offered` lists the tools that the seat may use; it is absent if the protocol
   * itself uses the tool. The call is refused if the tool is not in `offered`, or if the call has a
   * `refusal`. The refusal is recorded as the result.
   * @throws RunStopped if the run was stopped before the tool answered
   */
  callTool(
    key: string,
    seat: string,
    call: ToolUse,
    offered?: readonly string[],
  ): Promise<ToolResult>;
  /**
   * Asks the person a question and waits for the answer, which is recorded under the key. A later
   * attempt with the same options and default gets the recorded answer.
   * @throws RunStopped if nobody can answer
   */
  gate(key: string, question: GateQuestion): Promise<string>;
  /** Asks the person as `gate` does, and also returns who answered. */
  decide(key: string, question: GateQuestion): Promise<GateAnswer>;
  /**
   * Returns the person's inputs since the previous `takeInput`. The result is recorded under the
   * key, so that a replay gets the same inputs at this point.
   */
  takeInput(key: string): Promise<readonly Control[]>;
  /**
   * Returns the cost in US dollars of a call with this usage; undefined if no price is known for
   * the model.
   */
  price(model: ModelSpec, usage: Usage): number | undefined;
  /** Returns the same run with `name/` put before every key. */
  scope(name: string): Run;
  /**
   * Runs `work` for at most `ms` milliseconds, with `name/` put before its keys. Time in queues and
   * time spent waiting for people count. When the limit is reached, running calls are stopped and
   * the result is undefined. A reached limit is recorded, and a replay returns undefined at once
   * unless `again` is set. If the program died before the limit, a later attempt has the whole time
   * again.
   */
  within<T>(
    name: string,
    ms: number,
    work: (run: Run) => Promise<T>,
    options?: { readonly again?: boolean },
  ): Promise<T | undefined>;
  /**
   * Sums the usage and cost of the calls of this scope, earlier attempts included. `of` selects the
   * steps that count, by their keys within the scope; absent: all.
   */
  spent(of?: (step: string) => boolean): SpentTotal;
  /**
   * Waits for the person's request to ask a seat again. Resolves to false if `until` settles first, or if the
   * run was stopped already.
   */
  again(seat: string, until: Promise<unknown>): Promise<Retry | false>;
  /**
   * Waits for `ms` milliseconds. `begin` makes a fact from the end time of the wait; the fact is
   * recorded at once, and a replay with the same key waits only for the remaining time. Resolves to
   * true after the whole time, and to false if `until` settled or the run was stopped first.
   */
  wait(
    key: string,
    ms: number,
    begin: (until: string) => AnyBody,
    until: Promise<unknown>,
  ): Promise<boolean>;
}
