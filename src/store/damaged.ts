/** The error for a row that is not as it was written. */

/**
 * Thrown for a row whose text cannot be what was written, as after a damage of the file: SQLite
 * checks the structure of its pages, not their contents.
 */
export class DamagedRow extends Error {
  override readonly name = 'DamagedRow';
}
