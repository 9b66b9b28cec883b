/** Writes docs/keys.md from the key tables. `npm run keys`; a test compares the page. */
import { writeFileSync } from 'node:fs';
import { keyTableMarkdown } from '../src/console/keys/key-table.ts';
import { KEYMAP } from '../src/console/keys/keymap.ts';

/** Returns the text of the page. */
export function keysPage(): string {
  const top =
    'For whoever uses the console: every key, and when it works. `?` shows the same there.';
  return `# Keys\n\n${top}\n\n${keyTableMarkdown(KEYMAP).trim()}\n`;
}

if (import.meta.main) writeFileSync(new URL('keys.md', import.meta.url), keysPage());
