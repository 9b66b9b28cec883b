/**
 * Of highlight.js's types, what is used here, named in `paths` of tsconfig.json: its own bring those of
 * browsers into every file.
 */

declare const grammar: unique symbol;

export type LanguageFn = (reader: Reader) => { readonly [grammar]: never };

export interface Reader {
  newInstance(): Reader;
  registerLanguage(name: string, language: LanguageFn): void;
  /** `value`: HTML of `code`, of which `class` of spans says what is what. */
  highlight(
    code: string,
    options: { readonly language: string; readonly ignoreIllegals?: boolean },
  ): { readonly value: string };
}

declare const core: Reader;
export default core;
