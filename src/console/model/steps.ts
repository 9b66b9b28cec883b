/** The run's steps as they stand: what each is doing or took, every attempt counted. */

import { KERNEL } from '../../kernel/facts.ts';
import { formatSource } from '../../kernel/tools/sources.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';

type StepState = 'running' | 'done' | 'failed' | 'stopped' | 'lost';

export interface StepView {
  readonly step: string;
  kind: 'call' | 'work' | 'gate';
  state: StepState;
  model: string;
  /** Milliseconds since 1970. */
  startedAt: number;
  /** Milliseconds that the last attempt took; 0 while it runs. */
  tookMs: number;
  tokens: number;
  costUsd: number;
  /** Calls whose price is not known. */
  unpriced: number;
  /** The number of calls that a subscription pays for. */
  onPlan: number;
  /** A part of tokens and cost is an estimate. */
  estimated: boolean;
  /** Times it was begun. */
  attempts: number;
  inherited: boolean;
  /** Of the use of a tool: what it found, in a line. */
  found?: string;
}

export class Steps {
  readonly all = new Map<string, StepView>();
  /** The keys of those that run. */
  readonly running = new Set<string>();
  /** Another number whenever a step looks different. */
  version = 0;

  take(any: AnyFact): void {
    const one = KERNEL.own(any);
    switch (one?.type) {
      case 'step.started': {
        const before = this.all.get(one.step);
        this.running.add(one.step);
        this.all.set(one.step, {
          step: one.step,
          kind: one.kind,
          state: 'running',
          model: one.model ?? '',
          startedAt: Date.parse(one.at),
          tookMs: 0,
          tokens: before?.tokens ?? 0,
          costUsd: before?.costUsd ?? 0,
          unpriced: before?.unpriced ?? 0,
          onPlan: before?.onPlan ?? 0,
          estimated: before?.estimated ?? false,
          attempts: (before?.attempts ?? 0) + 1,
          inherited: false,
        });
        break;
      }
      case 'step.completed': {
        const step = this.#end(one.step, 'done', one.at);
        if (step !== undefined) step.inherited = one.inherited !== undefined;
        break;
      }
      case 'tool.called': {
        const step = this.all.get(one.step);
        if (step !== undefined) step.found = formatSource(one);
        break;
      }
      case 'step.failed':
        this.#end(one.step, 'failed', one.at);
        break;
      case 'call.completed':
      case 'call.failed':
      case 'call.stopped': {
        const state =
          one.type === 'call.completed'
            ? 'done'
            : one.type === 'call.failed'
              ? 'failed'
              : 'stopped';
        const step = this.#end(one.step, state, one.at);
        if (step === undefined) break;
        step.model = one.model;
        // What a fork took over was paid for by its parent.
        if (one.inherited === true) break;
        step.tokens += one.usage.input + one.usage.output;
        step.costUsd += one.costUsd ?? 0;
        step.unpriced += one.costUsd === undefined ? 1 : 0;
        step.onPlan += one.onPlan === true ? 1 : 0;
        step.estimated ||= one.usage.estimated === true;
        break;
      }
      case 'run.resumed':
      case 'run.ended':
        for (const step of this.all.values()) if (step.state === 'running') step.state = 'lost';
        this.running.clear();
        break;
      default:
        return;
    }
    this.version += 1;
  }

  #end(key: string, state: StepState, at: string): StepView | undefined {
    const step = this.all.get(key);
    this.running.delete(key);
    // A call that failed stays failed though its step is over.
    if (step?.state !== 'running') return step;
    step.state = state;
    step.tookMs = Math.max(0, Date.parse(at) - step.startedAt);
    return step;
  }
}
