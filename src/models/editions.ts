/** Looks a model up in a table that has one name for all dated editions of a model. */

import { entryOf } from '../kernel/entry.ts';
import type { ModelSpec } from '../kernel/model.ts';

/**
 * Returns the entry of a model, found by its exact name or by its name without a date or `latest`: the entry
 * `claude-haiku-4-5` is also that of `claude-haiku-4-5-20251001`. Names with other suffixes are different
 * models: `gpt-5.5-pro` costs six times as much as `gpt-5.5`. Returns undefined if there is no entry.
 */
export function findByEdition<T>(
  table: Readonly<Record<string, T>>,
  model: ModelSpec,
): T | undefined {
  return entryOf(table, model) ?? entryOf(table, model.replace(EDITION, ''));
}

/** The suffix of a dated edition, or `latest`. */
const EDITION = /[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/;
