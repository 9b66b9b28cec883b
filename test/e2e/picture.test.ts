/** Tests that the pictures in the documents can still be drawn from the program. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { makeFolder } from './scene.ts';

const script = fileURLToPath(new URL('../../docs/picture.ts', import.meta.url));

it('docs/picture.ts draws the home screen, the columns, the vote and the compared versions', async () => {
  const to = makeFolder();
  await promisify(execFile)(process.execPath, [script, to]);
  for (const [name, words] of [
    ['home', 'What is to be decided?'],
    ['console', 'Synthesis v1'],
    ['vote', 'Who holds what'],
    ['versions', 'Synthesis v2'],
  ] as const) {
    const picture = readFileSync(join(to, `${name}.svg`), 'utf8');
    expect(picture).toContain(words);
    expect(picture.length).toBeLessThan(100_000);
    // The picture contains nothing of the machine that it was drawn on.
    expect(picture).not.toMatch(/\/tmp\/|\/home\/|deliberate-picture/);
  }
});
