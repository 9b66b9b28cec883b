/** The parts of the DOM that the readers use. TypeScript's own types for browsers are not loaded. */

/** Values of `Node.nodeType`. */
export const ELEMENT = 1;
export const TEXT = 3;

export interface Node {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly parentElement: Element | null;
  remove(): void;
}

export interface TextNode extends Node {
  data: string;
}

export interface Element extends Node {
  readonly children: Iterable<Element>;
  readonly childNodes: Iterable<Node>;
  getAttribute(name: string): string | null;
  hasAttribute(name: string): boolean;
  querySelectorAll(selector: string): Iterable<Element>;
  cloneNode(deep: true): Element;
}

export interface Page {
  readonly body: Element | null;
  readonly documentElement: Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
}
