/** The scripts of package.json work in both shells of npm: sh, and cmd on Windows. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../structure/imports.ts';

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

it.each(Object.entries<string>(scripts))(
  'the command of npm run %s has no program, variable or quotation mark that only Unix shells understand',
  (_name, line) => {
    for (const command of line.split(' && ')) {
      expect(command, 'a program of Unix').not.toMatch(/^(?:rm|cp|mv|mkdir|cat|export|test)\b/);
      expect(command, 'a variable that a shell of Unix sets').not.toMatch(/^[A-Z_]+=/);
      // The shell cmd does not treat single quotes as quotation marks. So a command may contain single quotes only
      // between double quotes.
      const bare = command.replaceAll('\\"', '').replace(/"[^"]*"/g, '');
      expect(bare, 'single quotes').not.toContain("'");
      expect(command).not.toMatch(/\$|`|%/);
    }
  },
);
