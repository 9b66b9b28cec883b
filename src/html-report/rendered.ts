/**
 * Markdown as HTML. Raw HTML is shown as text, pictures are links, links lead out by http, https and mail
 * only. What the parser writes passes a list of tags and attributes once more: what is not on it is text.
 */
import { micromark } from 'micromark';
import { gfmTable, gfmTableHtml } from 'micromark-extension-gfm-table';
import { sanitise } from '../text/sanitise.ts';
import { type Anchors, escapeText } from './html.ts';
import { tamed } from './tamed.ts';

const OPTIONS = {
  extensions: [gfmTable(), { disable: { null: ['htmlFlow', 'htmlText', 'labelStartImage'] } }],
  htmlExtensions: [gfmTableHtml()],
};

/** Around what may be wider than a phone: it scrolls, by keys as well, and the page does not. */
export const SCROLL = '<div class="scroll" tabindex="0">';

/** Tags as the parser writes them; nothing of theirs but what is named here is kept. */
const PLAIN =
  /^<\/?(?:p|h[1-6]|ul|ol|li|em|strong|code|pre|blockquote|table|thead|tbody|tr|th|td)>$|^<(?:br|hr) \/>$/;
const ALIGNED = /^<(?:th|td) align="(?:left|right|center)">$/;
const NUMBERED = /^<ol start="\d{1,9}">$/;
const FENCE = /^<code class="language-[^"]*">$/;
const LINK = /^<a href="((?:https?:\/\/|mailto:)[^"]*)"(?: title="[^"]*")?>$/i;

/** `anchors`: what ids in it lead to. */
export function rendered(markdown: string, anchors: Anchors): string {
  const html = micromark(tamed(sanitise(markdown)), OPTIONS);
  let out = '';
  let inCode = 0;
  const links: boolean[] = [];
  for (const [part] of html.matchAll(/<[^>]*>|[^<]+/g)) {
    if (!part.startsWith('<')) {
      out += inCode > 0 || links.includes(true) ? part : anchors.link(part);
      continue;
    }
    const isEnd = part.startsWith('</');
    if (part === '</a>') {
      if (links.pop() === true) out += part;
      continue;
    }
    if (part.startsWith('<a ')) {
      const [, href] = LINK.exec(part) ?? [];
      links.push(href !== undefined);
      if (href !== undefined) out += `<a href="${href}" rel="noreferrer">`;
      continue;
    }
    if (part === '<table>') out += SCROLL;
    if (/^<\/?(?:code|pre)\b/.test(part)) inCode += isEnd ? -1 : 1;
    out += allowed(part);
    if (part === '</table>') out += '</div>';
  }
  // A header without a word would be announced as one that says nothing.
  return out.replace(/<th(?: align="[a-z]+")?><\/th>/g, '<td></td>');
}

/** A tag that the page may have; any other is text. */
function allowed(tag: string): string {
  if (PLAIN.test(tag) || ALIGNED.test(tag) || NUMBERED.test(tag)) return tag;
  return FENCE.test(tag) ? '<code>' : escapeText(tag);
}
