/** Formats a run as an HTML file, for `export` and the console. Loaded only when a page is wanted. */

import { formatPage } from '../../html-report/run-page.ts';
import type { Prompt } from '../../kernel/journal.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { loadProtocolText } from '../../protocols/table.ts';

/**
 * Formats a run as an HTML page.
 *
 * @param protocol the protocol's name
 * @param known the run's status and prompts, as far as the caller knows them
 */
export async function reportPage(
  protocol: string,
  facts: readonly AnyFact[],
  known: {
    readonly status?: string | undefined;
    readonly prompts?: ReadonlyMap<string, Prompt> | undefined;
  } = {},
): Promise<string> {
  return formatPage(facts, (await loadProtocolText(protocol)).report, known);
}
