/** The type that every language module of highlight.js exports. */
import type { LanguageFn } from './core.d.ts';

declare const language: LanguageFn;
export default language;
