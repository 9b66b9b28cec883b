/** Chores as they stand in a text file, one a line. */

const LINE = /^- \[( |x)\] (.+?)(?: \(due (\d{4}-\d{2}-\d{2})\))?$/;

/** @returns {{ title: string, done: boolean, due?: string }[]} in the order of their lines */
export function readChores(text) {
  return text.split(/\r?\n/).flatMap((line) => {
    const found = LINE.exec(line.trim());
    if (found === null) return [];
    const [, mark, title, due] = found;
    return [{ title, done: mark === 'x', ...(due === undefined ? {} : { due }) }];
  });
}
