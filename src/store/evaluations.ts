/** Evaluations in the database: what each was to find out, which run is which cell, and what came of it. */
import type Database from 'better-sqlite3';
import { v7 as uuidv7 } from 'uuid';
import { DeliberateError } from '../kernel/errors.ts';
import { Waves } from './waves.ts';

/** One item for one arm with one seed. */
export interface Cell {
  /** Digest of all three. */
  readonly key: string;
  /** Of those that answer, as they were when it began, with their editions. */
  readonly models: readonly string[];
}

export interface StoredEvaluation {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  /** JSON. */
  readonly plan: string;
  /** ISO 8601; null while it is not over. */
  readonly endedAt: string | null;
  /** JSON; null while it is not over. */
  readonly ending: string | null;
  /** JSON Lines; null while it is not over. */
  readonly log: string | null;
}

/** A cell whose run has come in. */
interface ArrivedCell {
  readonly key: string;
  readonly run: string;
  /** The run's place among all runs: the later it came in, the higher. */
  readonly arrived: number;
}

/** An evaluation as a line of a list. */
export interface EvaluationRow {
  readonly id: string;
  readonly at: string;
  readonly endedAt: string | null;
  readonly setName: string;
  readonly units: number;
  readonly model: string;
  /** JSON. */
  readonly arms: string;
}

const COLUMNS = 'id, at, plan, ended_at AS endedAt, ending, log';

export class Evaluations {
  readonly #db: Database.Database;
  readonly #write: <T>(work: () => T) => T;
  /** Calls of cells that providers answer in batches. */
  readonly waves: Waves;

  /** `write`: does work in a transaction, and explains what goes wrong. */
  constructor(db: Database.Database, write: <T>(work: () => T) => T) {
    this.#db = db;
    this.#write = write;
    this.waves = new Waves(db, write);
  }

  /** Within the transaction that makes its run. */
  addCell({ key, models }: Cell, run: string): void {
    this.#db
      .prepare('INSERT INTO cell (key, run_id, models) VALUES (?, ?, ?)')
      .run(key, run, JSON.stringify(models));
  }

  /** The run of a cell; undefined where nobody was asked yet. */
  cell(key: string): { readonly run: string; readonly models: readonly string[] } | undefined {
    const row = this.#db
      .prepare<[string], { run: string; models: string }>(
        'SELECT run_id AS run, models FROM cell WHERE key = ?',
      )
      .get(key);
    return row && { run: row.run, models: JSON.parse(row.models) as string[] };
  }

  /** Writes down what is to be found out; what was begun under this key already stays as it was. */
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

  finish(id: string, ending: string, log: string): void {
    this.#write(() =>
      this.#db
        .prepare('UPDATE evaluation SET ended_at = ?, ending = ?, log = ? WHERE id = ?')
        .run(new Date().toISOString(), ending, log, id),
    );
  }

  /** Runs that came in after the one in place `after` and are cells, of whichever evaluation, in their order. */
  cellsAfter(after: number): ArrivedCell[] {
    return this.#db
      .prepare<[number], ArrivedCell>(
        `SELECT cell.key, run.id AS run, run.arrived FROM run JOIN cell ON cell.run_id = run.id
          WHERE run.arrived > ? ORDER BY run.arrived`,
      )
      .all(after);
  }

  /** Cells that a process works on now, of whichever evaluation. */
  cellsAtWork(): Pick<ArrivedCell, 'key' | 'run'>[] {
    return this.#db
      .prepare<[], Pick<ArrivedCell, 'key' | 'run'>>(
        // Few runs have an owner, and cells come by the thousand: the runs are read first.
        `SELECT cell.key, run.id AS run FROM run CROSS JOIN cell ON cell.run_id = run.id
          WHERE run.owner IS NOT NULL`,
      )
      .all();
  }

  /** The newest `limit` of them, without what came of them. */
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

  /** Whether there is one of that very id. */
  has(id: string): boolean {
    return this.#db.prepare('SELECT 1 FROM evaluation WHERE id = ?').get(id) !== undefined;
  }

  /** Whether it came to an end, and is not being gone on with. */
  isOver(id: string): boolean {
    return (
      this.#db.prepare('SELECT 1 FROM evaluation WHERE id = ? AND log IS NOT NULL').get(id) !==
      undefined
    );
  }

  /** The one that was begun last; undefined where there is none. */
  latestBegun(): StoredEvaluation | undefined {
    return this.#db
      .prepare<[], StoredEvaluation>(
        `SELECT ${COLUMNS} FROM evaluation ORDER BY at DESC, id DESC LIMIT 1`,
      )
      .get();
  }

  /** By its id, a unique beginning of one, or `latest`, the last that came to an end. @throws DeliberateError */
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
