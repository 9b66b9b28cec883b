/** Writes docs/keys.md from the tables of keys. `npm run keys`; a test refuses a page that differs. */
import { writeFileSync } from 'node:fs';
import { keyTableMarkdown } from '../src/console/keys/key-lookup.ts';
import { KEYMAP } from '../src/console/keys/keymap.ts';

/** The page, as it is now. */
export function keysPage(): string {
  return `# Keys\n\n${keyTableMarkdown(KEYMAP).trim()}\n`;
}

if (import.meta.main) writeFileSync(new URL('keys.md', import.meta.url), keysPage());
