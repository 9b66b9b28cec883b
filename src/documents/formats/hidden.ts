/** Takes out of a page what a person who looks at it does not see, so that it does not go to models. */

import type { Page } from './dom.ts';

/** Removes hidden elements from a document. Returns the number of characters of text in them. */
export function removeHidden(document: Page): number {
  let removed = 0;
  for (const element of document.querySelectorAll(
    '[hidden], [style*="display:none"], [style*="display: none"]',
  )) {
    removed += element.textContent?.trim().length ?? 0;
    element.remove();
  }
  return removed;
}
