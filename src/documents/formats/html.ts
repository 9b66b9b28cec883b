/** Converts the article of a web page to Markdown. */

import { Defuddle } from 'defuddle/node';
import { parseHTML } from 'linkedom';
import { parse, serialize } from 'parse5';
import { withoutFalse } from '../../text/without-undefined.ts';
import type { ReadText } from '../read-text.ts';
import { decodePage } from './charset.ts';
import type { Page } from './dom.ts';
import { type HiddenText, removeHidden } from './hidden.ts';
import { type Input, UnreadableError } from './input.ts';
import { toMarkdown } from './markdown.ts';
import { prepareReadabilityCheck } from './walls.ts';
import { cutText } from './words.ts';

/** Minimum share of the page's text in the article that Defuddle finds. With less, the whole page is used. */
const LEAST_SHARE = 0.3;

/**
 * Converts a web page to Markdown. Only the article of the page is converted, or the whole page if
 * the article makes up too little of the page's text.
 *
 * @throws UnreadableError if the page has no readable text, or its bytes do not fit its encoding
 */
export async function readHtml({
  bytes,
  mediaType,
  address,
  encoding: named,
}: Input): Promise<ReadText> {
  const { text: html, encoding, notes: said } = decodePage(bytes, mediaType, named);
  const document = parsePage(html);
  const notes = [...said];
  const whyWall = prepareReadabilityCheck(document);
  // Remove hidden text before the style sheets that hide it.
  const hidden = removeHidden(document);
  for (const element of document.querySelectorAll('script, style, template')) element.remove();
  notes.push(...formatHidden(hidden));
  const whole = markdownOf(document);
  const wall = whyWall(whole.match(/[\p{L}\p{N}]+/gu)?.length ?? 0);
  if (wall !== undefined) throw new UnreadableError('no-text', wall);
  const page = await Defuddle(document as never, address, { useAsync: false });
  const article = markdownOf(
    parsePage(`<!doctype html><html><head></head><body>${page.content}</body></html>`),
  );
  const text = article.length < LEAST_SHARE * whole.length ? whole : withTitle(page.title, article);
  if (text.trim() === '') throw new UnreadableError('no-text', 'a page without text');
  const { text: kept, note } = cutText(text);
  return {
    kind: 'html',
    text: kept,
    parts: [],
    extractor: { name: 'defuddle', version: '0.19.4' },
    encoding,
    notes: note === undefined ? notes : [...notes, note],
    title: page.title || undefined,
    date: page.published || undefined,
  };
}

/** Returns remarks on removed text, such as `12 words that its readers do not see were left out`. */
function formatHidden({ words, characters, formulas }: HiddenText): string[] {
  const formatAmount = (number: number, what: string): string =>
    `${number} ${what}${number === 1 ? '' : 's'}`;
  const getVerb = (number: number): string => (number === 1 ? 'was' : 'were');
  return withoutFalse([
    words > 0 &&
      `${formatAmount(words, 'word')} that its readers do not see ${getVerb(words)} left out`,
    formulas > 0 &&
      `${formatAmount(formulas, 'formula')} among them: the page shows pictures instead, which cannot be read`,
    characters > 0 &&
      `${formatAmount(characters, 'invisible character')} ${getVerb(characters)} left out`,
  ]);
}

/**
 * Adds the page's title as a heading if the article lacks it. Defuddle drops a heading that equals the
 * title.
 */
function withTitle(title: string, article: string): string {
  return title === '' || article.trim() === '' || article.includes(`# ${title}\n`)
    ? article
    : `# ${title}\n\n${article}`;
}

function parsePage(html: string): Page {
  // Parse with parse5 first: linkedom finds no body in a page without a `<body>` tag.
  return parseHTML(serialize(parse(html))).document as unknown as Page;
}

function markdownOf(page: Page): string {
  const top = page.body ?? page.documentElement;
  return top === null ? '' : toMarkdown(top);
}
