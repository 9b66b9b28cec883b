/**
 * The runs that are left to workers. A run stays in its place until its attempt has ended: a worker that
 * dies gives it back by dying, as its lease is over then. SQL and nothing else; transactions are the
 * store's, and none of two workers is given what the other one was.
 */
import type Database from 'better-sqlite3';

/** A run that this process now owns; or, with `leftAlone`, one that is not to be tried again. */
interface Taken {
  readonly run: string;
  readonly parent: string | null;
  readonly leftAlone: boolean;
}

/** Whoever takes a run so often without a step of it finishing is killed by it, not by chance. */
const MOST_TRIES = 5;

const TURNS = `type IN ('run.started', 'run.resumed', 'run.ended', 'gate.opened', 'gate.answered')`;

interface Waiting {
  readonly run: string;
  readonly parent: string | null;
  readonly taken: number;
  readonly steps: number;
  readonly finished: number;
}

export class Queue {
  readonly #sql;

  constructor(db: Database.Database) {
    this.#sql = {
      add: db.prepare(
        `INSERT INTO queue (run_id) VALUES (?)
          ON CONFLICT (run_id) DO UPDATE SET taken = 0, steps = 0`,
      ),
      remove: db.prepare('DELETE FROM queue WHERE run_id = ?'),
      // It rests where nobody has it, and where it asked something that nobody has answered it still does.
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

  add(run: string): void {
    this.#sql.add.run(run);
  }

  /** False where it was not there. */
  remove(run: string): boolean {
    return this.#sql.remove.run(run).changes > 0;
  }

  /** It was given back in good order: what it was taken for so far says nothing against it. */
  forgive(run: string): void {
    this.#sql.forgive.run(run);
  }

  /** The first run that rests. */
  next(): Waiting | undefined {
    return this.#sql.next.get();
  }

  /** Gives the first run that rests to `owner`. Undefined where none does. */
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
