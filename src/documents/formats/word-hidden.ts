/**
 * Removes from a Word document's XML what Word does not show: runs that are formatted as hidden, by
 * themselves or by a style, and hidden pictures. White letters and tiny ones stay.
 */
import { Parser } from 'htmlparser2';
import { walkXml } from './xml.ts';

/** An element that is not closed yet. */
interface Open {
  readonly name: string;
  /** The index of its first character. */
  readonly from: number;
  /** Whether it is hidden; undefined if nothing in it says so. */
  isHidden?: boolean;
}

/**
 * Returns the ids of a Word document's styles that hide their text by a setting of their own.
 * Styles that inherit the setting from another style are not found.
 * @param xml the file with the styles; undefined if the document has none
 */
export function hiddenStylesIn(xml: string | undefined): Set<string> {
  const styles = new Set<string>();
  const open: string[] = [];
  let style = '';
  walkXml(xml ?? '', {
    open: (name, attributes) => {
      if (name === 'w:style') style = attributes['w:styleId'] ?? '';
      if (name === 'w:vanish' && isOn(attributes) && open.at(-2) === 'w:style') styles.add(style);
      open.push(name);
    },
    close: () => {
      open.pop();
    },
  });
  return styles;
}

/**
 * Returns the XML of a Word document without its hidden text, and the number of words that were
 * removed.
 * @param styles the ids of the styles that hide their text
 */
export function withoutHidden(
  xml: string,
  styles: ReadonlySet<string>,
): { readonly xml: string; readonly words: number } {
  const open: Open[] = [];
  const cuts: [from: number, to: number][] = [];
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        setHidden(name, attributes, open, styles);
        open.push({ name, from: parser.startIndex });
      },
      onclosetag: () => {
        const closed = open.pop();
        if (closed === undefined || !isCut(closed, open)) return;
        // Cutting an element out of Word's XML also cuts out the elements inside it, so delete their entries in `cuts`.
        while ((cuts.at(-1)?.[0] ?? -1) > closed.from) cuts.pop();
        cuts.push([closed.from, parser.endIndex + 1]);
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.write(xml);
  parser.end();
  let kept = '';
  let words = 0;
  let at = 0;
  for (const [from, to] of cuts) {
    kept += xml.slice(at, from);
    words += countWordsIn(xml.slice(from, to));
    at = to;
  }
  return { xml: kept + xml.slice(at), words };
}

/** Notes at an open element that an element in its properties hides or shows it. */
function setHidden(
  name: string,
  attributes: Readonly<Record<string, string>>,
  open: readonly Open[],
  styles: ReadonlySet<string>,
): void {
  const owner = open.at(-2);
  const style = attributes['w:val'] ?? '';
  if (name === 'w:vanish' && owner?.name === 'w:r') owner.isHidden = isOn(attributes);
  if (name === 'w:rStyle' && owner?.name === 'w:r' && styles.has(style)) owner.isHidden ??= true;
  if (name === 'w:pStyle' && owner?.name === 'w:p' && styles.has(style)) owner.isHidden ??= true;
  if (name !== 'wp:docPr' || !/^(?:1|true)$/.test(attributes.hidden ?? '')) return;
  const drawing = open.findLast((element) => element.name === 'w:drawing');
  if (drawing !== undefined) drawing.isHidden = true;
}

/** Returns whether a closed element is hidden; a run is as its paragraph unless it says otherwise. */
function isCut({ name, isHidden }: Open, around: readonly Open[]): boolean {
  if (name === 'w:drawing') return isHidden === true;
  if (name !== 'w:r') return false;
  return isHidden ?? around.findLast((element) => element.name === 'w:p')?.isHidden ?? false;
}

/** Returns whether a property such as `<w:vanish/>` is on. */
function isOn(attributes: Readonly<Record<string, string>>): boolean {
  return !/^(?:0|false|off)$/.test(attributes['w:val'] ?? '');
}

function countWordsIn(xml: string): number {
  return xml.replace(/<[^>]*>/g, ' ').match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}
