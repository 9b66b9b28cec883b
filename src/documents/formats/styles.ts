/**
 * Evaluates a page's own style sheets and attributes, for the few properties by which text is hidden.
 * Linked style sheets are not fetched. Rules that apply only in print, at some window width, or while
 * somebody points at an element are ignored.
 */
import type { Element, Page } from './dom.ts';

/** Maximum number of rules, and of variables inside of variables: a page may have a million. */
const MOST_RULES = 5_000;
const MOST_VARIABLES = 8;

const PROPERTIES = [
  'background-color',
  'background-image',
  'bottom',
  'clip',
  'clip-path',
  'color',
  'content-visibility',
  'display',
  'filter',
  'font-size',
  'height',
  'left',
  'margin-left',
  'margin-top',
  'max-height',
  'max-width',
  'opacity',
  'overflow',
  'overflow-x',
  'overflow-y',
  'position',
  'right',
  'text-indent',
  'top',
  'transform',
  'visibility',
  'width',
] as const;
type Property = (typeof PROPERTIES)[number];
const KNOWN: ReadonlySet<string> = new Set(PROPERTIES);

/** The CSS values of an element by property, in lower case. */
export type Style = ReadonlyMap<Property, string>;

/** A value and its weight against other values of the same property: the greater weight wins. */
interface Weighed {
  readonly value: string;
  readonly weight: number;
}

interface Rule {
  readonly selectorText?: string;
  readonly style?: {
    getPropertyValue(name: string): string;
    getPropertyPriority(name: string): string;
    readonly cssText: string;
  };
  readonly cssRules?: Iterable<Rule>;
  readonly media?: { readonly mediaText: string };
  /** The value of `CSSRule.type`. */
  readonly type?: number;
}

const INLINE = 1_000_000_000;
const IMPORTANT = 10_000_000_000;
/** Pseudo-classes that do not apply when a page is opened, and pseudo-elements. */
const NOT_AT_FIRST =
  /:(?:hover|focus|active|visited|target|checked|focus-within|focus-visible|popover-open)\b|::|:(?:before|after|first-line|first-letter)\b/i;

/** The CSS of a page: its own style sheets and `style` attributes. Linked style sheets are not loaded. */
export class Styles {
  readonly #said = new Map<Element, Map<Property, Weighed>>();
  readonly #variables = new Map<string, string>();

  constructor(page: Page) {
    let rules = 0;
    for (const sheet of page.querySelectorAll('style'))
      for (const rule of rulesOf(sheet)) {
        rules += 1;
        if (rules > MOST_RULES) return;
        this.#take(page, rule);
      }
  }

  /**
   * Returns the style of an element by the style sheets, its style attribute and the attributes of old
   * HTML.
   */
  of(element: Element): Style {
    const said = new Map(this.#said.get(element) ?? []);
    const putProperty = (property: string, value: string, weight: number): void => {
      if (!isProperty(property)) return;
      if ((said.get(property)?.weight ?? -1) <= weight) said.set(property, { value, weight });
    };
    for (const [property, value] of attributesOf(element)) putProperty(property, value, -0.5);
    for (const { property, value, isImportant } of declarationsIn(
      element.getAttribute('style') ?? '',
    ))
      putProperty(property, value, INLINE + (isImportant ? IMPORTANT : 0));
    return new Map([...said].map(([property, { value }]) => [property, this.#resolve(value)]));
  }

  #take(page: Page, { selectorText = '', style }: Rule): void {
    if (style === undefined) return;
    for (const [, name = '', value = ''] of style.cssText.matchAll(/(--[\w-]+)\s*:\s*([^;]+)/g))
      if (/:root|html|body|\*/.test(selectorText)) this.#variables.set(name, value.trim());
    const declared = PROPERTIES.flatMap((property) => {
      const value = style.getPropertyValue(property).trim().toLowerCase();
      const extra = style.getPropertyPriority(property) === 'important' ? IMPORTANT : 0;
      return value === '' ? [] : [{ property, value, extra }];
    });
    if (declared.length === 0) return;
    for (const selector of splitSelectors(selectorText)) {
      if (NOT_AT_FIRST.test(selector)) continue;
      const specificity = specificityOf(selector);
      for (const element of elementsOf(page, selector)) {
        const said = this.#said.get(element) ?? new Map<Property, Weighed>();
        this.#said.set(element, said);
        for (const { property, value, extra } of declared)
          if ((said.get(property)?.weight ?? -1) <= specificity + extra)
            said.set(property, { value, weight: specificity + extra });
      }
    }
  }

  #resolve(value: string): string {
    let text = value;
    for (let times = 0; times < MOST_VARIABLES && text.includes('var('); times += 1)
      text = text.replace(
        /var\(\s*(--[\w-]+)\s*(?:,\s*([^()]*))?\)/g,
        (_all, name: string, otherwise: string | undefined) =>
          this.#variables.get(name)?.toLowerCase() ?? otherwise ?? '',
      );
    return text.trim();
  }
}

/**
 * Returns the rules of a style sheet that apply on a screen, nested ones included; empty if the sheet
 * cannot be parsed.
 */
function rulesOf(sheet: Element): Rule[] {
  if (!holdsOnScreen(sheet.getAttribute('media') ?? '')) return [];
  try {
    const { cssRules } = (sheet as unknown as { readonly sheet: { cssRules: Iterable<Rule> } })
      .sheet;
    return [...cssRules].flatMap((rule) => flattenRule(rule, ''));
  } catch {
    return [];
  }
}

const KEYFRAMES = 7;

function flattenRule(rule: Rule, above: string): Rule[] {
  const { style, media } = rule;
  if (media !== undefined && !holdsOnScreen(media.mediaText)) return [];
  if ('containerQuery' in rule || rule.type === KEYFRAMES) return [];
  const selectorText =
    rule.selectorText === undefined ? above : nestSelector(rule.selectorText, above);
  const own = style === undefined || selectorText === '' ? [] : [{ style, selectorText }];
  return [
    ...own,
    ...[...(rule.cssRules ?? [])].flatMap((innerRule) => flattenRule(innerRule, selectorText)),
  ];
}

/** Returns the full selector of a rule that is nested in another rule. */
function nestSelector(selector: string, above: string): string {
  if (above === '') return selector;
  const parent = `:is(${above})`;
  return splitSelectors(selector)
    .map((part) => (part.includes('&') ? part.replaceAll('&', parent) : `${parent} ${part}`))
    .join(', ');
}

/** Returns whether a list of media includes screens without any condition. */
function holdsOnScreen(media: string): boolean {
  const queries = media.split(',').map((query) => query.trim().toLowerCase());
  return queries.some((query) => /^(?:|all|screen|only screen)$/.test(query));
}

/** Splits a list of selectors: `.a, .b:is(p, q)` has two. */
function splitSelectors(text: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const char = text[at];
    if (char === '(' || char === '[') depth += 1;
    if (char === ')' || char === ']') depth -= 1;
    if (at < text.length && (char !== ',' || depth > 0)) continue;
    found.push(text.slice(from, at).trim());
    from = at + 1;
  }
  return found.filter((selector) => selector !== '');
}

function elementsOf(page: Page, selector: string): Iterable<Element> {
  try {
    return page.querySelectorAll(selector);
  } catch {
    // The HTML library throws for selectors that it does not support; treat these as matching no element.
    return [];
  }
}

/**
 * Returns the specificity of a selector: ids outweigh classes, attributes and pseudo-classes, which
 * outweigh element names.
 */
function specificityOf(selector: string): number {
  const countMatches = (pattern: RegExp): number => selector.match(pattern)?.length ?? 0;
  const ids = countMatches(/#[\w-]+/g);
  const classes = countMatches(/\.[\w-]+|\[[^\]]*\]|:(?!is\b|where\b|not\b|has\b)[\w-]+/g);
  const names = countMatches(/(?:^|[\s>+~(,])[a-z][\w-]*/gi);
  return ids * 10_000 + classes * 100 + names;
}

/** Parses the declarations of a style attribute. */
function declarationsIn(style: string) {
  return plainCss(style)
    .split(';')
    .flatMap((declaration) => {
      const colon = declaration.indexOf(':');
      if (colon < 0) return [];
      const isImportant = /!\s*important\s*$/i.test(declaration);
      const property = declaration.slice(0, colon).trim().toLowerCase();
      const value = declaration
        .slice(colon + 1)
        .replace(/!\s*important\s*$/i, '')
        .trim()
        .toLowerCase();
      return expandShorthand(property, value).map((declaration) => ({
        ...declaration,
        isImportant,
      }));
    });
}

/** Removes comments from CSS and resolves escapes: `d\69splay` becomes `display`. */
function plainCss(style: string): string {
  return style
    .replace(/\/\*[\s\S]*?(?:\*\/|$)/g, '')
    .replace(/\\(?:([0-9a-f]{1,6})\s?|([\s\S]))/gi, (_all, code?: string, char?: string) => {
      const point = code === undefined ? 0 : Number.parseInt(code, 16);
      return char ?? (point > 0 && point <= 0x10_ff_ff ? String.fromCodePoint(point) : '');
    });
}

/** Expands a shorthand to the properties that are evaluated here. */
function expandShorthand(property: string, value: string): { property: string; value: string }[] {
  if (property === 'background') {
    const isPicture = /url\(|gradient\(/.test(value);
    const colour = value
      .replace(/url\([^)]*\)/g, '')
      .match(/#[0-9a-f]{3,8}\b|(?:rgb|hsl)a?\([^()]*\)|var\([^()]*\)|\b[a-z]{3,}\b/g)
      ?.find(
        (word) => !/^(?:no-repeat|repeat|center|fixed|scroll|left|right|top|none)$/.test(word),
      );
    return [
      ...(isPicture ? [{ property: 'background-image', value }] : []),
      ...(colour === undefined ? [] : [{ property: 'background-color', value: colour }]),
    ];
  }
  if (property === 'font') {
    const size = /(?:^|\s)([\d.]+(?:px|pt|em|rem|%))/.exec(value)?.[1];
    return size === undefined ? [] : [{ property: 'font-size', value: size }];
  }
  if (property === 'inset')
    return value.split(/\s+/).flatMap((part) => [
      { property: 'top', value: part },
      { property: 'left', value: part },
    ]);
  return [{ property, value }];
}

/** Returns the properties that attributes of old HTML such as `bgcolor` set. */
function attributesOf(element: Element): [string, string][] {
  const found: [string, string][] = [];
  const ground = element.getAttribute('bgcolor');
  if (ground !== null) found.push(['background-color', ground]);
  const text = element.getAttribute(element.nodeName === 'BODY' ? 'text' : 'color');
  if (text !== null) found.push(['color', text]);
  if (element.hasAttribute('background')) found.push(['background-image', 'url()']);
  return found.map(([property, value]) => [property, value.trim().toLowerCase()]);
}

function isProperty(name: string): name is Property {
  return KNOWN.has(name);
}
