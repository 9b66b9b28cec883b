/**
 * `filler.ts FOLDER`: records steps in a folder on a small disk until the disk is full, makes room, records
 * one more step, and prints a report.
 */
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { DeliberateError } from '../../src/kernel/errors.ts';
import { FACTS } from '../../src/protocols/vocabulary.ts';
import { Store } from '../../src/store/store.ts';
import { fact } from '../every-fact.ts';
import { makeSynthesisFact } from './bodies.ts';

/** What `filler.ts` prints. */
export interface FullDiskReport {
  /** How many steps were recorded before the disk was full. */
  readonly acknowledged: number;
  /** The code of the error of the step that did not fit. */
  readonly code: string;
  /** The message of the same error. */
  readonly message: string;
  /** What the same error tells a person to do. */
  readonly next: string | undefined;
  /** How many steps another connection finds in the file while the disk is full. */
  readonly found: number;
  /** The result of SQLite's integrity check while the disk is full: `ok` if the file is sound. */
  readonly integrity: string;
  /**
   * The codes of the errors of creating a run in a new database and in an existing one, while the disk is
   * full.
   */
  readonly opening: readonly string[];
  /** How many steps the file has after room was made and one more step was recorded. */
  readonly after: number;
}

const folder = process.argv[2] ?? '';
const file = join(folder, 'test.db');
const ballast = join(folder, 'ballast');
const store = Store.open(file, FACTS);
const journal = store.create('test');
Store.open(join(folder, 'old.db'), FACTS).close();
writeFileSync(ballast, Buffer.alloc(300_000, 1));

function codeOf(work: () => void): DeliberateError {
  try {
    work();
  } catch (error) {
    if (error instanceof DeliberateError) return error;
    throw error;
  }
  throw new Error('the disk never filled up');
}

let acknowledged = 0;
const recordStep = (): void => {
  const step = `step-${acknowledged + 1}`;
  journal.commit({ step, hash: 'h', result: null }, [
    makeSynthesisFact(1, 'x'.repeat(4_000)),
    fact('step.completed', { step, attempt: 'x' }),
  ]);
  acknowledged += 1;
};
const { code, message, next } = codeOf(() => {
  for (let tries = 0; tries < 10_000; tries++) recordStep();
});
const filled = acknowledged;
try {
  for (;;) appendFileSync(join(folder, 'rest'), Buffer.alloc(512));
} catch (error) {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
}
const opening = ['new.db', 'old.db'].map(
  (name) => codeOf(() => Store.open(join(folder, name), FACTS).create('test')).code,
);

const look = new Database(file, { readonly: true });
const countSteps = (): number => look.prepare('SELECT count(*) FROM step').pluck().get() as number;
const found = countSteps();
const integrity = look.pragma('integrity_check', { simple: true }) as string;
rmSync(ballast);
recordStep();
const after = countSteps();
look.close();
const report: FullDiskReport = {
  acknowledged: filled,
  code,
  message,
  next,
  found,
  integrity,
  opening,
  after,
};
console.log(JSON.stringify(report));
