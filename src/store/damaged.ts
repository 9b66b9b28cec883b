/** What is said of a row that cannot be what was written. */

/** A row whose text is not what was written: SQLite checks the shape of its pages, not their words. */
export class DamagedRow extends Error {
  override readonly name = 'DamagedRow';
}
