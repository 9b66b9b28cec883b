/** Writes docs/keys.md from the key tables. `npm run keys`; a test compares the page. */
import { writeFileSync } from 'node:fs';
import { keyTableMarkdown } from '../src/console/keys/key-lookup.ts';
import { KEYMAP } from '../src/console/keys/keymap.ts';

/** Returns the text of the page. */
export function keysPage(): string {
  return `# Keys\n\n${keyTableMarkdown(KEYMAP).trim()}\n`;
}

if (import.meta.main) writeFileSync(new URL('keys.md', import.meta.url), keysPage());
