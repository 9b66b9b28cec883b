/**
 * The table of runs that workers of a Restate server work on: the server's address, and how much of the log
 * is copied to this database. This file only contains SQL; the store opens the transactions.
 */
import type Database from 'better-sqlite3';
import type { Archive, StoredFact } from './archive.ts';

/**
 * How a worker answers the run's questions: a person answers some day, the default is taken, or nobody
 * answers.
 */
export type AnswerPolicy = 'some day' | 'by default' | 'by nobody';

/** A run that is worked on by a Restate server. */
export interface Place {
  readonly run: string;
  /** The server's address, as the person gave it. */
  readonly address: string;
  /** The key of the workflow that carries out this attempt. */
  readonly key: string;
  readonly answered: AnswerPolicy;
  /** Whether the server is known to have received the run. */
  readonly isSent: boolean;
  /** The number of batches of its log that are copied. */
  readonly batches: number;
  readonly isOver: boolean;
}

/**
 * Facts that were recorded together with their numbers, and the step that they finish or that is forgotten.
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

/** Reads and writes the table of runs at Restate servers. */
export class Elsewhere {
  readonly #db: Database.Database;
  readonly #write: <T>(work: () => T) => T;

  constructor(db: Database.Database, write: <T>(work: () => T) => T) {
    this.#db = db;
    this.#write = write;
  }

  /**
   * Marks a run as worked on by the server from now on. The copy of its log begins with what is stored
   * here.
   */
  begin(
    run: string,
    { address, key, answered }: Pick<Place, 'address' | 'key' | 'answered'>,
  ): void {
    this.#write(() =>
      this.#db
        .prepare(
          `INSERT OR REPLACE INTO elsewhere (run_id, address, key, answered) VALUES (?, ?, ?, ?)`,
        )
        .run(run, address, key, answered),
    );
  }

  find(run: string): Place | undefined {
    const row = this.#db.prepare<[string], PlaceRow>(`${PLACES} WHERE run_id = ?`).get(run);
    return row && placeOf(row);
  }

  /** Returns the runs whose log may have grown. */
  openPlaces(): Place[] {
    return this.#db.prepare<[], PlaceRow>(`${PLACES} WHERE NOT is_over`).all().map(placeOf);
  }

  markSent(run: string, key: string): void {
    this.#write(() =>
      this.#db.prepare('UPDATE elsewhere SET sent = 1 WHERE run_id = ? AND key = ?').run(run, key),
    );
  }

  /** Adds facts and steps that another process recorded to a run that this process owns. */
  add(run: string, entries: readonly Entry[]): void {
    this.#write(() => addEntries(this.#db, run, entries));
  }

  /** Marks a run as worked on by this machine from now on. */
  forget(run: string): void {
    this.#write(() => this.#db.prepare('DELETE FROM elsewhere WHERE run_id = ?').run(run));
  }

  /**
   * Copies the batches of the log that follow the first `after` ones. Returns false and copies nothing if
   * another process has copied them, or if the run has a later attempt by now.
   */
  copy({ run, key }: Place, after: number, batches: readonly (readonly Entry[])[]): boolean {
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

function placeOf({ sent, isOver, ...row }: PlaceRow): Place {
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
