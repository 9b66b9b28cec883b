/** What people noted in the iteration log of a run, as Markdown. */
import type { RunView } from '../kernel/view.ts';
import { words } from './markdown.ts';

/** Returns one bullet for each line, with the minute it was written in; empty where nobody wrote any. */
export function iterationBullets({ iterations = [] }: Pick<RunView, 'iterations'>): string {
  return iterations
    .map(({ at, text }) => `- ${at.slice(0, 16).replace('T', ' ')} UTC: ${words(text)}`)
    .join('\n');
}
