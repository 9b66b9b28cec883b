/** The parts of the DOM that the readers use. TypeScript's own types for browsers are not loaded. */

/** The value of `Node.nodeType` for an element. */
export const ELEMENT = 1;
/** The value of `Node.nodeType` for a text. */
export const TEXT = 3;

/** A node of a page: an element, a text or a comment. */
export interface Node {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly parentElement: Element | null;
  remove(): void;
}

/** A text of a page. */
export interface TextNode extends Node {
  data: string;
}

/** An HTML element. */
export interface Element extends Node {
  readonly children: Iterable<Element>;
  readonly childNodes: Iterable<Node>;
  getAttribute(name: string): string | null;
  hasAttribute(name: string): boolean;
  querySelectorAll(selector: string): Iterable<Element>;
  cloneNode(deep: true): Element;
}

/** A parsed HTML page. */
export interface Page {
  readonly body: Element | null;
  readonly documentElement: Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
}
