/** What it takes to work on runs that nobody looks on: on the terms on which each was handed over. */
import { Collected } from '../../io/collected.ts';
import { INSIDE } from '../../io/environment.ts';
import type { Journal } from '../../kernel/journal.ts';
import type { ModelGateway } from '../../models/gateway.ts';
import type { Store } from '../../store/store.ts';
import type { Invocation } from '../invocation.ts';
import { type Config, readConfig } from '../settings/config.ts';
import { openModels } from '../settings/providers.ts';
import { reopen } from './resume.ts';
import type { TerminalRun } from './run-in-terminal.ts';

export class Unattended {
  readonly #call: Invocation;
  readonly #models = new Map<string, ModelGateway>();

  constructor(call: Invocation) {
    this.#call = call;
  }

  /** Prices, and what the doctor found, are read anew. */
  refresh(): void {
    this.#models.clear();
  }

  /** A run that this process owns, ready to be gone on with. @throws DeliberateError where it cannot be */
  async open(store: Store, journal: Journal): Promise<TerminalRun> {
    const call = this.#callFor(store, journal.run);
    const config = readConfig(call);
    const models = this.#modelsFor(call, config);
    const run = await reopen(call, { config, store, journal, models });
    await run.workshop?.clear();
    return run;
  }

  /** On what terms the run was queued; no console, and nobody who could be asked at this one. */
  #callFor(store: Store, run: string): Invocation {
    const { limits = {}, yes = false, unsandboxed = false } = store.terms(run) ?? {};
    const { flags, env } = this.#call;
    return {
      ...this.#call,
      ...{ command: 'resume', words: [run], out: new Collected(), err: new Collected() },
      // Whose span this process belongs to is no matter of the run's.
      env: { ...env, [INSIDE]: run, TRACEPARENT: undefined },
      flags: {
        ...flags,
        ...{ plain: true, quiet: true, json: false, yes, unsandboxed },
        budgetTokens: limits.budget_tokens,
        budgetUsd: limits.budget_usd,
        idleTimeout: limits.idle_timeout,
        rehearseSpeed: limits.rehearse_speed ?? flags.rehearseSpeed,
      },
    };
  }

  /** One for all runs where it can be: so many calls at a time are meant for a provider, not for a run. */
  #modelsFor(call: Invocation, config: Config): ModelGateway {
    const { rehearseSpeed, unsandboxed } = call.flags;
    const key = JSON.stringify([config.idle_timeout, rehearseSpeed, unsandboxed]);
    const models = this.#models.get(key) ?? openModels(call, config);
    this.#models.set(key, models);
    return models;
  }
}
