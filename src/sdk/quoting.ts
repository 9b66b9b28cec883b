/** How a seat's words enter another seat's prompt. */
import { nonce } from '../kernel/chance.ts';
import { digest } from '../kernel/digest.ts';
import { quote as fenced } from '../protocols/common/fence.ts';
import { INSIDE } from './inside.ts';

/** A text, an object that a seat answered with, or either under the name it is to have in the prompt. */
export type Quotable = string | object | { readonly from: string; readonly text: string };

/**
 * Other people's words for a prompt, each in a block that it cannot end, whatever it says, and without
 * what a reader would not see. They are called `Text 1`, `Text 2`, …; `{ from, text }` names one.
 */
export function quote(...texts: readonly Quotable[]): string {
  const named = texts.map((one, index) => read(one, `Text ${index + 1}`));
  // Of the content too: who has seen one block cannot imitate the next.
  const mark = nonce(INSIDE.getStore()?.seed ?? 0, digest(named));
  return named.map(({ from, text }) => fenced('piece', mark, from, text)).join('\n\n');
}

function read(one: Quotable, from: string): { from: string; text: string } {
  if (typeof one === 'string') return { from, text: one };
  if (
    'from' in one &&
    'text' in one &&
    typeof one.from === 'string' &&
    typeof one.text === 'string'
  )
    return { from: one.from, text: one.text };
  return { from, text: JSON.stringify(one, null, 2) };
}
