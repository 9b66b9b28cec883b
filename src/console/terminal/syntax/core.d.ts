/**
 * The types of highlight.js that are used here; `paths` in tsconfig.json maps to them. The package's own types
 * would bring browser types into every file.
 */

declare const grammar: unique symbol;

export type LanguageFn = (reader: Reader) => { readonly [grammar]: never };

export interface Reader {
  newInstance(): Reader;
  registerLanguage(name: string, language: LanguageFn): void;
  /** Highlights a code. `value` is HTML of `code` in which the spans' classes say what each part is. */
  highlight(
    code: string,
    options: { readonly language: string; readonly ignoreIllegals?: boolean },
  ): { readonly value: string };
}

declare const core: Reader;
export default core;
