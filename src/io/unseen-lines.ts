/** What is told of files of agents and presets that have characters which nobody sees. */
import { namesOf, unseenIn } from '../text/unseen.ts';

/** So many lines with invisible characters are told of a file one by one. */
const UNSEEN_LINES = 5;

/** What is said of every line that has characters which neither a person nor a model gets to see. */
export function unseenLines(text: string): { line: number; words: string }[] {
  const found = unseenIn(text.replace(/^\uFEFF/, ''));
  const more = found.length - UNSEEN_LINES;
  return found.slice(0, UNSEEN_LINES).map(({ line, points }, index) => {
    const others = more > 0 && index === UNSEEN_LINES - 1 ? `; so have ${more} more lines` : '';
    return {
      line,
      words: `invisible characters: ${namesOf(points)}; models read the text without them${others}`,
    };
  });
}
