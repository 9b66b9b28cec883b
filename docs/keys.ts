/** Writes docs/keys.md from the key tables. `npm run keys`; a test compares the page. */
import { writeFileSync } from 'node:fs';
import { keyTableMarkdown } from '../src/console/keys/key-table.ts';
import { KEYMAP } from '../src/console/keys/keymap.ts';

/** Returns the text of the page. */
export function keysPage(): string {
  const top =
    'This page is for people who use the console. It lists every key and when it works; `?` lists those of the screen that is open.';
  return `# Keys\n\n${top}\n\n${keyTableMarkdown(KEYMAP).trim()}\n`;
}

if (import.meta.main) writeFileSync(new URL('keys.md', import.meta.url), keysPage());
