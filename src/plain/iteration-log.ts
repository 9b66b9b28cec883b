/** Formats the iteration log of a run as Markdown. */
import type { RunView } from '../kernel/view.ts';
import { words } from './markdown.ts';

/** Returns a bullet for each entry, with the minute in which it was written; empty if there are none. */
export function iterationBullets({ iterations = [] }: Pick<RunView, 'iterations'>): string {
  return iterations
    .map(({ at, text }) => `- ${at.slice(0, 16).replace('T', ' ')} UTC: ${words(text)}`)
    .join('\n');
}
