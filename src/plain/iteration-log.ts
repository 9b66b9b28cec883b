/** Formats the iteration log of a run as Markdown. */
import type { RunView } from '../kernel/view.ts';
import { escapeLine } from './markdown.ts';

/**
 * Formats the lines that a person has noted on a run as a Markdown list, each with its time; empty
 * if there are none.
 */
export function iterationBullets({ iterations = [] }: Pick<RunView, 'iterations'>): string {
  return iterations
    .map(({ at, text }) => `- ${at.slice(0, 16).replace('T', ' ')} UTC: ${escapeLine(text)}`)
    .join('\n');
}
