/** Looking a model up in a table by name, where the table has one name for all its editions. */

import { entryOf } from '../kernel/entry.ts';
import type { ModelSpec } from '../kernel/model.ts';

/**
 * A model by its name, or by the name of one of its editions: `claude-haiku-4-5` also stands for
 * `claude-haiku-4-5-20251001`. Nothing else that follows is an edition: `claude-opus-5` says nothing of
 * `claude-opus-5-7`, and `gpt-5.5-pro` costs six times what `gpt-5.5` does.
 */
export function entryFor<T>(table: Readonly<Record<string, T>>, model: ModelSpec): T | undefined {
  return entryOf(table, model) ?? entryOf(table, model.replace(EDITION, ''));
}

/** As providers date their models, and what they call the latest of them. */
const EDITION = /[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/;
