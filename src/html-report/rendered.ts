/**
 * Renders Markdown as HTML. Raw HTML is shown as text, pictures become links, and links may only use http,
 * https and mailto. The parser's output is checked against a list of tags and attributes; anything else becomes
 * text.
 */
import { micromark } from 'micromark';
import { gfmTable, gfmTableHtml } from 'micromark-extension-gfm-table';
import { sanitiseText } from '../text/sanitise.ts';
import { type Anchors, escapeText } from './html.ts';
import { limitMarkdown } from './tamed.ts';

const OPTIONS = {
  extensions: [gfmTable(), { disable: { null: ['htmlFlow', 'htmlText', 'labelStartImage'] } }],
  htmlExtensions: [gfmTableHtml()],
};

/**
 * The start tag of an element that scrolls sideways, for content that may be wider than a phone.
 */
export const SCROLL = '<div class="scroll" tabindex="0">';

/** Matches the parser's tags that are kept. */
const PLAIN =
  /^<\/?(?:p|h[1-6]|ul|ol|li|em|strong|code|pre|blockquote|table|thead|tbody|tr|th|td)>$|^<(?:br|hr) \/>$/;
const ALIGNED = /^<(?:th|td) align="(?:left|right|center)">$/;
const NUMBERED = /^<ol start="\d{1,9}">$/;
const FENCE = /^<code class="language-[^"]*">$/;
const LINK = /^<a href="((?:https?:\/\/|mailto:)[^"]*)"(?: title="[^"]*")?>$/i;

/**
 * Converts Markdown to HTML that is safe to show.
 *
 * @param anchors the page's link targets; ids in the text become links
 */
export function renderMarkdown(markdown: string, anchors: Anchors): string {
  const html = micromark(limitMarkdown(sanitiseText(markdown)), OPTIONS);
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
    out += allowTag(part);
    if (part === '</table>') out += '</div>';
  }
  // Replace header cells without text by plain cells, since screen readers would announce an empty header.
  return out.replace(/<th(?: align="[a-z]+")?><\/th>/g, '<td></td>');
}

/** Returns a tag that the page may have; any other one is escaped. */
function allowTag(tag: string): string {
  if (PLAIN.test(tag) || ALIGNED.test(tag) || NUMBERED.test(tag)) return tag;
  return FENCE.test(tag) ? '<code>' : escapeText(tag);
}
