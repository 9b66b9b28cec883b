/** Formats a run as an HTML file, for `export` and the console. Loaded only when a page is wanted. */

import type { PageExtras } from '../../app/invocation.ts';
import { formatPage } from '../../html-report/run-page.ts';
import type { AnyFact } from '../../kernel/vocabulary.ts';
import { loadProtocolReport } from '../table.ts';

/**
 * Formats a run as an HTML page.
 *
 * @param protocol the protocol's name
 * @param known the run's status and prompts, as far as the caller knows them
 */
export async function reportPage(
  protocol: string,
  facts: readonly AnyFact[],
  known: PageExtras = {},
): Promise<string> {
  return formatPage(facts, await loadProtocolReport(protocol), known);
}
