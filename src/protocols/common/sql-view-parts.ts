/** Pieces of SQL that the views of several protocols have in common. */

/** Returns an SQL expression for a field of a fact. `fact` is the name of a row of `typed_fact`. */
export function field(fact: string, name: string): string {
  return `json_extract(${fact}.body, '$.${name}')`;
}

/**
 * Returns an SQL condition that no later fact of the same run and type has the same values in these fields.
 * `fact` is the name of a row of `typed_fact`.
 */
export function isLatest(fact: string, ...keys: readonly string[]): string {
  return `NOT EXISTS (SELECT 1 FROM typed_fact later
      WHERE later.run_id = ${fact}.run_id AND later.type = ${fact}.type AND later.seq > ${fact}.seq
      ${keys.map((key) => `AND ${field('later', key)} = ${field(fact, key)}`).join(' ')})`;
}
