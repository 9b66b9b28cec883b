/** Reads whole runs from the database and writes them into it. The store opens the transactions. */
import type Database from 'better-sqlite3';
import { DeliberateError } from '../kernel/errors.ts';
import { ARCHIVE_VERSION, type Archive } from './archive.ts';
import { noSuchRunError } from './catalog.ts';
import { type FactRow, readJson } from './rows.ts';

/**
 * The part of an export that identifies the run's contents: everything but the time and the program of the
 * export.
 */
type Content = Pick<Archive, 'run' | 'protocol' | 'createdAt' | 'parent' | 'steps' | 'facts'>;

/**
 * Returns a stored run in the format of exported files. `program` is the version of the program
 * that exports, `status` the status of the run, and `rehearsal` whether the stand-in answered any
 * call in place of a model.
 */
export function archiveRun(
  db: Database.Database,
  id: string,
  { program, status, rehearsal }: Pick<Archive, 'program' | 'status' | 'rehearsal'>,
): Archive {
  const { steps, facts, ...run } = readRun(db, id);
  const format = 'deliberate-run';
  return { format, v: ARCHIVE_VERSION, program, ...run, status, rehearsal, steps, facts };
}

/**
 * Inserts an exported run. Returns false if the database already has this run with the same contents.
 * @throws DeliberateError if a run with the same id exists and differs
 */
export function restoreRun(db: Database.Database, archive: Archive): boolean {
  const { run, protocol, createdAt, parent, steps, facts } = archive;
  const known = db.prepare('SELECT 1 FROM run WHERE id = ?').get(run) !== undefined;
  if (known) {
    if (JSON.stringify(readRun(db, run)) === JSON.stringify(contentOf(archive))) return false;
    throw new DeliberateError(
      'run-differs',
      `run ${run} is already here, and differs from the file`,
      'Nothing was changed. To import the file, remove the run first, or name another --db.',
    );
  }
  db.prepare('INSERT INTO run (id, protocol, created_at, parent) VALUES (?, ?, ?, ?)').run(
    run,
    protocol,
    createdAt,
    parent,
  );
  const addFact = db.prepare(
    'INSERT INTO fact (run_id, seq, at, type, step, body) VALUES (?, ?, ?, ?, ?, ?)',
  );
  for (const { run: _run, seq, at, ...body } of facts)
    addFact.run(run, seq, at, body.type, body.step ?? null, JSON.stringify(body));
  const addStep = db.prepare(
    'INSERT INTO step (run_id, key, hash, result, first_seq, last_seq) VALUES (?, ?, ?, ?, ?, ?)',
  );
  for (const { key, hash, result, firstSeq, lastSeq } of steps)
    addStep.run(run, key, hash, JSON.stringify(result), firstSeq, lastSeq);
  return true;
}

function readRun(db: Database.Database, id: string): Content {
  const row = db
    .prepare<[string], { protocol: string; createdAt: string; parent: string | null }>(
      'SELECT protocol, created_at AS createdAt, parent FROM run WHERE id = ?',
    )
    .get(id);
  if (row === undefined) throw noSuchRunError(id);
  const facts = db
    .prepare<[string], FactRow>(
      'SELECT run_id, seq, at, body FROM fact WHERE run_id = ? ORDER BY seq',
    )
    .all(id)
    .map(({ run_id: run, seq, at, body }) => ({
      run,
      seq,
      at,
      ...(readJson(`fact ${seq} of run ${run}`, body) as object),
    }));
  const steps = db
    .prepare<[string], Archive['steps'][number] & { result: string }>(
      `SELECT key, hash, result, first_seq AS firstSeq, last_seq AS lastSeq FROM step
        WHERE run_id = ? ORDER BY first_seq, key`,
    )
    .all(id)
    .map((step) => ({
      ...step,
      result: readJson(`step ${step.key} of run ${id}`, step.result),
    }));
  return { run: id, ...row, steps, facts };
}

function contentOf({ run, protocol, createdAt, parent, steps, facts }: Archive): Content {
  return { run, protocol, createdAt, parent, steps, facts };
}
