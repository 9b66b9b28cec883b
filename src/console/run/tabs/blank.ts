/** Draws a page that has nothing to show yet. */
import { truncateLine } from '../../../text/width.ts';
import type { PageScene } from '../page-scene.ts';

/** Draws a page that contains only a sentence. */
export function blankPage(
  text: string,
  columns: number,
  height: number,
  { theme }: PageScene,
): string[] {
  return [
    '',
    ` ${theme.dim(truncateLine(text, columns - 2))}`,
    ...Array.from({ length: Math.max(0, height - 2) }, () => ''),
  ];
}
