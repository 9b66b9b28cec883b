/** Tracks running calls, to say in text output which call waits for which at a server. */
import type { LiveEvent } from '../kernel/bus.ts';
import { KERNEL } from '../kernel/facts.ts';
import { findAhead, WAITS_AFTER_MS } from '../kernel/providers/waiting.ts';
import type { AnyFact } from '../kernel/vocabulary.ts';

interface KnownCall {
  readonly seat: string;
  readonly model: string;
  isWaiting: boolean;
  isAnswered: boolean;
  /** When its request was sent, in milliseconds of the given clock. */
  sentAt: number;
  /** When its first output arrived. */
  spokeAt: number | undefined;
  isTold: boolean;
}

/** A waiting call, and the call that its model is answering, by their seats' ids. */
interface Wait {
  readonly seat: string;
  readonly ahead: string;
}

/** Tracks which model calls of a run wait because their model is answering another call. */
export class WaitingCalls {
  /** Calls by step. */
  readonly #calls = new Map<string, KnownCall>();

  /** Updates the waiting calls by a fact. */
  take(any: AnyFact): void {
    const fact = KERNEL.own(any);
    switch (fact?.type) {
      case 'step.started':
        if (fact.kind === 'call')
          this.#calls.set(fact.step, {
            seat: fact.seat ?? '',
            model: fact.model ?? '',
            sentAt: 0,
            isWaiting: false,
            isAnswered: false,
            isTold: false,
            spokeAt: undefined,
          });
        return;
      case 'call.completed':
      case 'call.failed':
      case 'call.stopped':
        this.#calls.delete(fact.step);
        return;
      case 'run.resumed':
      case 'run.ended':
        this.#calls.clear();
    }
  }

  /**
   * Updates the waiting calls by live news. If the news is output of a call, returns the calls that have waited for
   * at least `WAITS_AFTER_MS` while the same model answers another call. Each call is returned only once.
   * @param now the time of the news in milliseconds
   */
  hear(news: LiveEvent, now: number): Wait[] {
    const call = this.#calls.get(news.step);
    if (call === undefined) return [];
    call.isWaiting = news.type === 'sent';
    call.isAnswered = news.type === 'text' || news.type === 'thinking';
    if (news.type === 'sent') {
      call.sentAt = now;
      call.spokeAt = undefined;
    }
    if (call.isAnswered) call.spokeAt ??= now;
    return call.isAnswered ? this.#waitsSince(now) : [];
  }

  /**
   * Returns the milliseconds between sending a step's call and its first output, if `hear` has returned this call
   * as waiting. Returns 0 for other calls, before the first output, and after the call has ended.
   */
  waitOf(step: string): number {
    const call = this.#calls.get(step);
    if (call?.isTold !== true) return 0;
    return Math.max(0, (call.spokeAt ?? call.sentAt) - call.sentAt);
  }

  #waitsSince(now: number): Wait[] {
    return [...this.#calls.values()].flatMap((call): Wait[] => {
      if (call.isTold || now - call.sentAt < WAITS_AFTER_MS) return [];
      const ahead = findAhead(call, this.#calls.values());
      if (ahead === undefined) return [];
      call.isTold = true;
      return [{ seat: call.seat, ahead: ahead.seat }];
    });
  }
}
