/** Which files changed while a coding agent answered, in a home folder with files of every kind. */
import { symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { listChangesBetween, readState } from '../../src/coding-agents/changes.ts';
import { temporaryFolder } from '../store/folder.ts';

it('finds a changed file of the home folder beside a link that leads to itself', async () => {
  const home = temporaryFolder();
  const readHome = () =>
    readState([], false, { env: { HOME: home }, signal: new AbortController().signal });
  symlinkSync('loop', join(home, 'loop'));
  writeFileSync(join(home, 'notes.txt'), 'before');
  const before = await readHome();
  writeFileSync(join(home, 'notes.txt'), 'after that');
  const changed = listChangesBetween(before, await readHome());
  expect(changed.map((path) => basename(path))).toEqual(['notes.txt']);
});
