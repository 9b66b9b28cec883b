/**
 * The two doors of the HTML report: other people's words become text that no browser takes for anything
 * else, and ids become anchors. Whatever stands in a page of ours has gone
 * through one of them, or is Markdown that `rendered.ts` has made safe.
 */
import { line } from '../text/line.ts';
import { sanitise } from '../text/sanitise.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Clean, and text in every place that HTML has for text, quoted values of attributes included. */
export function escapeText(text: string): string {
  return sanitise(text).replace(/[&<>"']/g, (mark) => ENTITIES[mark] ?? '');
}

/** The same on one line. */
export function escapeLine(text: string): string {
  return escapeText(line(text));
}

/** A word that may be the id of something: `C-2-1`, `security-2`, `S-3`. */
const ID = /(?<![\p{L}\p{N}_-])\p{L}[\p{L}\p{N}_]*(?:-[\p{L}\p{N}_]+)*-\d+(?![\p{L}\p{N}_-])/gu;

/**
 * What on this page has an anchor, by the id that people call it by. A text that names one leads there.
 */
export class Anchors {
  readonly #names = new Map<string, string>();

  /** The anchor of an id: the same on every page, and in no page two ids with one. */
  add(id: string): string {
    const known = this.#names.get(id);
    if (known !== undefined) return known;
    const name = nameOf(id);
    this.#names.set(id, name);
    return name;
  }

  /** Undefined where nothing on the page goes by that id. */
  of(id: string): string | undefined {
    return this.#names.get(id);
  }

  /** HTML of text, without tags: each id in it that the page has becomes a link. */
  link(html: string): string {
    return html.replace(ID, (id) => {
      const name = this.#names.get(id);
      return name === undefined ? id : `<a href="#${name}">${id}</a>`;
    });
  }
}

/** Letters that need no escape anywhere; the rest by their number, so that no two ids become one. */
function nameOf(id: string): string {
  return `x-${line(id).replace(/[^A-Za-z0-9-]/g, (mark) => `_${mark.codePointAt(0)?.toString(16)}_`)}`;
}
