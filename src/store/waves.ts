/** Calls that providers answer in batches: what was handed over, under which names, and what came back. */
import type Database from 'better-sqlite3';

/** Calls that go to a provider together. */
interface StoredWave {
  readonly id: string;
  readonly provider: string;
  /** ISO 8601: before it was sent. */
  readonly at: string;
  readonly requests: number;
  /** The provider's name for it; null while nobody knows whether it arrived. */
  readonly batch: string | null;
}

/** A call as it is kept, without its words. */
interface WaveCall {
  /** By which the provider tells answers apart. */
  readonly id: string;
  readonly run: string;
  readonly step: string;
  /** Digest of what is asked, and of the place in its run. */
  readonly key: string;
}

const WAVE = 'id, provider, at, requests, batch';

export class Waves {
  readonly #db: Database.Database;
  readonly #write: <T>(work: () => T) => T;

  /** `write`: does work in a transaction, and explains what goes wrong. */
  constructor(db: Database.Database, write: <T>(work: () => T) => T) {
    this.#db = db;
    this.#write = write;
  }

  /** Written down before it is sent. */
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

  /** It arrived. */
  name(wave: string, batch: string): void {
    this.#write(() => this.#db.prepare('UPDATE wave SET batch = ? WHERE id = ?').run(batch, wave));
  }

  /** It never arrived, or came to nothing as a whole: its calls were not asked. */
  drop(wave: string): void {
    this.#write(() => this.#db.prepare('DELETE FROM wave WHERE id = ?').run(wave));
  }

  /** The wave that holds the call of this key, with the answer where there is one. Not of what is spent. */
  find(
    key: string,
  ): { readonly id: string; readonly wave: string; readonly answer: string | null } | undefined {
    return this.#db
      .prepare<[string], { id: string; wave: string; answer: string | null }>(
        'SELECT id, wave_id AS wave, answer FROM wave_call WHERE key = ? AND spent = 0',
      )
      .get(key);
  }

  /** How often a call of this key failed for good. */
  spentOf(key: string): number {
    return this.#db
      .prepare('SELECT count(*) FROM wave_call WHERE key = ? AND spent = 1')
      .pluck()
      .get(key) as number;
  }

  wave(id: string): StoredWave | undefined {
    return this.#db.prepare<[string], StoredWave>(`SELECT ${WAVE} FROM wave WHERE id = ?`).get(id);
  }

  /** The names that a wave's answers come by. */
  idsOf(wave: string): ReadonlySet<string> {
    return new Set(
      this.#db.prepare('SELECT id FROM wave_call WHERE wave_id = ?').pluck().all(wave) as string[],
    );
  }

  /** Batches of this provider that are known to be a wave's. */
  batchesOf(provider: string): ReadonlySet<string> {
    return new Set(
      this.#db
        .prepare('SELECT batch FROM wave WHERE provider = ? AND batch IS NOT NULL')
        .pluck()
        .all(provider) as string[],
    );
  }

  /** Answers by their names; the first one that came to a call stays. */
  keep(wave: string, answers: readonly (readonly [id: string, answer: string])[]): void {
    this.#write(() => {
      const keep = this.#db.prepare(
        'UPDATE wave_call SET answer = ? WHERE id = ? AND wave_id = ? AND answer IS NULL',
      );
      for (const [id, answer] of answers) keep.run(answer, id, wave);
    });
  }

  /** Everything that came of it is kept. */
  end(wave: string): void {
    this.#write(() =>
      this.#db
        .prepare('UPDATE wave SET over_at = ? WHERE id = ?')
        .run(new Date().toISOString(), wave),
    );
  }

  /** The step failed with these answers: whoever asks it again wants others. */
  spend(run: string, step: string): void {
    this.#write(() =>
      this.#db
        .prepare('UPDATE wave_call SET spent = 1 WHERE run_id = ? AND step = ?')
        .run(run, step),
    );
  }

  /** The run is done, and has all that was said in its own log. */
  forget(run: string): void {
    this.#write(() =>
      this.#db.prepare('UPDATE wave_call SET answer = NULL, spent = 1 WHERE run_id = ?').run(run),
    );
  }

  /** Steps of a run whose calls came back with a wave: whatever stopped meanwhile, they were sent once. */
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

  /** Waves of calls that are not answered, and whose runs are not done. */
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
