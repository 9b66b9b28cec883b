/** Divides a row of code where its kind changes, but not within a visible character. */
import type { CodePlace } from '../../../text/markdown/code-block.ts';
import type { Row, Style } from '../../../text/rows/row.ts';
import { splitGraphemes } from '../../../text/width.ts';
import { type CodeKind, KINDS } from './kinds.ts';

interface CodePiece {
  readonly text: string;
  readonly style: Style;
  readonly kind: CodeKind | undefined;
}

/**
 * Divides a row of a code block into pieces, each of one kind and therefore one color.
 *
 * @param place `from`: the position of the row in the block; `lead`: how many characters were added
 *   before the code of the row
 * @param marks the kinds of all characters of the block, as `marksOf` returns them
 */
export function piecesOf(row: Row, { from, lead }: CodePlace, marks: Uint8Array): CodePiece[] {
  const pieces: CodePiece[] = [];
  let at = from - lead;
  for (const { text, style } of row) {
    let piece = '';
    let mark = 0;
    for (const grapheme of splitGraphemes(text)) {
      const own = at < from ? 0 : (marks[at] ?? 0);
      if (own !== mark && piece !== '') {
        pieces.push({ text: piece, style, kind: KINDS[mark] });
        piece = '';
      }
      mark = own;
      piece += grapheme.text;
      at += grapheme.text.length;
    }
    if (piece !== '') pieces.push({ text: piece, style, kind: KINDS[mark] });
  }
  return pieces;
}
