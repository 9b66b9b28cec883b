/** Writes the README's key table from the keymap. `npm run keys`; a test refuses a README that differs. */
import { readFileSync, writeFileSync } from 'node:fs';
import { keyTableMarkdown } from '../src/console/keys/bindings.ts';
import { KEYMAP } from '../src/console/keys/keymap.ts';

const file = new URL('../README.md', import.meta.url);

/** The README with the table of now between its two marks. */
export function withKeys(readme: string): string {
  return readme.replace(
    /<!-- keys -->[\s\S]*<!-- \/keys -->/,
    () => `<!-- keys -->\n\n${keyTableMarkdown(KEYMAP).trim()}\n\n<!-- /keys -->`,
  );
}

if (import.meta.main) writeFileSync(file, withKeys(readFileSync(file, 'utf8')));
