/** Makes the calls of one attempt: records when each begins and how it ended, and ends them early. */
import { randomUUID } from 'node:crypto';
import type { Budget } from '../budget.ts';
import type { Bus } from '../bus.ts';
import { callFact, type IdentifiedRequest, type Reply, toDefectReply, toTimeout } from '../call.ts';
import { fact } from '../facts.ts';
import type { AskOptions } from '../handle.ts';
import type { Journal } from '../journal.ts';
import type { CallContext, Models } from '../model.ts';
import type { Tools } from '../tools/tools.ts';
import { withPlausibleUsage } from '../usage.ts';
import type { Recorder } from './recorder.ts';

/** The parts of a run that its calls use, such as its journal and its budget. */
export interface CallParts {
  readonly journal: Journal;
  readonly bus: Bus;
  readonly models: Models;
  readonly budget: Budget;
  /** The tools that seats may use. */
  readonly tools?: Tools | undefined;
  /** True if calls are more than five minutes apart; see `Protocol.longPauses`. */
  readonly longPauses?: boolean | undefined;
}

/** The running calls of an attempt: makes calls, and stops those of a seat. */
export class RunningCalls {
  readonly #parts: CallParts;
  readonly #recorder: Recorder;
  /** The running calls by step. */
  readonly #running = new Map<string, { seat: string; abort: AbortController }>();

  constructor(parts: CallParts, recorder: Recorder) {
    this.#parts = parts;
    this.#recorder = recorder;
  }

  /** Stops the running calls of a seat. Returns false if the seat has none. */
  stop(seat: string): boolean {
    const calls = [...this.#running.values()].filter((call) => call.seat === seat);
    for (const { abort } of calls) abort.abort();
    return calls.length > 0;
  }

  /**
   * Makes a call, records its beginning and its end, and adds its cost to what the budget has spent. A stopped
   * call is recorded, but the step remains unfinished.
   *
   * @param stale the mark that the step was recorded with other inputs before; empty if it was not
   * @param limit aborts the call
   * @returns the reply, also if the call failed or was stopped; never rejects because of the model
   */
  async make(
    step: string,
    { request, hash, prompt }: IdentifiedRequest,
    options: AskOptions & Pick<CallContext, 'mayRunUnsandboxed'>,
    stale: { stale?: true },
    limit: AbortSignal,
  ): Promise<Reply> {
    const [{ seat }, { timeoutMs }] = [request, options];
    const attempt = randomUUID();
    const abort = new AbortController();
    const formatDueTime = (ms: number): string => new Date(Date.now() + ms).toISOString();
    const started = fact('step.started', {
      step,
      attempt,
      kind: 'call',
      task: request.task,
      seat: seat.id,
      model: seat.model,
      ...(request.labels === undefined ? {} : { labels: { ...request.labels } }),
      ...(timeoutMs === undefined ? {} : { deadline: formatDueTime(timeoutMs) }),
      ...stale,
    });
    this.#recorder.note([started], prompt(attempt));
    this.#running.set(step, { seat: seat.id, abort });
    let [queued, expired] = [false, false];
    let clock: NodeJS.Timeout | undefined;
    const startClock = (): void => {
      if (timeoutMs === undefined || clock !== undefined) return;
      clock = setTimeout(() => {
        expired = true;
        abort.abort();
      }, timeoutMs);
      if (queued)
        this.#recorder.note([
          fact('deadline.moved', { step, attempt, deadline: formatDueTime(timeoutMs) }),
        ]);
    };
    let reply: Reply;
    try {
      await this.#parts.journal.outlasts?.();
      reply = await this.#parts.models.call(request, {
        run: this.#parts.journal.run,
        step,
        longPauses: this.#parts.longPauses,
        folders: this.#parts.tools?.folders,
        mayRunUnsandboxed: options.mayRunUnsandboxed,
        signal: AbortSignal.any([limit, abort.signal, ...(options.signal ? [options.signal] : [])]),
        onEvent: (event) => {
          // Ignore events that a provider sends after the end of its call.
          if (this.#running.get(step)?.abort !== abort) return;
          if (event.type === 'queued') queued = true;
          if (event.type === 'sent') startClock();
          this.#parts.bus.live({ ...event, step, seat: seat.id, call: attempt });
        },
      });
    } catch (error) {
      // A model's call throws only because of a defect of the program; `outlasts` rejects if the disk failed or
      // this process lost the run. Both count as a failed call.
      reply = toDefectReply(error);
    } finally {
      clearTimeout(clock);
      this.#running.delete(step);
    }
    if (expired && timeoutMs !== undefined) reply = toTimeout(reply, timeoutMs);
    reply = withPlausibleUsage(reply);
    const { models, budget } = this.#parts;
    const costUsd = models.price(seat.model, reply.usage);
    budget.spend(reply.usage, costUsd);
    const price = models.priceSource?.(seat.model);
    const body = callFact(step, attempt, request, reply, costUsd, price);
    this.#recorder.count({ step, usage: reply.usage, costUsd });
    if (reply.status === 'stopped') this.#recorder.note([body]);
    else
      this.#recorder.commit({ step, hash, result: null }, [
        body,
        ...(options.conclude?.(reply) ?? []),
        fact('step.completed', { step, attempt }),
      ]);
    return reply;
  }
}
