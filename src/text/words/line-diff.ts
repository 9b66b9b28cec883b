/** Formats the difference between two texts: removed and added lines, with some lines around them. */
import { textLines } from '../lines.ts';
import { wordDiff } from './word-diff.ts';

/** Lines of context around a change, as in `diff -u`. */
const AROUND = 3;

/**
 * Returns a heading with the path, and the lines that differ between two versions of a file with
 * three equal lines around each change. `…` stands for lines that are left out before a change. `before` is
 * undefined if the file did not exist.
 */
export function diffLines(path: string, before: string | undefined, after: string): string {
  const come = textLines(after);
  if (before === undefined)
    return [`+++ ${path} (new)`, ...come.map((line) => `+ ${line}`)].join('\n');
  const went = textLines(before);
  const { left, right } = wordDiff(went, come);
  const rows: { readonly sign: ' ' | '-' | '+'; readonly line: string }[] = [];
  for (let i = 0, j = 0; i < went.length || j < come.length; ) {
    if (i < went.length && left[i]) rows.push({ sign: '-', line: went[i++] ?? '' });
    else if (j < come.length && right[j]) rows.push({ sign: '+', line: come[j++] ?? '' });
    else {
      rows.push({ sign: ' ', line: come[j] ?? '' });
      i += 1;
      j += 1;
    }
  }
  const isNear = (at: number): boolean =>
    rows.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ sign }) => sign !== ' ');
  const shown = rows.flatMap(({ sign, line }, at) => {
    if (isNear(at)) return [`${sign} ${line}`];
    return isNear(at + 1) && at > 0 ? ['…'] : [];
  });
  return [`+++ ${path} (changed)`, ...shown].join('\n');
}
