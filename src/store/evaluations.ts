/** The tables of evaluations: the plan of each evaluation, the run of each cell, and the results. */
import type Database from 'better-sqlite3';
import { v7 as uuidv7 } from 'uuid';
import { DeliberateError } from '../kernel/errors.ts';
import { Waves } from './waves.ts';

/**
 * A cell of an evaluation: the answer to one item, with one seed, in one of the compared ways
 * (arms), such as a single model or a panel.
 */
export interface Cell {
  /** The digest of item, arm and seed, by which evaluations share cells. */
  readonly key: string;
  /** The models that answer, each with its edition (version) when the cell began. */
  readonly models: readonly string[];
}

/** A stored evaluation: its plan, and its result after it has ended. */
export interface StoredEvaluation {
  readonly id: string;
  /** The time of its beginning, in ISO 8601. */
  readonly at: string;
  /** The plan as JSON: what is compared on which items. */
  readonly plan: string;
  /** ISO 8601; null until the evaluation ends. */
  readonly endedAt: string | null;
  /** The result as JSON; null until the evaluation ends. */
  readonly ending: string | null;
  /** The log as JSON Lines, a line for each cell (see `Cell`); null until the evaluation ends. */
  readonly log: string | null;
}

/** A cell with a run. */
interface ArrivedCell {
  readonly key: string;
  readonly run: string;
  /** The run's number among all runs, in the order in which they were added. */
  readonly arrived: number;
}

/** An evaluation as a row of a list. */
export interface EvaluationRow {
  readonly id: string;
  readonly at: string;
  readonly endedAt: string | null;
  /** The name of the set of items. */
  readonly setName: string;
  /** The number of statistical units; a unit is an item, or a memo with all its variants. */
  readonly units: number;
  readonly model: string;
  /** The names of the compared arms, as JSON. */
  readonly arms: string;
}

const COLUMNS = 'id, at, plan, ended_at AS endedAt, ending, log';

/** Reads and writes evaluations and their cells. Each cell has a run that answers its item. */
export class Evaluations {
  readonly #db: Database.Database;
  readonly #write: <T>(work: () => T) => T;
  /** The calls of cells that are sent to providers in batches. */
  readonly waves: Waves;

  /** `write` runs work in a transaction and turns errors of SQLite into StoreErrors. */
  constructor(db: Database.Database, write: <T>(work: () => T) => T) {
    this.#db = db;
    this.#write = write;
    this.waves = new Waves(db, write);
  }

  /** Adds a cell and its run. Must be called within the transaction that creates the run. */
  addCell({ key, models }: Cell, run: string): void {
    this.#db
      .prepare('INSERT INTO cell (key, run_id, models) VALUES (?, ?, ?)')
      .run(key, run, JSON.stringify(models));
  }

  /** Returns the run of a cell and its models; undefined if the cell has no run. */
  cell(key: string): { readonly run: string; readonly models: readonly string[] } | undefined {
    const row = this.#db
      .prepare<[string], { run: string; models: string }>(
        'SELECT run_id AS run, models FROM cell WHERE key = ?',
      )
      .get(key);
    return row && { run: row.run, models: JSON.parse(row.models) as string[] };
  }

  /**
   * Stores the plan of an evaluation. An evaluation that has this key already is returned
   * unchanged.
   */
  begin(key: string, plan: string): StoredEvaluation {
    return this.#write(() => {
      this.#db
        .prepare(
          'INSERT INTO evaluation (id, key, at, plan) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
        )
        .run(uuidv7(), key, new Date().toISOString(), plan);
      return this.#db
        .prepare<[string], StoredEvaluation>(`SELECT ${COLUMNS} FROM evaluation WHERE key = ?`)
        .get(key) as StoredEvaluation;
    });
  }

  /** Stores the result and the log of an evaluation that has ended. */
  finish(id: string, ending: string, log: string): void {
    this.#write(() =>
      this.#db
        .prepare('UPDATE evaluation SET ended_at = ?, ending = ?, log = ? WHERE id = ?')
        .run(new Date().toISOString(), ending, log, id),
    );
  }

  /**
   * Returns the cells of all evaluations whose run has a number above `after`, in the order of the numbers.
   * Runs are numbered in the order in which they were added to the database.
   */
  cellsAfter(after: number): ArrivedCell[] {
    return this.#db
      .prepare<[number], ArrivedCell>(
        `SELECT cell.key, run.id AS run, run.arrived FROM run JOIN cell ON cell.run_id = run.id
          WHERE run.arrived > ? ORDER BY run.arrived`,
      )
      .all(after);
  }

  /** Returns, out of the cells of all evaluations, those whose run a process works on now. */
  cellsAtWork(): Pick<ArrivedCell, 'key' | 'run'>[] {
    return this.#db
      .prepare<[], Pick<ArrivedCell, 'key' | 'run'>>(
        // CROSS JOIN lets SQLite first find the few runs that a process works on and then their cells, instead of
        // going through all cells, which may be thousands.
        `SELECT cell.key, run.id AS run FROM run CROSS JOIN cell ON cell.run_id = run.id
          WHERE run.owner IS NOT NULL`,
      )
      .all();
  }

  /** Returns the newest `limit` evaluations, without their results. */
  newest(limit: number): EvaluationRow[] {
    return this.#db
      .prepare<[number], EvaluationRow>(
        `SELECT id, at, ended_at AS endedAt, json_extract(plan, '$.set.name') AS setName,
            json_extract(plan, '$.units') AS units, json_extract(plan, '$.model') AS model,
            json_extract(plan, '$.arms') AS arms
          FROM evaluation ORDER BY at DESC, id DESC LIMIT ?`,
      )
      .all(limit);
  }

  /** Returns whether an evaluation with exactly this id exists. */
  has(id: string): boolean {
    return this.#db.prepare('SELECT 1 FROM evaluation WHERE id = ?').get(id) !== undefined;
  }

  /** Returns whether the evaluation has ended, so that its result and its log are stored. */
  isOver(id: string): boolean {
    return (
      this.#db.prepare('SELECT 1 FROM evaluation WHERE id = ? AND log IS NOT NULL').get(id) !==
      undefined
    );
  }

  /** Returns the evaluation that was begun last; undefined if there is none. */
  latestBegun(): StoredEvaluation | undefined {
    return this.#db
      .prepare<[], StoredEvaluation>(
        `SELECT ${COLUMNS} FROM evaluation ORDER BY at DESC, id DESC LIMIT 1`,
      )
      .get();
  }

  /**
   * Finds an evaluation by its id, a unique prefix of the id, or `latest`, which is the evaluation
   * that ended last.
   * @throws DeliberateError if none or several match
   */
  find(ref: string): StoredEvaluation {
    const found =
      ref === 'latest'
        ? this.#db
            .prepare<[], StoredEvaluation>(
              `SELECT ${COLUMNS} FROM evaluation WHERE log IS NOT NULL
                ORDER BY ended_at DESC, id DESC LIMIT 1`,
            )
            .all()
        : this.#db
            .prepare<[{ ref: string }], StoredEvaluation>(
              `SELECT ${COLUMNS} FROM evaluation WHERE substr(id, 1, length(@ref)) = @ref LIMIT 2`,
            )
            .all({ ref: ref.toLowerCase() });
    const [only, other] = found;
    if (only === undefined || ref === '')
      throw new DeliberateError(
        'no-such-evaluation',
        ref === 'latest' ? 'no finished evaluation yet' : `there is no evaluation "${ref}"`,
        'Begin one with: deliberate eval puzzles --arms single,vote,board --rehearse',
      );
    if (other !== undefined)
      throw new DeliberateError(
        'ambiguous-evaluation',
        `"${ref}" matches several evaluations`,
        'Use more of the id.',
      );
    return only;
  }
}
