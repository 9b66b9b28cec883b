/**
 * The table of runs that workers of a Restate server work on: the server's address, and how much of the log
 * is copied to this database. This file only contains SQL; the store opens the transactions.
 */
import type Database from 'better-sqlite3';
import type { Archive, StoredFact } from './archive.ts';

/**
 * How a worker process treats the questions that a run asks people.
 * - `some day`: it waits for a person; if nobody answers in time, the run rests at the server until an answer or a stop
 * - `by default`: it takes the default answer
 * - `by nobody`: it stops the run
 */
export type AnswerPolicy = 'some day' | 'by default' | 'by nobody';

/** A run that a Restate server works on. */
export interface RestateRun {
  readonly run: string;
  /** The server's address, without slashes at its end. */
  readonly address: string;
  /** The key of the workflow that carries out this attempt. */
  readonly key: string;
  readonly answered: AnswerPolicy;
  /** Whether the server is known to have received the run. */
  readonly isSent: boolean;
  /** The number of batches of the server's log that are copied into this database. */
  readonly batches: number;
  /** Whether the attempt has ended and its log is copied completely. */
  readonly isOver: boolean;
}

/**
 * What was recorded in one transaction: facts, and the step that they finish, if they finish one. An entry
 * without facts, whose step has an empty hash, says that this step has to be done again.
 */
export interface Entry {
  readonly facts: readonly StoredFact[];
  readonly step?: Archive['steps'][number] | undefined;
}

interface PlaceRow {
  readonly run: string;
  readonly address: string;
  readonly key: string;
  readonly answered: AnswerPolicy;
  readonly sent: 0 | 1;
  readonly batches: number;
  readonly isOver: 0 | 1;
}

const PLACES = `SELECT run_id AS run, address, key, answered, sent, batches, is_over AS isOver
  FROM elsewhere`;

/** Reads and writes the table of runs that Restate servers work on. */
export class RestateRuns {
  readonly #db: Database.Database;
  readonly #write: <T>(work: () => T) => T;

  /** `write` runs work in a transaction and turns errors of SQLite into StoreErrors. */
  constructor(db: Database.Database, write: <T>(work: () => T) => T) {
    this.#db = db;
    this.#write = write;
  }

  /**
   * Records that a Restate server works on a run from now on, as the workflow `key`. The facts that are stored
   * here so far stay, and `copy` appends what the server's workers record.
   */
  begin(
    run: string,
    { address, key, answered }: Pick<RestateRun, 'address' | 'key' | 'answered'>,
  ): void {
    this.#write(() =>
      this.#db
        .prepare(
          `INSERT OR REPLACE INTO elsewhere (run_id, address, key, answered) VALUES (?, ?, ?, ?)`,
        )
        .run(run, address, key, answered),
    );
  }

  /** Returns the run's entry; undefined if this machine works on the run. */
  find(run: string): RestateRun | undefined {
    const row = this.#db.prepare<[string], PlaceRow>(`${PLACES} WHERE run_id = ?`).get(run);
    return row && placeOf(row);
  }

  /** Returns the runs that are not over, whose log may have grown at their Restate server. */
  openRuns(): RestateRun[] {
    return this.#db.prepare<[], PlaceRow>(`${PLACES} WHERE NOT is_over`).all().map(placeOf);
  }

  /** Marks the attempt with this key as received by the server. */
  markSent(run: string, key: string): void {
    this.#write(() =>
      this.#db.prepare('UPDATE elsewhere SET sent = 1 WHERE run_id = ? AND key = ?').run(run, key),
    );
  }

  /** Adds facts and steps that another process recorded to a run that this process owns. */
  add(run: string, entries: readonly Entry[]): void {
    this.#write(() => addEntries(this.#db, run, entries));
  }

  /** Deletes the run's entry, so that this machine works on the run from now on. */
  forget(run: string): void {
    this.#write(() => this.#db.prepare('DELETE FROM elsewhere WHERE run_id = ?').run(run));
  }

  /**
   * Adds the batches of the log that follow the first `after` ones. Returns false and adds nothing
   * if another process has added them already, or if the run has a later attempt.
   */
  copy({ run, key }: RestateRun, after: number, batches: readonly (readonly Entry[])[]): boolean {
    return this.#write(() => {
      const place = this.find(run);
      if (place?.key !== key || place.batches !== after) return false;
      addEntries(this.#db, run, batches.flat());
      const isOver = batches
        .flat()
        .some(({ facts }) => facts.some(({ type }) => type === 'run.ended'));
      this.#db
        .prepare('UPDATE elsewhere SET sent = 1, batches = ?, is_over = ? WHERE run_id = ?')
        .run(after + batches.length, isOver ? 1 : 0, run);
      return true;
    });
  }
}

/** Adds facts and steps that another process recorded. */
function addEntries(db: Database.Database, run: string, entries: readonly Entry[]): void {
  for (const { facts, step } of entries)
    addRows(db, run, { facts, steps: step === undefined ? [] : [step] });
}

function placeOf({ sent, isOver, ...row }: PlaceRow): RestateRun {
  return { ...row, isSent: sent === 1, isOver: isOver === 1 };
}

/**
 * Inserts facts and steps under the given run's id, whatever id they contain. A step of a running run may
 * replace an earlier one.
 */
function addRows(
  db: Database.Database,
  run: string,
  { facts, steps }: Pick<Archive, 'steps'> & { readonly facts: readonly StoredFact[] },
): void {
  const addFact = db.prepare(
    'INSERT INTO fact (run_id, seq, at, type, step, body) VALUES (?, ?, ?, ?, ?, ?)',
  );
  for (const { run: _run, seq, at, ...body } of facts)
    addFact.run(run, seq, at, body.type, body.step ?? null, JSON.stringify(body));
  const addStep = db.prepare(
    `INSERT OR REPLACE INTO step (run_id, key, hash, result, first_seq, last_seq)
      VALUES (?, ?, ?, ?, ?, ?)`,
  );
  for (const { key, hash, result, firstSeq, lastSeq } of steps)
    addStep.run(run, key, hash, JSON.stringify(result), firstSeq, lastSeq);
}
