/**
 * The queue of runs for workers. A run stays in its place until its attempt has ended: if a worker dies,
 * its lease ends and the run can be taken again. This file only contains SQL; the store opens the
 * transactions, so no two workers take the same run.
 */
import type Database from 'better-sqlite3';

/** A run that this process now owns or, with `leftAlone`, a run that is given up. */
interface Taken {
  readonly run: string;
  readonly parent: string | null;
  readonly leftAlone: boolean;
}

/**
 * How often a run is taken without a step of it finishing before it is given up: after so many tries it is
 * the run that kills its workers.
 */
const MOST_TRIES = 5;

const TURNS = `type IN ('run.started', 'run.resumed', 'run.ended', 'gate.opened', 'gate.answered')`;

interface Waiting {
  readonly run: string;
  readonly parent: string | null;
  readonly taken: number;
  readonly steps: number;
  readonly finished: number;
}

/** Reads and writes the queue of runs that wait for a worker process. */
export class Queue {
  readonly #sql;

  constructor(db: Database.Database) {
    this.#sql = {
      add: db.prepare(
        `INSERT INTO queue (run_id) VALUES (?)
          ON CONFLICT (run_id) DO UPDATE SET taken = 0, steps = 0`,
      ),
      remove: db.prepare('DELETE FROM queue WHERE run_id = ?'),
      // Selects a run that a worker may take: one that no process owns, and that does not wait for a person's
      // answer.
      next: db.prepare<[], Waiting>(
        `SELECT run.id AS run, run.parent, taken, steps,
            (SELECT count(*) FROM step WHERE run_id = run.id) AS finished
          FROM queue JOIN run ON run.id = queue.run_id
          LEFT JOIN fact turn ON turn.run_id = run.id AND turn.seq = (
            SELECT max(seq) FROM fact WHERE run_id = run.id AND ${TURNS})
          WHERE run.owner IS NULL AND (turn.type IS NOT 'gate.opened' OR EXISTS (
            SELECT 1 FROM message
              WHERE run_id = run.id AND kind = 'answer' AND step = turn.step))
          ORDER BY place LIMIT 1`,
      ),
      try: db.prepare('UPDATE queue SET taken = ?, steps = ? WHERE run_id = ?'),
      forgive: db.prepare('UPDATE queue SET taken = 0 WHERE run_id = ?'),
      own: db.prepare('UPDATE run SET owner = ? WHERE id = ?'),
    };
  }

  /** Adds a run to the end of the queue. A run that is in the queue already keeps its place. */
  add(run: string): void {
    this.#sql.add.run(run);
  }

  /** Removes a run. Returns false if the run was not in the queue. */
  remove(run: string): boolean {
    return this.#sql.remove.run(run).changes > 0;
  }

  /**
   * Resets to 0 the number of times that workers have taken the run without finishing a step of it. Called
   * after a worker has released the run normally.
   */
  forgive(run: string): void {
    this.#sql.forgive.run(run);
  }

  /**
   * Returns the first run in the queue that no process owns and that waits for no answer of a
   * person; undefined if there is none.
   */
  next(): Waiting | undefined {
    return this.#sql.next.get();
  }

  /**
   * Makes `owner` the owner of the first waiting run. A run that was taken five times without a step of it
   * finishing is removed from the queue instead, and returned with `leftAlone`. Returns undefined if no run
   * waits.
   */
  take(owner: string): Taken | undefined {
    const next = this.next();
    if (next === undefined) return undefined;
    const { run, parent, steps, finished } = next;
    const tries = finished > steps ? 0 : next.taken;
    const leftAlone = tries >= MOST_TRIES;
    if (leftAlone) this.remove(run);
    else {
      this.#sql.try.run(tries + 1, finished, run);
      this.#sql.own.run(owner, run);
    }
    return { run, parent, leftAlone };
  }
}
