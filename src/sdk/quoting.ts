/** Quotes a seat's text in another seat's prompt. */
import { makeNonce } from '../kernel/chance.ts';
import { computeDigest } from '../kernel/digest.ts';
import { formatMissingLines } from '../protocols/common/prompts/attached.ts';
import { encloseInTags as fenced } from '../protocols/common/prompts/fence.ts';
import { INSIDE } from './inside.ts';

/**
 * Something to quote in a prompt: a text, a text with the name of its source (`from`) or an id, or the object that
 * a seat answered with, which is quoted as JSON.
 */
export type Quotable =
  | string
  | object
  | { readonly from: string; readonly text: string }
  | { readonly id: string; readonly text: string };

/**
 * Formats texts for a prompt. Each text is in a block that the text itself cannot end, and
 * without invisible characters. A text is named `Text 1`, `Text 2` and so on, unless it is given
 * with a name, as `{ from, text }` or `{ id, text }`. If a text cites lines that an attached document
 * does not have, a sentence after the block names these lines.
 */
export function quote(...texts: readonly Quotable[]): string {
  const named = texts.map((text, index) => readQuotable(text, `Text ${index + 1}`));
  // The tags around the texts contain one random-looking mark. Compute it from the seed and the texts, so that a
  // model that has seen the mark of earlier texts cannot know that of others.
  const inside = INSIDE.getStore();
  const mark = makeNonce(inside?.seed ?? 0, computeDigest(named));
  return named
    .map((piece) => {
      const block = fenced('piece', mark, piece.from, piece.text);
      inside?.quoted.set(block, piece);
      const note = formatMissingLines(piece.text, inside?.attachments ?? []);
      return note === '' ? block : `${block}\n${note}`;
    })
    .join('\n\n');
}

function readQuotable(quotable: Quotable, from: string): { from: string; text: string } {
  if (typeof quotable === 'string') return { from, text: quotable };
  const { from: name, id = name, text } = quotable as Record<string, unknown>;
  if (typeof id === 'string' && typeof text === 'string')
    return { from: typeof name === 'string' ? name : id, text };
  return { from, text: JSON.stringify(quotable, null, 2) };
}
