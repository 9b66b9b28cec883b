/** Models that answer as a test tells them to. */

import type { FailureCode } from '../../src/kernel/errors.ts';
import {
  type CallContext,
  type CommonResult,
  type ModelRequest,
  type ModelResult,
  type ModelSpec,
  type Models,
  NO_USAGE,
  type Seat,
  type Usage,
} from '../../src/kernel/model.ts';

const SPOKEN: CommonResult = {
  text: '',
  thinking: '',
  usage: { ...NO_USAGE, input: 10, output: 5 },
  latencyMs: 7,
  firstTokenMs: 3,
  attempts: 1,
  notes: [],
};

/**
 * Returns the result of a call that ended well, with the given text. By default the call used 10 input and 5
 * output tokens.
 */
export function makeAnswer(
  text: string,
  more: Partial<CommonResult> &
    Pick<Extract<ModelResult, { status: 'done' }>, 'value' | 'calls'> = {},
): ModelResult {
  return { status: 'done', ...SPOKEN, text, ...more };
}

/** Returns the result of a call that failed. `next` is what a person can do about it. */
export function makeFailure(code: FailureCode, message: string, next?: string): ModelResult {
  return { status: 'failed', ...SPOKEN, code, message, next };
}

/** Returns the result of a call that was stopped, with the text so far. */
export function makeStopped(text: string): ModelResult {
  return { status: 'stopped', ...SPOKEN, text };
}

/** Returns a seat whose role and title are its id. */
export function makeSeat(id: string, more: Partial<Seat> = {}): Seat {
  return { id, role: id, title: id, model: 'test/model-1', brief: `You are ${id}.`, ...more };
}

/** Returns a request to a seat, or to a new seat of the given id, with one message. */
export function makeModelRequest(seatOrId: string | Seat, text = 'Why?'): ModelRequest {
  return {
    task: 'test/question',
    seat: typeof seatOrId === 'string' ? makeSeat(seatOrId) : seatOrId,
    messages: [{ role: 'user', parts: [{ text }] }],
  };
}

/** Returns the texts of all messages of a request, joined by line breaks. */
export function textOf(asked: ModelRequest): string {
  return asked.messages.flatMap(({ parts }) => parts.map(({ text }) => text)).join('\n');
}

/** A function that returns the result of a call. */
type Script = (asked: ModelRequest, context: CallContext) => ModelResult | Promise<ModelResult>;

/**
 * Models that answer by a script, and keep their requests in order. Without a script, each answer is `<seat>
 * says <prompt>`. `price` returns the cost in dollars; by default calls cost nothing.
 */
export class ScriptedModels implements Models {
  /** The requests of all calls, in order. */
  readonly requests: ModelRequest[] = [];
  readonly #script: Script;
  readonly #price: (usage: Usage, model: ModelSpec) => number | undefined;

  constructor(
    script: Script = (asked) => makeAnswer(`${asked.seat.id} says ${textOf(asked)}`),
    price: (usage: Usage, model: ModelSpec) => number | undefined = () => 0,
  ) {
    this.#script = script;
    this.#price = price;
  }

  /** Returns the ids of the seats that were called, in order. */
  get asked(): string[] {
    return this.requests.map((request) => request.seat.id);
  }

  async call(asked: ModelRequest, context: CallContext): Promise<ModelResult> {
    this.requests.push(asked);
    return this.#script(asked, context);
  }

  price(model: ModelSpec, usage: Usage): number | undefined {
    return this.#price(usage, model);
  }
}

/** Streams a text, waits until the call is stopped, and returns the result of the stopped call. */
export async function streamUntilStopped(context: CallContext, text: string): Promise<ModelResult> {
  context.onEvent({ type: 'sent', attempt: 1 });
  context.onEvent({ type: 'text', text });
  await waitForAbort(context.signal);
  return makeStopped(text);
}

/** Resolves when a signal is aborted, or at once if it is aborted already. */
export function waitForAbort(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
}

/**
 * Models whose calls last until a test ends them, in any order. A call that is stopped ends with the text
 * `half of <seat>`.
 */
export class HeldModels implements Models {
  /** The ids of the seats that were called, in order. */
  readonly asked: string[] = [];
  readonly #held = new Map<string, (result: ModelResult) => void>();
  #changed: (() => void)[] = [];

  call(asked: ModelRequest, context: CallContext): Promise<ModelResult> {
    this.asked.push(asked.seat.id);
    return new Promise((resolve) => {
      this.#held.set(asked.seat.id, resolve);
      void waitForAbort(context.signal).then(() =>
        resolve(makeStopped(`half of ${asked.seat.id}`)),
      );
      for (const wake of this.#changed.splice(0)) wake();
    });
  }

  price(): number {
    return 0;
  }

  /** Resolves when `count` calls have begun since the start. */
  async waitForCalls(count: number): Promise<void> {
    while (this.asked.length < count)
      await new Promise<void>((resolve) => this.#changed.push(resolve));
  }

  /**
   * Ends the latest call of a seat with a result.
   * @throws Error if the seat was never called
   */
  endCall(seat: string, result: ModelResult = makeAnswer(`${seat} says so`)): void {
    const end = this.#held.get(seat);
    if (end === undefined) throw new Error(`${seat} is not being asked`);
    end(result);
  }
}
