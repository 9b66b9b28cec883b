/** Looks a model up in a table that has one name for all dated editions of a model. */

import { entryOf } from '../kernel/entry.ts';
import type { ModelSpec } from '../kernel/model.ts';

/**
 * Returns the entry of a model, by its own name or without its date: `claude-haiku-4-5` also stands for
 * `claude-haiku-4-5-20251001`. Other suffixes are different models: `claude-opus-5-7` is not
 * `claude-opus-5`, and `gpt-5.5-pro` costs six times what `gpt-5.5` does.
 */
export function findByEdition<T>(
  table: Readonly<Record<string, T>>,
  model: ModelSpec,
): T | undefined {
  return entryOf(table, model) ?? entryOf(table, model.replace(EDITION, ''));
}

/** The suffix of a dated edition, or `latest`. */
const EDITION = /[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/;
