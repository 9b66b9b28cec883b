/** The article of a web page as Markdown. */
import { Defuddle } from 'defuddle/node';
import { parseHTML } from 'linkedom';
import type { ReadText } from '../read-text.ts';
import { decodePage } from './charset.ts';
import type { Page } from './dom.ts';
import { removeHidden } from './hidden.ts';
import { type Input, Unreadable } from './input.ts';
import { toMarkdown } from './markdown.ts';
import { cutText } from './words.ts';

/** An article that has less of a page's words than this was found by mistake: the whole page is taken. */
const LEAST_SHARE = 0.3;

export async function readHtml({ bytes, mediaType, address }: Input): Promise<ReadText> {
  const document = pageOf(decodePage(bytes, mediaType));
  const notes: string[] = [];
  for (const element of document.querySelectorAll('script, style, template')) element.remove();
  const hidden = removeHidden(document);
  if (hidden > 0) notes.push(`${hidden} characters of hidden text were left out`);
  const whole = markdownOf(document);
  const page = await Defuddle(document as never, address, { useAsync: false });
  const article = markdownOf(
    pageOf(`<!doctype html><html><head></head><body>${page.content}</body></html>`),
  );
  const text = article.length < LEAST_SHARE * whole.length ? whole : withTitle(page.title, article);
  if (text.trim() === '') throw new Unreadable('no-text', 'a page without text');
  const { text: kept, note } = cutText(text);
  return {
    kind: 'html',
    text: kept,
    parts: [],
    extractor: { name: 'defuddle', version: '0.19.4' },
    notes: note === undefined ? notes : [...notes, note],
    title: page.title || undefined,
    date: page.published || undefined,
  };
}

/** Articles are found without their heading where it is the page's title. */
function withTitle(title: string, article: string): string {
  return title === '' || article.trim() === '' || article.includes(`# ${title}\n`)
    ? article
    : `# ${title}\n\n${article}`;
}

function pageOf(html: string): Page {
  return parseHTML(html).document as unknown as Page;
}

function markdownOf(page: Page): string {
  const top = page.body ?? page.documentElement;
  return top === null ? '' : toMarkdown(top);
}
