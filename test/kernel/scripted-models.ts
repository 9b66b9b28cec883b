/** Models that say what a test tells them to. */

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

export function makeAnswer(
  text: string,
  more: Partial<CommonResult> &
    Pick<Extract<ModelResult, { status: 'done' }>, 'value' | 'calls'> = {},
): ModelResult {
  return { status: 'done', ...SPOKEN, text, ...more };
}

export function makeFailure(code: FailureCode, message: string, next?: string): ModelResult {
  return { status: 'failed', ...SPOKEN, code, message, next };
}

export function makeStopped(text: string): ModelResult {
  return { status: 'stopped', ...SPOKEN, text };
}

export function makeSeat(id: string, more: Partial<Seat> = {}): Seat {
  return { id, role: id, title: id, model: 'test/model-1', brief: `You are ${id}.`, ...more };
}

export function makeModelRequest(seatOrId: string | Seat, text = 'Why?'): ModelRequest {
  return {
    task: 'test/question',
    seat: typeof seatOrId === 'string' ? makeSeat(seatOrId) : seatOrId,
    messages: [{ role: 'user', parts: [{ text }] }],
  };
}

export function textOf(asked: ModelRequest): string {
  return asked.messages.flatMap(({ parts }) => parts.map(({ text }) => text)).join('\n');
}

type Script = (asked: ModelRequest, context: CallContext) => ModelResult | Promise<ModelResult>;

/** Answers by a script; without one, `<seat> says <prompt>`. */
export class ScriptedModels implements Models {
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

  /** The seats that were asked, in order. */
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

/** Streams a piece of text, then nothing until the call is stopped. */
export async function streamUntilStopped(context: CallContext, text: string): Promise<ModelResult> {
  context.onEvent({ type: 'sent', attempt: 1 });
  context.onEvent({ type: 'text', text });
  await waitForAbort(context.signal);
  return makeStopped(text);
}

export function waitForAbort(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
}

/** Models whose calls wait until the test ends them, in whatever order it likes. */
export class HeldModels implements Models {
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

  /** Resolves when `count` calls were begun altogether. */
  async waitForCalls(count: number): Promise<void> {
    while (this.asked.length < count)
      await new Promise<void>((resolve) => this.#changed.push(resolve));
  }

  endCall(seat: string, result: ModelResult = makeAnswer(`${seat} says so`)): void {
    const end = this.#held.get(seat);
    if (end === undefined) throw new Error(`${seat} is not being asked`);
    end(result);
  }
}
