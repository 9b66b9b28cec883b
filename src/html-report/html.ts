/**
 * Escapes text and makes anchors for the HTML report. Everything in a page has passed one of these functions,
 * or is Markdown that `rendered.ts` has made safe.
 */
import { ID } from '../plain/id-explainer.ts';
import { toLine } from '../text/line.ts';
import { sanitiseText } from '../text/sanitise.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for HTML, also within quoted attributes, and removes control characters. */
export function escapeText(text: string): string {
  return sanitiseText(text).replace(/[&<>"']/g, (mark) => ENTITIES[mark] ?? '');
}

/** Escapes a text for HTML, removes control characters, and joins its lines to one. */
export function escapeLine(text: string): string {
  return escapeText(toLine(text));
}

/** The link targets of a page. Ids such as `C-2-1` in texts become links to them. */
export class Anchors {
  readonly #names = new Map<string, string>();

  /** Adds an id and returns its anchor: the same on every page, and unique for each id. */
  add(id: string): string {
    const known = this.#names.get(id);
    if (known !== undefined) return known;
    const name = nameOf(id);
    this.#names.set(id, name);
    return name;
  }

  /** Returns the link target of an id; undefined if the page has none. */
  of(id: string): string | undefined {
    return this.#names.get(id);
  }

  /** Turns the ids that have a link target into links, in a piece of HTML without tags. */
  link(html: string): string {
    return html.replace(ID, (id) => {
      const name = this.#names.get(id);
      return name === undefined ? id : `<a href="#${name}">${id}</a>`;
    });
  }
}

/**
 * Converts an id to a name of safe characters. Others are replaced by their number, so that different ids stay
 * different.
 */
function nameOf(id: string): string {
  return `x-${toLine(id).replace(/[^A-Za-z0-9-]/g, (mark) => `_${mark.codePointAt(0)?.toString(16)}_`)}`;
}
