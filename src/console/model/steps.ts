/** The states of a run's steps with what they took, including all attempts. */

import { KERNEL } from '../../kernel/facts.ts';
import { formatSource } from '../../kernel/tools/sources.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';

type StepState = 'running' | 'done' | 'failed' | 'stopped' | 'lost';

/** A step of a run, with its time and cost. */
export interface StepView {
  /** The key of the step. */
  readonly step: string;
  /** What the step does: a call of a model, work without one, or a question to a person (`gate`). */
  kind: 'call' | 'work' | 'gate';
  /** How the step stands. `lost`: the process or the attempt ended while it ran. */
  state: StepState;
  /** The model that was asked last; empty if the step asks none. */
  model: string;
  /** The time at which its last attempt began, in milliseconds since 1970. */
  startedAt: number;
  /** The milliseconds of the last attempt; 0 while it runs or if it was lost. */
  tookMs: number;
  /** The input and output tokens of all attempts, without those that a fork has copied. */
  tokens: number;
  /** The cost in dollars, without calls of unknown price. */
  costUsd: number;
  /** How many of its calls have no known price. */
  unpriced: number;
  /** How many of its calls a subscription pays for. */
  onPlan: number;
  /** Whether a part of the tokens and costs is estimated. */
  estimated: boolean;
  /** How often the step was begun. */
  attempts: number;
  /** Whether the run is a fork and has copied the step from its parent. */
  inherited: boolean;
  /** The result of a tool call, in one line. */
  found?: string;
}

/** Collects the steps of a run from its facts. Steps that a fork copied from its parent took no time and no tokens. */
export class Steps {
  /** The steps by key. */
  readonly all = new Map<string, StepView>();
  /** The keys of the running steps. */
  readonly running = new Set<string>();
  /** A number that grows with every change of a step. */
  version = 0;

  /** Updates the steps by a fact. */
  take(any: AnyFact): void {
    const fact = KERNEL.own(any);
    switch (fact?.type) {
      case 'step.started': {
        this.running.add(fact.step);
        this.#begin(fact.step, fact.kind, 'running', fact);
        break;
      }
      case 'step.completed':
        // The only fact of a copied step that made no call.
        if (fact.inherited !== undefined && !this.all.has(fact.step))
          this.#begin(fact.step, 'work', 'done', fact).inherited = true;
        else this.#end(fact.step, 'done', fact.at);
        break;
      case 'tool.called': {
        const step = this.all.get(fact.step);
        if (step !== undefined) step.found = formatSource(fact);
        break;
      }
      case 'step.failed':
        this.#end(fact.step, 'failed', fact.at);
        break;
      case 'call.completed':
      case 'call.failed':
      case 'call.stopped': {
        const state =
          fact.type === 'call.completed'
            ? 'done'
            : fact.type === 'call.failed'
              ? 'failed'
              : 'stopped';
        // Leave out the cost of a call that a fork copied: its parent has paid for it.
        if (fact.inherited === true) {
          this.#begin(fact.step, 'call', state, fact).inherited = true;
          break;
        }
        const step = this.#end(fact.step, state, fact.at);
        if (step === undefined) break;
        step.model = fact.model;
        step.tokens += fact.usage.input + fact.usage.output;
        step.costUsd += fact.costUsd ?? 0;
        step.unpriced += fact.costUsd === undefined ? 1 : 0;
        step.onPlan += fact.onPlan === true ? 1 : 0;
        step.estimated ||= fact.usage.estimated === true;
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

  #begin(
    key: string,
    kind: StepView['kind'],
    state: StepState,
    { at, model = '' }: { readonly at: string; readonly model?: string | undefined },
  ): StepView {
    const before = this.all.get(key);
    const step: StepView = {
      step: key,
      kind,
      state,
      model,
      startedAt: Date.parse(at),
      tookMs: 0,
      tokens: before?.tokens ?? 0,
      costUsd: before?.costUsd ?? 0,
      unpriced: before?.unpriced ?? 0,
      onPlan: before?.onPlan ?? 0,
      estimated: before?.estimated ?? false,
      attempts: (before?.attempts ?? 0) + 1,
      inherited: false,
    };
    this.all.set(key, step);
    return step;
  }

  #end(key: string, state: StepState, at: string): StepView | undefined {
    const step = this.all.get(key);
    this.running.delete(key);
    // A step whose call failed stays failed when the step ends.
    if (step?.state !== 'running') return step;
    step.state = state;
    step.tookMs = Math.max(0, Date.parse(at) - step.startedAt);
    return step;
  }
}
