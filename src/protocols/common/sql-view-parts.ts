/** Pieces of SQL that the views of several protocols have in common. */

/**
 * Returns an SQL expression for a field of a fact.
 * @param fact the alias of a row of `typed_fact`
 * @param name the field's name
 */
export function factField(fact: string, name: string): string {
  return `json_extract(${fact}.body, '$.${name}')`;
}

/**
 * Returns an SQL condition that keeps only the latest of similar facts. Facts are similar if they
 * belong to the same run, have the same type, and have equal values in the given fields.
 * @param fact the alias of a row of `typed_fact`
 * @param keys the fields' names
 */
export function isLatest(fact: string, ...keys: readonly string[]): string {
  return `NOT EXISTS (SELECT 1 FROM typed_fact later
      WHERE later.run_id = ${fact}.run_id AND later.type = ${fact}.type AND later.seq > ${fact}.seq
      ${keys.map((key) => `AND ${factField('later', key)} = ${factField(fact, key)}`).join(' ')})`;
}

/**
 * Returns the columns of a view that are fields of a fact, for the list after `SELECT`.
 * @param fact the alias of a row of `typed_fact`
 * @param fields the fields' names; after a space, the column's name if it differs: `on target`
 */
export function fieldColumns(fact: string, ...fields: readonly string[]): string {
  return fields
    .map((field) => {
      const [name = '', column = name] = field.split(' ');
      return `${factField(fact, name)} AS ${column}`;
    })
    .join(',\n    ');
}
