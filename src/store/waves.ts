/**
 * The tables of calls that providers answer in batches: what was sent, under which ids, and the answers.
 */
import type Database from 'better-sqlite3';

/** A batch of calls that is sent to a provider. */
interface StoredWave {
  readonly id: string;
  readonly provider: string;
  /** ISO 8601: a time before it was sent. */
  readonly at: string;
  readonly requests: number;
  /** The provider's id of the batch; null while it is unknown whether the batch arrived. */
  readonly batch: string | null;
}

/** A call of a batch, without its texts. */
interface WaveCall {
  /** The id by which the provider's answers are matched to calls. */
  readonly id: string;
  readonly run: string;
  readonly step: string;
  /** The digest of the request and of its step in the run. */
  readonly key: string;
}

const WAVE = 'id, provider, at, requests, batch';

/** Reads and writes batches of calls. */
export class Waves {
  readonly #db: Database.Database;
  readonly #write: <T>(work: () => T) => T;

  /** `write`: runs work in a transaction and turns errors into sentences. */
  constructor(db: Database.Database, write: <T>(work: () => T) => T) {
    this.#db = db;
    this.#write = write;
  }

  /** Stores a batch before it is sent. */
  begin({ id, provider, at }: Omit<StoredWave, 'batch'>, calls: readonly WaveCall[]): void {
    this.#write(() => {
      this.#db
        .prepare('INSERT INTO wave (id, provider, at, requests) VALUES (?, ?, ?, ?)')
        .run(id, provider, at, calls.length);
      const add = this.#db.prepare(
        'INSERT INTO wave_call (id, wave_id, run_id, step, key) VALUES (?, ?, ?, ?, ?)',
      );
      for (const one of calls) add.run(one.id, id, one.run, one.step, one.key);
    });
  }

  /** Stores the provider's id of a batch that arrived. */
  name(wave: string, batch: string): void {
    this.#write(() => this.#db.prepare('UPDATE wave SET batch = ? WHERE id = ?').run(batch, wave));
  }

  /** Deletes a batch that never arrived or failed as a whole: its calls count as not sent. */
  drop(wave: string): void {
    this.#write(() => this.#db.prepare('DELETE FROM wave WHERE id = ?').run(wave));
  }

  /**
   * Finds the batch that contains the call of this key, with its answer if there is one. Answers that a
   * step has failed with (`spend`) are ignored.
   */
  find(
    key: string,
  ): { readonly id: string; readonly wave: string; readonly answer: string | null } | undefined {
    return this.#db
      .prepare<[string], { id: string; wave: string; answer: string | null }>(
        'SELECT id, wave_id AS wave, answer FROM wave_call WHERE key = ? AND spent = 0',
      )
      .get(key);
  }

  /** Returns how often a call of this key failed for good. */
  spentOf(key: string): number {
    return this.#db
      .prepare('SELECT count(*) FROM wave_call WHERE key = ? AND spent = 1')
      .pluck()
      .get(key) as number;
  }

  wave(id: string): StoredWave | undefined {
    return this.#db.prepare<[string], StoredWave>(`SELECT ${WAVE} FROM wave WHERE id = ?`).get(id);
  }

  /** Returns the ids of a batch's answers. */
  idsOf(wave: string): ReadonlySet<string> {
    return new Set(
      this.#db.prepare('SELECT id FROM wave_call WHERE wave_id = ?').pluck().all(wave) as string[],
    );
  }

  /** Returns the provider's batch ids that are known. */
  batchesOf(provider: string): ReadonlySet<string> {
    return new Set(
      this.#db
        .prepare('SELECT batch FROM wave WHERE provider = ? AND batch IS NOT NULL')
        .pluck()
        .all(provider) as string[],
    );
  }

  /** Stores answers by their ids; the first answer to a call stays. */
  keep(wave: string, answers: readonly (readonly [id: string, answer: string])[]): void {
    this.#write(() => {
      const keep = this.#db.prepare(
        'UPDATE wave_call SET answer = ? WHERE id = ? AND wave_id = ? AND answer IS NULL',
      );
      for (const [id, answer] of answers) keep.run(answer, id, wave);
    });
  }

  /** Marks a batch as finished: all its answers are stored. */
  end(wave: string): void {
    this.#write(() =>
      this.#db
        .prepare('UPDATE wave SET over_at = ? WHERE id = ?')
        .run(new Date().toISOString(), wave),
    );
  }

  /** Marks the answers of a failed step as used, so that asking it again sends new calls. */
  spend(run: string, step: string): void {
    this.#write(() =>
      this.#db
        .prepare('UPDATE wave_call SET spent = 1 WHERE run_id = ? AND step = ?')
        .run(run, step),
    );
  }

  /** Deletes the answers of a run that is done: its own log contains them. */
  forget(run: string): void {
    this.#write(() =>
      this.#db.prepare('UPDATE wave_call SET answer = NULL, spent = 1 WHERE run_id = ?').run(run),
    );
  }

  /**
   * Returns the steps of a run that have answers from a batch. They were sent once, whatever has stopped
   * since.
   */
  answeredSteps(run: string): ReadonlySet<string> {
    return new Set(
      this.#db
        .prepare(
          'SELECT step FROM wave_call WHERE run_id = ? AND (answer IS NOT NULL OR spent = 1)',
        )
        .pluck()
        .all(run) as string[],
    );
  }

  /** Returns the batches with unanswered calls whose runs are not done. */
  open(): readonly StoredWave[] {
    return this.#db
      .prepare<[], StoredWave>(
        `SELECT ${WAVE} FROM wave WHERE over_at IS NULL AND EXISTS (
            SELECT 1 FROM wave_call WHERE wave_id = wave.id AND answer IS NULL AND spent = 0)
          ORDER BY at, id`,
      )
      .all();
  }
}
