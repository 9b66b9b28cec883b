/** What is used of a page's elements; the types of browsers are not loaded for it. */
export interface Element {
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly children: Iterable<Element>;
  readonly parentElement: Element | null;
  getAttribute(name: string): string | null;
  querySelectorAll(selector: string): Iterable<Element>;
  cloneNode(deep: true): Element;
  remove(): void;
}

export interface Page {
  readonly body: Element | null;
  readonly documentElement: Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
}
