/**
 * Reads the pages that the program writes, more strictly than a browser, which would repair mistakes. Unknown
 * tags and attributes, tags that are not closed, and links to anything but a place in the page, http, https
 * and mail are errors.
 */
import { createHash } from 'node:crypto';

/** What a page contains. */
export interface Page {
  /** The title of the page. */
  readonly title: string;
  /** The text of the page, also of folded parts, with entities decoded. */
  readonly text: string;
  /** The ids of elements. */
  readonly ids: ReadonlySet<string>;
  /** The targets of links, in the order of the page. */
  readonly links: readonly string[];
  /** How many elements there are, by tag. */
  readonly tags: ReadonlyMap<string, number>;
  /** Returns the text of every element of a class, in the order in which the elements end. */
  textsOfClass(name: string): string[];
}

const VOID: ReadonlySet<string> = new Set(['meta', 'br', 'hr']);
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  '*': ['id', 'class'],
  html: ['lang'],
  meta: ['charset', 'name', 'content', 'http-equiv'],
  a: ['href', 'rel'],
  ol: ['start'],
  th: ['align', 'colspan', 'scope'],
  td: ['align'],
  nav: ['aria-label'],
  div: ['role', 'aria-labelledby', 'tabindex'],
  svg: [
    ...['viewbox', 'width', 'height', 'role', 'aria-labelledby', 'aria-hidden'],
    'preserveaspectratio',
  ],
  marker: ['viewbox', 'refx', 'refy', 'markerwidth', 'markerheight', 'orient'],
  path: ['d', 'marker-end'],
  line: ['x1', 'y1', 'x2', 'y2'],
  rect: ['x', 'y', 'width', 'height', 'rx'],
  circle: ['cx', 'cy', 'r'],
  text: ['x', 'y', 'text-anchor'],
};
const TAGS: ReadonlySet<string> = new Set([
  ...['html', 'head', 'meta', 'title', 'style', 'body', 'header', 'nav', 'main', 'footer'],
  ...['section', 'div', 'p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'a', 'b', 'em'],
  ...['strong', 'code', 'pre', 'blockquote', 'br', 'hr', 'small', 'span', 'table', 'caption'],
  ...['thead', 'tbody', 'tr', 'th', 'td', 'details', 'summary', 'figure', 'figcaption'],
  ...['svg', 'g', 'marker', 'path', 'line', 'rect', 'circle', 'text', 'tspan'],
]);

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
};

/**
 * Returns a text with its entities replaced by the characters that they stand for.
 *
 * @throws Error if an ampersand begins no entity that the program writes
 */
export function decodeEntities(text: string): string {
  return text.replace(/&([^;&]*;?)/g, (all, name: string) => {
    const found = name.endsWith(';') ? ENTITIES[name.slice(0, -1)] : undefined;
    if (found === undefined) throw new Error(`a loose ampersand: ${all.slice(0, 40)}`);
    return found;
  });
}

/**
 * Reads a page and returns what it contains.
 *
 * @throws Error that says what is wrong and quotes the text around it
 */
export function readPage(html: string): Page {
  const start = '<!doctype html>\n';
  if (!html.startsWith(start)) throw new Error('no doctype');
  const open: { tag: string; classes: readonly string[]; from: number }[] = [];
  const tags = new Map<string, number>();
  const ids = new Set<string>();
  const links: string[] = [];
  /**
   * For each element and each of its classes: where its text begins and ends in `text`. Texts are cut out only
   * after the whole page was read, because cutting from a growing text copies it each time.
   */
  const classed: { readonly name: string; readonly from: number; readonly to: number }[] = [];
  let text = '';
  let title = '';
  let policy = '';
  const style: string[] = [];
  let at = start.length;
  const fail = (why: string): never => {
    throw new Error(`${why}, at: ${html.slice(Math.max(0, at - 80), at + 120)}`);
  };
  while (at < html.length) {
    const inside = open.at(-1)?.tag;
    if (inside === 'style') {
      const end = html.indexOf('</style>', at);
      if (end < 0) fail('a style without its end');
      style.push(html.slice(at, end));
      at = end + '</style>'.length;
      open.pop();
      continue;
    }
    if (html[at] !== '<') {
      const next = html.indexOf('<', at);
      const end = next < 0 ? html.length : next;
      const raw = html.slice(at, end);
      if (raw.includes('>')) fail('a loose >');
      const read = decodeEntities(raw);
      if (inside === 'title' && open.some(({ tag }) => tag === 'head')) title += read;
      else text += read;
      at = end;
      continue;
    }
    const [all = '', slash = '', name = '', rest = ''] =
      /^<(\/?)([a-zA-Z][a-zA-Z0-9]*)((?:\s+[a-zA-Z][a-zA-Z0-9-]*(?:="[^"<>]*")?)*)\s*\/?>/.exec(
        html.slice(at, at + 20_000),
      ) ?? [];
    if (all === '') fail('what is no tag of ours');
    const tag = name.toLowerCase();
    if (!TAGS.has(tag)) fail(`the tag ${tag}`);
    if (slash === '/') {
      const last = open.pop();
      if (last?.tag !== tag) fail(`</${tag}> closes <${last?.tag}>`);
      for (const className of last?.classes ?? [])
        classed.push({ name: className, from: last?.from ?? 0, to: text.length });
    } else {
      tags.set(tag, (tags.get(tag) ?? 0) + 1);
      const attributes = new Map(
        [...rest.matchAll(/([a-zA-Z][a-zA-Z0-9-]*)(?:="([^"]*)")?/g)].map(
          ([, key = '', value = '']) => [key.toLowerCase(), decodeEntities(value)],
        ),
      );
      for (const key of attributes.keys())
        if (![...(ATTRIBUTES['*'] ?? []), ...(ATTRIBUTES[tag] ?? [])].includes(key))
          fail(`the attribute ${key} of ${tag}`);
      const id = attributes.get('id');
      if (id !== undefined && ids.has(id)) fail(`the id ${id} twice`);
      if (id !== undefined) ids.add(id);
      const href = attributes.get('href');
      if (href !== undefined) links.push(href);
      if (attributes.get('http-equiv') === 'Content-Security-Policy')
        policy = attributes.get('content') ?? '';
      else if (attributes.has('http-equiv')) fail('another http-equiv');
      const classes = (attributes.get('class') ?? '')
        .split(' ')
        .filter((className) => className !== '');
      if (!VOID.has(tag) && !all.endsWith('/>')) open.push({ tag, classes, from: text.length });
    }
    at += all.length;
  }
  if (open.length > 0) fail(`<${open.at(-1)?.tag}> is never closed`);
  if (style.length !== 1) fail('more styles than one');
  const hash = createHash('sha256')
    .update(style[0] ?? '')
    .digest('base64');
  const wanted = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  if (policy !== wanted) fail(`the policy ${policy}`);
  // The style sheet must have rules only, and no address that loads something, no tag and no comment.
  if (/url\(|@import|expression|[<]|\/\*/.test(style[0] ?? '')) fail('a style that loads');
  for (const href of links) {
    if (/^(?:https?:\/\/|mailto:)/i.test(href)) continue;
    if (!href.startsWith('#') || !ids.has(href.slice(1))) fail(`a link to ${href}`);
  }
  const listTexts = (name: string): string[] =>
    classed.filter((range) => range.name === name).map(({ from, to }) => text.slice(from, to));
  return { title, text, ids, links, tags, textsOfClass: listTexts };
}
