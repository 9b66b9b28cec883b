/** Runs evaluations in this process, with the real store and a test server. */

import { join } from 'node:path';
import { evaluate } from '../../src/app/evaluation/evaluate.ts';
import { readFlags } from '../../src/app/flags.ts';
import type { Outcome } from '../../src/evaluation/outcome.ts';
import { CollectedOutput } from '../../src/io/collected.ts';
import { PROTOCOLS } from '../../src/protocols/registry/registry.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { withoutUndefined } from '../../src/text/without-undefined.ts';
import type { TestServer } from '../servers/index.ts';

/** The home folder, server and environment of an evaluation in a test. */
export interface EvaluationPlace {
  /** The home folder, which also holds the database. */
  readonly folder: string;
  /** The server that answers as Ollama; absent if no model is asked or `env` names the server. */
  readonly server?: TestServer;
  /** More environment variables. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The exit code and the output of an evaluation. */
export interface EvaluationOutput {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/**
 * Runs `deliberate eval WORDS…` with the flags `given`. The outcomes are printed as lines of JSON unless
 * `given` names another format. Rejects with the command's error if the evaluation is refused or ends early.
 */
export async function runEvaluation(
  { folder, server, env = {} }: EvaluationPlace,
  words: readonly string[],
  given: Readonly<Record<string, unknown>>,
): Promise<EvaluationOutput> {
  const [out, err] = [new CollectedOutput(), new CollectedOutput()];
  const code = await evaluate({
    command: 'eval',
    words,
    flags: readFlags({ db: join(folder, 'runs.db'), format: 'json', ...given }),
    protocols: PROTOCOLS,
    env: {
      HOME: folder,
      XDG_CONFIG_HOME: folder,
      XDG_STATE_HOME: folder,
      ...withoutUndefined({ OLLAMA_HOST: server?.url }),
      ...env,
    },
    stdin: process.stdin,
    out,
    err,
  });
  return { code, out: out.text, err: err.text };
}

/** Returns the outcomes that an evaluation printed, one for each line of JSON. */
export function outcomesIn(out: string): Outcome[] {
  return out
    .split('\n')
    .filter((row) => row !== '')
    .map((row) => JSON.parse(row) as Outcome);
}

/** Returns outcomes without the ids of their runs, which differ between databases. */
export function toComparable(outcomes: readonly Outcome[]): unknown[] {
  return outcomes.map(({ run: _run, ...rest }) => rest);
}

/** Opens the database in a folder, returns what `look` returns, and closes the database. */
export function withStoreIn<T>(folder: string, look: (store: Store) => T): T {
  const store = Store.open(join(folder, 'runs.db'), FACTS);
  try {
    return look(store);
  } finally {
    store.close();
  }
}
