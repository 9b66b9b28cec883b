/** The kind of a part of code, by which its color is chosen. */
export type CodeKind = 'comment' | 'string' | 'keyword' | 'number' | 'name';

/**
 * The kinds of parts of code by number. `marksOf` returns these numbers for the characters of a
 * code block; 0 stands for code without a color.
 */
export const KINDS: readonly (CodeKind | undefined)[] = [
  undefined,
  'comment',
  'string',
  'keyword',
  'number',
  'name',
];

/** Kinds by the first class of a span. Spans with other classes have the kind of the span around them. */
const SCOPES: ReadonlyMap<string, CodeKind | undefined> = new Map<string, CodeKind | undefined>([
  ...(['comment', 'quote'] as const).map((scope) => [scope, 'comment'] as const),
  ...(['string', 'regexp', 'char', 'addition', 'link'] as const).map(
    (scope) => [scope, 'string'] as const,
  ),
  ...(['keyword', 'built_in', 'type', 'selector-tag', 'meta', 'doctag'] as const).map(
    (scope) => [scope, 'keyword'] as const,
  ),
  ...(['number', 'literal', 'symbol', 'bullet'] as const).map(
    (scope) => [scope, 'number'] as const,
  ),
  ...(
    [
      'title',
      'attr',
      'attribute',
      'property',
      'section',
      'name',
      'selector-id',
      'selector-class',
    ] as const
  ).map((scope) => [scope, 'name'] as const),
  // Code that is inserted into a string is not drawn as a string.
  ['subst', undefined],
]);

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#x27;', "'"],
]);

/** Matches the parts of the HTML: a span's beginning, its end, an escaped character, other text. */
const PARTS = /<span class="(?:hljs-|language-)([\w-]+)[^"]*">|<\/span>|(&[^;]+;)|([^<&]+)/gy;

/**
 * Reads the kind of each character of a code block from the HTML of highlight.js, as an index into
 * `KINDS`. Returns undefined if the HTML does not contain exactly `text`.
 */
export function marksOf(html: string, text: string): Uint8Array | undefined {
  const marks = new Uint8Array(text.length);
  const open = [0];
  let at = 0;
  let read = 0;
  for (const [part, scope, entity] of html.matchAll(PARTS)) {
    read += part.length;
    const mark = open.at(-1) ?? 0;
    if (scope !== undefined) {
      open.push(SCOPES.has(scope) ? KINDS.indexOf(SCOPES.get(scope)) : mark);
    } else if (part === '</span>') open.pop();
    else {
      const said = entity === undefined ? part : ENTITIES.get(entity);
      if (said === undefined || !text.startsWith(said, at)) return undefined;
      marks.fill(mark, at, at + said.length);
      at += said.length;
    }
  }
  return at === text.length && read === html.length ? marks : undefined;
}
