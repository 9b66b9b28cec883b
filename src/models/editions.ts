/** Looking a model up in a table by name, where the table has one name for all its editions. */

import { entryOf } from '../kernel/entry.ts';
import type { ModelSpec } from '../kernel/model.ts';

/**
 * The longest prefix wins, so that `claude-haiku-4-5` also stands for `claude-haiku-4-5-20251001`. But
 * a version number after the prefix is another model: `claude-opus-5` says nothing of
 * `claude-opus-5-7`.
 */
export function entryFor<T>(table: Readonly<Record<string, T>>, model: ModelSpec): T | undefined {
  const [name] = Object.keys(table)
    .filter((prefix) => isEditionOf(model, prefix))
    .sort((one, other) => other.length - one.length);
  return name === undefined ? undefined : entryOf(table, name);
}

function isEditionOf(model: ModelSpec, prefix: string): boolean {
  return model.startsWith(prefix) && !/^(\d|[-.]\d{1,3}(?!\d))/.test(model.slice(prefix.length));
}
