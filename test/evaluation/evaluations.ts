/** Evaluations in this process, with the real store and a real server. */

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

export interface EvaluationPlace {
  readonly folder: string;
  readonly server?: TestServer;
  readonly env?: Readonly<Record<string, string>>;
}

export interface EvaluationOutput {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Calls `deliberate eval WORDS…` with these flags. */
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

export function outcomesIn(out: string): Outcome[] {
  return out
    .split('\n')
    .filter((row) => row !== '')
    .map((row) => JSON.parse(row) as Outcome);
}

/** What an evaluation came to, without what differs from database to database: its runs. */
export function toComparable(outcomes: readonly Outcome[]): unknown[] {
  return outcomes.map(({ run: _run, ...rest }) => rest);
}

export function withStoreIn<T>(folder: string, look: (store: Store) => T): T {
  const store = Store.open(join(folder, 'runs.db'), FACTS);
  try {
    return look(store);
  } finally {
    store.close();
  }
}
