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

/**
 * Reads and writes waves: groups of calls that are sent to a provider as one batch. The answers of
 * a wave are stored until the runs of its calls have ended.
 */
export class Waves {
  readonly #db: Database.Database;
  readonly #write: <T>(work: () => T) => T;

  /** `write` runs work in a transaction and turns errors of SQLite into StoreErrors. */
  constructor(db: Database.Database, write: <T>(work: () => T) => T) {
    this.#db = db;
    this.#write = write;
  }

  /** Stores a wave and its calls before the wave is sent. */
  begin({ id, provider, at }: Omit<StoredWave, 'batch'>, calls: readonly WaveCall[]): void {
    this.#write(() => {
      this.#db
        .prepare('INSERT INTO wave (id, provider, at, requests) VALUES (?, ?, ?, ?)')
        .run(id, provider, at, calls.length);
      const add = this.#db.prepare(
        'INSERT INTO wave_call (id, wave_id, run_id, step, key) VALUES (?, ?, ?, ?, ?)',
      );
      for (const call of calls) add.run(call.id, id, call.run, call.step, call.key);
    });
  }

  /** Stores the provider's id for a wave that was sent. */
  name(wave: string, batch: string): void {
    this.#write(() => this.#db.prepare('UPDATE wave SET batch = ? WHERE id = ?').run(batch, wave));
  }

  /**
   * Deletes a wave that never arrived or failed as a whole, so that its calls count as not sent.
   */
  drop(wave: string): void {
    this.#write(() => this.#db.prepare('DELETE FROM wave WHERE id = ?').run(wave));
  }

  /**
   * Finds the call with this key. Returns the call's id, its wave, and its answer, which is null
   * until it arrives. Calls whose answers are used up (`spend`, `forget`) are ignored.
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

  /**
   * Returns how often the call with this key was sent in waves whose answers are used up, by a step
   * that failed (`spend`) or because the run has ended (`forget`).
   */
  spentOf(key: string): number {
    return this.#db
      .prepare('SELECT count(*) FROM wave_call WHERE key = ? AND spent = 1')
      .pluck()
      .get(key) as number;
  }

  /** Returns the wave with this id; undefined if there is none. */
  wave(id: string): StoredWave | undefined {
    return this.#db.prepare<[string], StoredWave>(`SELECT ${WAVE} FROM wave WHERE id = ?`).get(id);
  }

  /** Returns the ids of all calls of a wave, with and without an answer. */
  idsOf(wave: string): ReadonlySet<string> {
    return new Set(
      this.#db.prepare('SELECT id FROM wave_call WHERE wave_id = ?').pluck().all(wave) as string[],
    );
  }

  /** Returns the ids that a provider gave to its batches, for all stored waves that have one. */
  batchesOf(provider: string): ReadonlySet<string> {
    return new Set(
      this.#db
        .prepare('SELECT batch FROM wave WHERE provider = ? AND batch IS NOT NULL')
        .pluck()
        .all(provider) as string[],
    );
  }

  /** Stores answers by the ids of their calls. If a call has an answer already, the first one stays. */
  keep(wave: string, answers: readonly (readonly [id: string, answer: string])[]): void {
    this.#write(() => {
      const keep = this.#db.prepare(
        'UPDATE wave_call SET answer = ? WHERE id = ? AND wave_id = ? AND answer IS NULL',
      );
      for (const [id, answer] of answers) keep.run(answer, id, wave);
    });
  }

  /** Marks a wave as finished: all its answers are stored. */
  end(wave: string): void {
    this.#write(() =>
      this.#db
        .prepare('UPDATE wave SET over_at = ? WHERE id = ?')
        .run(new Date().toISOString(), wave),
    );
  }

  /** Marks the answers of a failed step as used up, so that a repetition of the step sends new calls. */
  spend(run: string, step: string): void {
    this.#write(() =>
      this.#db
        .prepare('UPDATE wave_call SET spent = 1 WHERE run_id = ? AND step = ?')
        .run(run, step),
    );
  }

  /** Deletes the stored answers of a finished run, whose own log contains them. */
  forget(run: string): void {
    this.#write(() =>
      this.#db.prepare('UPDATE wave_call SET answer = NULL, spent = 1 WHERE run_id = ?').run(run),
    );
  }

  /**
   * Returns the steps of a run with a call that has an answer, or whose answer is used up (`spend`,
   * `forget`).
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

  /**
   * Returns the waves that are not marked as finished and have a call that still needs an answer, in
   * the order of their times.
   */
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
