/**
 * Stores the prompts of calls in the transaction that records a call's start. Prompts are not in the log,
 * since they are made from facts: a run is complete without them. A prompt is a list of parts, and each part
 * is stored once per run by its hash. Runs share no parts, so that removing a run removes all its texts.
 */
import type Database from 'better-sqlite3';
import * as z from 'zod';
import { computeDigest } from '../kernel/digest.ts';
import type { Prompt } from '../kernel/journal.ts';
import { readJson } from './rows.ts';

/** Writes the prompts of one run, within the current transaction. */
export class Prompts {
  readonly #db: Database.Database;
  readonly #run: string;
  #sql: ReturnType<typeof prepareStatements> | undefined;

  constructor(db: Database.Database, run: string) {
    this.#db = db;
    this.#run = run;
  }

  /** Stores the prompt of one attempt at a call. */
  keep({ attempt, system, messages, schema, options }: Prompt): void {
    const sql = this.#statements();
    const asked = messages.map(({ role, parts }) => ({
      role,
      parts: parts.map((text) => this.#part(text)),
    }));
    sql.prompt.run(
      this.#run,
      attempt,
      system === '' ? null : this.#part(system),
      JSON.stringify(asked),
      schema === undefined ? null : this.#part(schema),
      JSON.stringify(options),
    );
  }

  #statements(): ReturnType<typeof prepareStatements> {
    this.#sql ??= prepareStatements(this.#db);
    return this.#sql;
  }

  #part(text: string): number | bigint {
    const { find, add } = this.#statements();
    const hash = computeDigest(text);
    return find.get(this.#run, hash) ?? add.run(this.#run, hash, text).lastInsertRowid;
  }
}

/** Returns the prompt of each attempt at a call, by the attempt's id; empty for an imported run. */
export function promptsOf(db: Database.Database, run: string): ReadonlyMap<string, Prompt> {
  const parts = new Map(
    db
      .prepare<[string], { id: number; text: string }>('SELECT id, text FROM part WHERE run_id = ?')
      .all(run)
      .map(({ id, text }) => [id, text]),
  );
  const getText = (id: number | null): string => (id === null ? '' : (parts.get(id) ?? ''));
  const rows = db
    .prepare<[string], Row>(
      'SELECT attempt, system, messages, schema, options FROM prompt WHERE run_id = ?',
    )
    .all(run);
  return new Map(
    rows.map(({ attempt, system, messages, schema, options }): [string, Prompt] => [
      attempt,
      {
        attempt,
        system: getText(system),
        messages: messagesSchema
          .parse(readJson(`a prompt of run ${run}`, messages))
          .map(({ role, parts: ids }) => ({ role, parts: ids.map(getText) })),
        schema: schema === null ? undefined : getText(schema),
        options: optionsSchema.parse(readJson(`a prompt of run ${run}`, options)),
      },
    ]),
  );
}

const messagesSchema = z.array(
  z.object({ role: z.enum(['user', 'assistant']), parts: z.array(z.number()) }),
);
const optionsSchema = z.record(z.string(), z.number());

/** A stored prompt: its parts are ids. */
interface Row {
  readonly attempt: string;
  readonly system: number | null;
  readonly messages: string;
  readonly schema: number | null;
  readonly options: string;
}

function prepareStatements(db: Database.Database) {
  return {
    find: db
      .prepare<[string, string], number>('SELECT id FROM part WHERE run_id = ? AND hash = ?')
      .pluck(),
    add: db.prepare('INSERT INTO part (run_id, hash, text) VALUES (?, ?, ?)'),
    prompt: db.prepare(
      `INSERT OR REPLACE INTO prompt (run_id, attempt, system, messages, schema, options)
        VALUES (?, ?, ?, ?, ?, ?)`,
    ),
  };
}
