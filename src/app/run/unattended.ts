/** Opens runs for workers, where nobody watches, with the limits with which each run was queued. */
import { CollectedOutput } from '../../io/collected.ts';
import { RUN_ID_VARIABLE } from '../../io/environment.ts';
import type { Journal } from '../../kernel/journal.ts';
import type { ModelGateway } from '../../models/gateway.ts';
import type { Store } from '../../store/store.ts';
import type { Invocation } from '../invocation.ts';
import { type Config, readConfig } from '../settings/config.ts';
import { openModels } from '../settings/providers.ts';
import { reopen } from './resume.ts';
import type { TerminalRun } from './run-in-terminal.ts';

/**
 * Opens queued runs for a worker, without a display. Runs with the same settings share their
 * connections to models.
 */
export class UnattendedRuns {
  readonly #call: Invocation;
  readonly #models = new Map<string, ModelGateway>();

  constructor(call: Invocation) {
    this.#call = call;
  }

  /** Reads prices and settings again for the next run. */
  refresh(): void {
    this.#models.clear();
  }

  /**
   * Prepares to continue a run that this process has taken over.
   *
   * @throws DeliberateError if the run cannot be continued
   */
  async open(store: Store, journal: Journal): Promise<TerminalRun> {
    const call = this.#callFor(store, journal.run);
    const config = readConfig(call);
    const models = this.#modelsFor(call, config);
    const run = await reopen(call, { config, store, journal, models });
    await run.workshop?.clear();
    return run;
  }

  /** Returns the call for a run: its stored limits, no console, and nobody to ask. */
  #callFor(store: Store, run: string): Invocation {
    const { limits = {}, yes = false, unsandboxed = false } = store.detached.find(run) ?? {};
    const { flags, env } = this.#call;
    return {
      ...this.#call,
      command: 'resume',
      words: [run],
      out: new CollectedOutput(),
      err: new CollectedOutput(),
      // Remove TRACEPARENT: it names the span in which this worker was started, which is not the parent of the
      // run's spans.
      env: { ...env, [RUN_ID_VARIABLE]: run, TRACEPARENT: undefined },
      flags: {
        ...flags,
        plain: true,
        quiet: true,
        json: false,
        yes,
        unsandboxed,
        budgetTokens: limits.budget_tokens,
        budgetUsd: limits.budget_usd,
        idleTimeout: limits.idle_timeout,
        rehearseSpeed: limits.rehearse_speed ?? flags.rehearseSpeed,
      },
    };
  }

  /**
   * Returns the gateway for a run. Runs share one if their settings allow it, because the limit of concurrent
   * calls is meant for a provider, not for a run.
   */
  #modelsFor(call: Invocation, config: Config): ModelGateway {
    const { rehearseSpeed, unsandboxed } = call.flags;
    const key = JSON.stringify([config.idle_timeout, rehearseSpeed, unsandboxed]);
    const models = this.#models.get(key) ?? openModels(call, config);
    this.#models.set(key, models);
    return models;
  }
}
