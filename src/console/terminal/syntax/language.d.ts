/** What every language of highlight.js exports. */
import type { LanguageFn } from './core.d.ts';

declare const language: LanguageFn;
export default language;
