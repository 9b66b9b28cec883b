/** The error for a row that is not as it was written. */

/**
 * Thrown for a row of the database whose text this program cannot have written, for example because
 * the file is damaged. SQLite checks the structure of its pages, but not their contents.
 */
export class DamagedRow extends Error {
  override readonly name = 'DamagedRow';
}
