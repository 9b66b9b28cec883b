/**
 * Removes from a page what a person looking at it does not see, so that hidden text does not reach models:
 * elements that are not displayed, transparent, in the color of their background, tiny, clipped or outside
 * of the window, and characters without a shape. Text that only a linked style sheet or a script hides
 * cannot be recognized and stays.
 */
import { sanitiseText } from '../../text/sanitise.ts';
import { BLACK, blendColours, type Colour, isSeenOn, readColour, WHITE } from './colours.ts';
import { ELEMENT, type Element, type Node, type Page, TEXT, type TextNode } from './dom.ts';
import { type Style, Styles } from './styles.ts';

/** Font size in pixels below which a text counts as unreadable. */
const SMALLEST_FONT = 4;
/** Offset in pixels at or below which an element counts as outside of the window. */
const OUTSIDE_OFFSET = -300;
const NORMAL_FONT = 16;

/** How much hidden text was removed from a page. */
export interface HiddenText {
  /** Number of words in hidden elements. */
  readonly words: number;
  /** Number of characters that have no shape. */
  readonly characters: number;
  /** Number of hidden formulas that are lost, because no picture with a description is beside them. */
  readonly formulas: number;
}

/** The properties that an element passes on to its children. */
interface Inherited {
  readonly isVisible: boolean;
  /** Whether programs that read a page aloud skip the element. */
  readonly isSilent: boolean;
  readonly colour: Colour;
  /** The background color; undefined if the background is a picture, whose colors are unknown. */
  readonly ground: Colour | undefined;
  readonly font: number;
}

/** Elements whose content is not shown as text by a browser that runs scripts. */
const NEVER_SHOWN: ReadonlySet<string> = new Set([
  ...['AUDIO', 'CANVAS', 'DATALIST', 'IFRAME', 'NOEMBED', 'NOFRAMES', 'NOSCRIPT', 'OBJECT'],
  ...['SCRIPT', 'STYLE', 'TEMPLATE', 'TITLE', 'VIDEO', 'HEAD', 'META', 'LINK'],
]);
/** Elements among `NEVER_SHOWN` whose content is no prose; its words are not counted as hidden text. */
const NO_TEXT: ReadonlySet<string> = new Set([
  ...['HEAD', 'LINK', 'META', 'SCRIPT', 'STYLE', 'TITLE', 'AUDIO', 'CANVAS', 'VIDEO'],
]);

/**
 * Removes hidden text from a page's body, and returns how much was removed. Must be called while the page
 * still has its style sheets.
 */
export function removeHidden(page: Page): HiddenText {
  const top = page.body ?? page.documentElement;
  let words = 0;
  let characters = 0;
  let formulas = 0;
  if (top === null) return { words, characters, formulas };
  const styles = new Styles(page);
  const dropNode = (node: Node): void => {
    formulas += countLostFormulas(node);
    if (!NO_TEXT.has(node.nodeName)) words += countWords(textOf(node));
    node.remove();
  };
  // Use a stack instead of recursion: elements may be nested so deeply that recursion would overflow.
  const first: Inherited = {
    isVisible: true,
    isSilent: false,
    colour: BLACK,
    ground: WHITE,
    font: NORMAL_FONT,
  };
  const open: { readonly element: Element; readonly from: Inherited }[] = [
    { element: top, from: rootOf(page, styles, first) },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { element, from } = next;
    const style = styles.of(element);
    // Keep the body even if it is hidden: some pages hide theirs until their scripts have run.
    if (element !== top && isHidden(element, style)) {
      dropNode(element);
      continue;
    }
    const inherited = inheritStyle(element, style, from, element === top);
    for (const picture of hiddenPicturesIn(element, inherited, styles)) dropNode(picture);
    const isSeen = canBeRead(inherited);
    for (const node of [...element.childNodes]) {
      if (node.nodeType === ELEMENT) open.push({ element: node as Element, from: inherited });
      else if (node.nodeType !== TEXT) continue;
      else if (!isSeen && (node.textContent ?? '').trim() !== '') dropNode(node);
      else characters += removeUnseen(node as TextNode);
    }
  }
  return { words, characters, formulas };
}

/** Counts the formulas in a hidden node beside which there is no picture with a description. */
function countLostFormulas(node: Node): number {
  if (node.nodeType !== ELEMENT) return 0;
  const element = node as Element;
  const isFormula = element.nodeName.toLowerCase() === 'math';
  const formulas = isFormula ? 1 : [...element.querySelectorAll('math')].length;
  const [described] = element.parentElement?.querySelectorAll('img[alt]') ?? [];
  return described === undefined ? formulas : 0;
}

/** Returns the properties that `html` passes on to `body`. */
function rootOf({ body, documentElement }: Page, styles: Styles, first: Inherited): Inherited {
  if (body === null || documentElement === null || body === documentElement) return first;
  return inheritStyle(documentElement, styles.of(documentElement), first, true);
}

/** Returns whether an element is hidden together with everything in it. */
function isHidden(element: Element, style: Style): boolean {
  const hasStyle = (property: Parameters<Style['get']>[0], pattern: RegExp): boolean =>
    pattern.test(style.get(property) ?? '');
  const getPixels = (property: Parameters<Style['get']>[0]): number =>
    lengthOf(style.get(property) ?? '') ?? 0;
  if (NEVER_SHOWN.has(element.nodeName)) return true;
  // A browser shows `hidden="until-found"` elements when a search finds them, so they count as
  // visible.
  const hidden = element.getAttribute('hidden');
  const isShown = hasStyle('display', /^(?!none\b)./);
  if (hidden !== null && hidden.toLowerCase() !== 'until-found' && !isShown) return true;
  if (element.nodeName === 'DIALOG' && !element.hasAttribute('open') && !isShown) return true;
  if (hasStyle('display', /^none\b/) || hasStyle('content-visibility', /^hidden\b/)) return true;
  if (style.has('opacity') && (Number.parseFloat(style.get('opacity') ?? '1') || 0) < 0.1)
    return true;
  if (hasStyle('filter', /opacity\(\s*(?:0(?:\.0\d*)?%?|0?\.0\d*)\s*\)/)) return true;
  if (
    hasStyle('clip-path', /inset\(\s*(?:50|100)%|circle\(\s*0|polygon\(\s*0(?:px)?\s+0(?:px)?\s*\)/)
  )
    return true;
  if (
    hasStyle(
      'transform',
      /scale[xy3d]*\(\s*0(?:\.0\d*)?\s*[,)]|translate[xy3d]*\([^)]*-\d{4,}(?:px)?/,
    )
  )
    return true;
  const isOut = hasStyle('position', /^(?:absolute|fixed)\b/);
  if (isOut && hasStyle('clip', /rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01]/))
    return true;
  const places =
    isOut || hasStyle('position', /^relative\b/)
      ? (['left', 'top', 'right', 'bottom'] as const)
      : [];
  if (
    [...places, 'margin-left', 'margin-top', 'text-indent'].some(
      (property) => getPixels(property as 'left') <= OUTSIDE_OFFSET,
    )
  )
    return true;
  const isCut = (['overflow', 'overflow-x', 'overflow-y'] as const).some((property) =>
    hasStyle(property, /\b(?:hidden|clip)\b/),
  );
  const isNothing = (['width', 'height', 'max-width', 'max-height'] as const).some((property) => {
    const length = lengthOf(style.get(property) ?? '');
    return length !== undefined && length >= 0 && length <= 1;
  });
  return isCut && isNothing;
}

/**
 * Returns the pictures directly in an element whose alternative texts reach no reader: the picture is
 * invisible or a single pixel, or programs that read a page aloud skip it. The picture of a formula is kept
 * although such programs skip it, because they read the formula beside it.
 */
function hiddenPicturesIn(element: Element, inherited: Inherited, styles: Styles): Element[] {
  const pictures = [...element.children].filter(({ nodeName }) => nodeName === 'IMG');
  if (pictures.length === 0) return [];
  const [formula] = element.querySelectorAll('math');
  return pictures.filter((picture) => {
    const style = styles.of(picture);
    const own = inheritStyle(picture, style, inherited, false);
    return isHiddenPicture(picture, style, own, formula !== undefined);
  });
}

function isHiddenPicture(
  picture: Element,
  style: Style,
  { isVisible, isSilent }: Inherited,
  isOfFormula: boolean,
): boolean {
  const isPixel = (['width', 'height'] as const).some((side) => {
    const length = lengthOf(style.get(side) ?? picture.getAttribute(side) ?? '');
    return length !== undefined && length <= 1;
  });
  const role = picture.getAttribute('role')?.toLowerCase() ?? '';
  const isSkipped = isSilent || /^(?:none|presentation)$/.test(role);
  return !isVisible || isPixel || (isSkipped && !isOfFormula);
}

function inheritStyle(element: Element, style: Style, from: Inherited, isTop: boolean): Inherited {
  const visibility = style.get('visibility') ?? '';
  const written = style.get('color') ?? '';
  const ground = groundOf(style, from.ground);
  return {
    isVisible:
      isTop || /^(?:|inherit|unset)$/.test(visibility)
        ? from.isVisible
        : !/^(?:hidden|collapse)\b/.test(visibility),
    isSilent: from.isSilent || element.getAttribute('aria-hidden')?.toLowerCase() === 'true',
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
  return from === undefined ? undefined : blendColours(colour, from);
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

/**
 * Parses a CSS length and returns pixels, or undefined if the text has no number. Percentages and shares of
 * the window are taken of 1,000 pixels.
 */
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

/**
 * Removes characters without a shape from a text, except where letters or line ends need them. Returns how
 * many were removed; harmless ones such as soft hyphens are not counted.
 */
function removeUnseen(node: TextNode): number {
  const { data } = node;
  const kept = sanitiseText(data);
  // Soft hyphens, and characters that allow or forbid a line break, hide nothing and are not counted.
  const plain = data.replace(/[\u00ad\u200b\u2060\ufeff\r]/g, '');
  if (kept !== data) node.data = kept;
  return Math.max(0, [...plain].length - [...sanitiseText(plain)].length);
}

/** Returns the text of a node together with the alternative texts of the pictures in it. */
function textOf(node: Node): string {
  const text = node.textContent ?? '';
  if (node.nodeType !== ELEMENT) return text;
  const element = node as Element;
  const pictures = [element, ...element.querySelectorAll('img[alt]')];
  return [text, ...pictures.map((picture) => altOf(picture))].join(' ');
}

function altOf(element: Element): string {
  return element.nodeName === 'IMG' ? (element.getAttribute('alt') ?? '') : '';
}

function countWords(text: string): number {
  return sanitiseText(text).match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}
