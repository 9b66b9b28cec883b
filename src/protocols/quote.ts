/**
 * How one seat's words enter another seat's prompt: inside a block whose tag carries a nonce. The text
 * inside cannot end its block or open another one, whatever it says. It comes in as a person would read
 * it: what is hidden from a reader (sequences for a terminal, invisible letters) is hidden from models too.
 */
import { linesOf } from '../records/lines.ts';
import { sanitise } from '../text/sanitise.ts';

/** Anything that looks like one of our tags, however it is spelt or spaced. */
const IMITATION = /<(?=\s*\/?\s*(?:answer|attachment|note|piece|record)\b)/gi;

/** `<answer-1f3a9c02 from="Advisor A"> … </answer-1f3a9c02>` */
export function quote(
  tag: 'answer' | 'attachment' | 'note' | 'piece' | 'record',
  nonce: string,
  from: string,
  text: string,
): string {
  const name = `${tag}-${nonce}`;
  const label = sanitise(from).replace(/["<>\n]/g, "'");
  return `<${name} from="${label}">\n${sanitise(text).replace(IMITATION, '&lt;').trim()}\n</${name}>`;
}

/** The text with `12: ` before its twelfth line, so that it can be cited by line. */
export function numbered(text: string): string {
  return linesOf(text)
    .map((line, index) => `${index + 1}: ${line}`)
    .join('\n');
}
