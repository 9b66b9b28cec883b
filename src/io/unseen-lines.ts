/** Reports invisible characters in files of agents and presets. */
import { findUnseen, formatCodePoints } from '../text/unseen.ts';

/** The number of lines with invisible characters that are reported one by one for a file. */
const UNSEEN_LINES = 5;

/**
 * Returns the numbers of the lines that contain invisible characters which the sanitiser removes, from 1, each
 * with a description of the characters (`words`). At most five lines are returned; the last description then
 * names the number of further lines.
 */
export function findUnseenLines(text: string): { line: number; words: string }[] {
  const found = findUnseen(text.replace(/^\uFEFF/, ''));
  const more = found.length - UNSEEN_LINES;
  return found.slice(0, UNSEEN_LINES).map(({ line, points }, index) => {
    const others = more > 0 && index === UNSEEN_LINES - 1 ? `; so have ${more} more lines` : '';
    return {
      line,
      words: `invisible characters: ${formatCodePoints(points)}; models read the text without them${others}`,
    };
  });
}
