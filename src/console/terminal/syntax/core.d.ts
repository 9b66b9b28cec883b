/**
 * The types of highlight.js that are used here; `paths` in tsconfig.json maps to them. The package's own types
 * would bring browser types into every file.
 */

declare const grammar: unique symbol;

/** The grammar of a language for the library highlight.js. */
export type LanguageFn = (reader: Reader) => { readonly [grammar]: never };

/** A highlighter of the library highlight.js. */
export interface Reader {
  /** Creates a highlighter without languages. */
  newInstance(): Reader;
  registerLanguage(name: string, language: LanguageFn): void;
  /** Highlights code. The result is HTML, in which the classes of spans say what each part is. */
  highlight(
    code: string,
    options: { readonly language: string; readonly ignoreIllegals?: boolean },
  ): { readonly value: string };
}

declare const core: Reader;
export default core;
