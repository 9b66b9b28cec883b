/**
 * Takes out of a page what a person who looks at it does not see, so that it does not go to models: what is not
 * displayed, transparent, in the color of its ground, tiny, clipped, or outside of the window, and characters that
 * have no shape. What only a linked style sheet or a script hides cannot be known, and stays.
 */
import { sanitise } from '../../text/sanitise.ts';
import { BLACK, type Colour, isSeenOn, over, readColour, WHITE } from './colours.ts';
import { ELEMENT, type Element, type Node, type Page, TEXT, type TextNode } from './dom.ts';
import { type Style, Styles } from './styles.ts';

/** Letters are smaller than this on no page that is meant to be read, in pixels. */
const SMALLEST_FONT = 4;
/** So far outside of a window nothing is found any more, in pixels. */
const OUTSIDE = -300;
const NORMAL_FONT = 16;

/** What was left out. */
export interface Hidden {
  /** Words of hidden elements. */
  readonly words: number;
  /** Characters that have no shape. */
  readonly characters: number;
}

/** What an element hands on to those in it. */
interface Inherited {
  readonly isVisible: boolean;
  readonly colour: Colour;
  /** Undefined behind a picture, whose colors nobody knows. */
  readonly ground: Colour | undefined;
  readonly font: number;
}

/** Elements whose content is not shown by a browser that runs scripts, or not as text. */
const NEVER_SHOWN: ReadonlySet<string> = new Set([
  ...['AUDIO', 'CANVAS', 'DATALIST', 'IFRAME', 'NOEMBED', 'NOFRAMES', 'NOSCRIPT', 'OBJECT'],
  ...['SCRIPT', 'STYLE', 'TEMPLATE', 'TITLE', 'VIDEO', 'HEAD', 'META', 'LINK'],
]);
/** Of these, what is in them is no text that somebody hid. */
const NO_TEXT: ReadonlySet<string> = new Set([
  ...['HEAD', 'LINK', 'META', 'SCRIPT', 'STYLE', 'TITLE', 'AUDIO', 'CANVAS', 'VIDEO'],
]);

/** Removes what is hidden from a page's body. To be called while its style sheets are still there. */
export function removeHidden(page: Page): Hidden {
  const top = page.body ?? page.documentElement;
  let words = 0;
  let characters = 0;
  if (top === null) return { words, characters };
  const styles = new Styles(page);
  const drop = (node: Node): void => {
    if (!NO_TEXT.has(node.nodeName)) words += countWords(node.textContent ?? '');
    node.remove();
  };
  // Not by recursion: elements may be nested as deep as a page is long.
  const first: Inherited = { isVisible: true, colour: BLACK, ground: WHITE, font: NORMAL_FONT };
  const open: { readonly element: Element; readonly from: Inherited }[] = [
    { element: top, from: rootOf(page, styles, first) },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { element, from } = next;
    const style = styles.of(element);
    // A page that hides itself until its scripts have run is shown by them.
    if (element !== top && isGone(element, style)) {
      drop(element);
      continue;
    }
    const inherited = inheritance(style, from, element === top);
    const isSeen = canBeRead(inherited);
    for (const node of [...element.childNodes]) {
      if (node.nodeType === ELEMENT) open.push({ element: node as Element, from: inherited });
      else if (node.nodeType !== TEXT) continue;
      else if (!isSeen && (node.textContent ?? '').trim() !== '') drop(node);
      else characters += removeUnseen(node as TextNode);
    }
  }
  return { words, characters };
}

/** What `html` hands on to `body`. */
function rootOf({ body, documentElement }: Page, styles: Styles, first: Inherited): Inherited {
  if (body === null || documentElement === null || body === documentElement) return first;
  return inheritance(styles.of(documentElement), first, true);
}

/** Whether an element is not shown, with all that is in it. */
function isGone(element: Element, style: Style): boolean {
  const is = (property: Parameters<Style['get']>[0], pattern: RegExp): boolean =>
    pattern.test(style.get(property) ?? '');
  const pixels = (property: Parameters<Style['get']>[0]): number =>
    lengthOf(style.get(property) ?? '') ?? 0;
  if (NEVER_SHOWN.has(element.nodeName)) return true;
  // What a search in the page finds is shown then.
  const hidden = element.getAttribute('hidden');
  const isShown = is('display', /^(?!none\b)./);
  if (hidden !== null && hidden.toLowerCase() !== 'until-found' && !isShown) return true;
  if (element.nodeName === 'DIALOG' && !element.hasAttribute('open') && !isShown) return true;
  if (is('display', /^none\b/) || is('content-visibility', /^hidden\b/)) return true;
  if (style.has('opacity') && (Number.parseFloat(style.get('opacity') ?? '1') || 0) < 0.1)
    return true;
  if (is('filter', /opacity\(\s*(?:0(?:\.0\d*)?%?|0?\.0\d*)\s*\)/)) return true;
  if (is('clip-path', /inset\(\s*(?:50|100)%|circle\(\s*0|polygon\(\s*0(?:px)?\s+0(?:px)?\s*\)/))
    return true;
  if (is('transform', /scale[xy3d]*\(\s*0(?:\.0\d*)?\s*[,)]|translate[xy3d]*\([^)]*-\d{4,}(?:px)?/))
    return true;
  const isOut = is('position', /^(?:absolute|fixed)\b/);
  if (isOut && is('clip', /rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01]/))
    return true;
  const places =
    isOut || is('position', /^relative\b/) ? (['left', 'top', 'right', 'bottom'] as const) : [];
  if (
    [...places, 'margin-left', 'margin-top', 'text-indent'].some(
      (one) => pixels(one as 'left') <= OUTSIDE,
    )
  )
    return true;
  const isCut = (['overflow', 'overflow-x', 'overflow-y'] as const).some((one) =>
    is(one, /\b(?:hidden|clip)\b/),
  );
  const isNothing = (['width', 'height', 'max-width', 'max-height'] as const).some((one) => {
    const length = lengthOf(style.get(one) ?? '');
    return length !== undefined && length >= 0 && length <= 1;
  });
  return isCut && isNothing;
}

function inheritance(style: Style, from: Inherited, isTop: boolean): Inherited {
  const visibility = style.get('visibility') ?? '';
  const written = style.get('color') ?? '';
  const ground = groundOf(style, from.ground);
  return {
    isVisible:
      isTop || /^(?:|inherit|unset)$/.test(visibility)
        ? from.isVisible
        : !/^(?:hidden|collapse)\b/.test(visibility),
    colour: readColour(written) ?? from.colour,
    ground,
    font: fontOf(style.get('font-size') ?? '', from.font),
  };
}

function groundOf(style: Style, from: Colour | undefined): Colour | undefined {
  const picture = style.get('background-image') ?? 'none';
  if (!/^(?:none|initial|unset|inherit)?$/.test(picture)) return undefined;
  const written = style.get('background-color') ?? '';
  const colour = readColour(written);
  if (colour === undefined)
    return /^(?:|inherit|initial|unset|none)$/.test(written) ? from : undefined;
  if (colour.alpha === 1) return colour;
  return from === undefined ? undefined : over(colour, from);
}

function fontOf(written: string, from: number): number {
  const value = Number.parseFloat(written);
  if (Number.isNaN(value)) return from;
  if (/(?:[\d.])(?:em|%)$/.test(written))
    return written.endsWith('%') ? (value / 100) * from : value * from;
  return lengthOf(written) ?? from;
}

function canBeRead({ isVisible, colour, ground, font }: Inherited): boolean {
  if (!isVisible || font < SMALLEST_FONT || colour.alpha < 0.1) return false;
  return ground === undefined || isSeenOn(colour, ground);
}

/** Pixels; undefined for what is no length. A share of a window counts as one of 1,000 pixels. */
function lengthOf(written: string): number | undefined {
  const [, number = '', unit = ''] =
    /(-?\d*\.?\d+)(px|pt|em|rem|ex|ch|vw|vh|%|in|cm|mm)?/.exec(written) ?? [];
  const value = Number.parseFloat(number);
  if (Number.isNaN(value)) return undefined;
  const factor = UNITS.get(unit) ?? 1;
  return value * factor;
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ['pt', 4 / 3],
  ['em', NORMAL_FONT],
  ['rem', NORMAL_FONT],
  ['ex', NORMAL_FONT / 2],
  ['ch', NORMAL_FONT / 2],
  ['vw', 10],
  ['vh', 10],
  ['%', 10],
  ['in', 96],
  ['cm', 38],
  ['mm', 3.8],
]);

/** Takes the characters without a shape out of a text, but where letters or line ends need them. Returns their number. */
function removeUnseen(node: TextNode): number {
  const { data } = node;
  const kept = sanitise(data);
  // A soft hyphen, and a place where a word may be broken, hide nothing.
  const plain = data.replace(/[\u00ad\u200b\u2060\ufeff\r]/g, '');
  if (kept !== data) node.data = kept;
  return Math.max(0, [...plain].length - [...sanitise(plain)].length);
}

function countWords(text: string): number {
  return sanitise(text).match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}
