/**
 * `npm run build`: builds the program and the types of `deliberate/protocol`, unless `dist` holds what the
 * same sources, packages and Node made. So `npm start` and `npm test` begin at once where nothing changed.
 */
import { execSync } from 'node:child_process';
import { join } from 'node:path';
import { digestSources, isMade, noteMade } from './made.ts';

const ROOT = join(import.meta.dirname, '../..');

const sources = digestSources(ROOT);
if (!isMade(ROOT, sources)) {
  await import('./main.ts');
  execSync('tsc -p tsconfig.types.json --checkers 2', { cwd: ROOT, stdio: 'inherit' });
  noteMade(ROOT, sources);
}
