/**
 * The runs that are worked on at another place, by workers of a Restate server: where that is, and how
 * much of the log there is copied here. SQL and nothing else; transactions are the store's.
 */
import type Database from 'better-sqlite3';
import type { Archive, StoredFact } from './archive.ts';

/** How a worker answers what the run asks. */
export type AnsweredThere = 'some day' | 'by default' | 'by nobody';

export interface Place {
  readonly run: string;
  /** Of the server, as it was named. */
  readonly address: string;
  /** Of the workflow that is this attempt. */
  readonly key: string;
  readonly answered: AnsweredThere;
  /** False until the server is known to have it. */
  readonly isSent: boolean;
  /** How many batches of its log are copied. */
  readonly batches: number;
  readonly isOver: boolean;
}

/** What was recorded at once: facts with their numbers, and the step that they end or that is forgotten. */
export interface Entry {
  readonly facts: readonly StoredFact[];
  readonly step?: Archive['steps'][number] | undefined;
}

interface PlaceRow {
  readonly run: string;
  readonly address: string;
  readonly key: string;
  readonly answered: AnsweredThere;
  readonly sent: 0 | 1;
  readonly batches: number;
  readonly isOver: 0 | 1;
}

const PLACES = `SELECT run_id AS run, address, key, answered, sent, batches, is_over AS isOver
  FROM elsewhere`;

export class Elsewhere {
  readonly #db: Database.Database;
  readonly #write: <T>(work: () => T) => T;

  constructor(db: Database.Database, write: <T>(work: () => T) => T) {
    this.#db = db;
    this.#write = write;
  }

  /** From now on the run is worked on there. The copy of its log begins with what is here. */
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

  /** Those whose log may have grown. */
  goingOn(): Place[] {
    return this.#db.prepare<[], PlaceRow>(`${PLACES} WHERE NOT is_over`).all().map(placeOf);
  }

  markSent(run: string, key: string): void {
    this.#write(() =>
      this.#db.prepare('UPDATE elsewhere SET sent = 1 WHERE run_id = ? AND key = ?').run(run, key),
    );
  }

  /** Adds to a run that this process owns what another recorded of it. */
  add(run: string, entries: readonly Entry[]): void {
    this.#write(() => addEntries(this.#db, run, entries));
  }

  /** It is worked on here from now on. */
  forget(run: string): void {
    this.#write(() => this.#db.prepare('DELETE FROM elsewhere WHERE run_id = ?').run(run));
  }

  /**
   * Copies batches of the log that follow on the first `after`. False where another process was faster,
   * or the run has a further attempt by now: nothing is copied then.
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

/** What was recorded of a run by another process, added to what is here of it. */
function addEntries(db: Database.Database, run: string, entries: readonly Entry[]): void {
  for (const { facts, step } of entries)
    addRows(db, run, { facts, steps: step === undefined ? [] : [step] });
}

function placeOf({ sent, isOver, ...row }: PlaceRow): Place {
  return { ...row, isSent: sent === 1, isOver: isOver === 1 };
}

/**
 * Facts and steps as they were recorded elsewhere, under the run's own id whatever they say. A step of a
 * log that goes on may replace an earlier one.
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
