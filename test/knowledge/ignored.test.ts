/** Which documents git ignores, if git refuses some of the paths that it is asked about. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listIgnoredByGit } from '../../src/io/git-files.ts';
import { needProgram } from '../setup/needs.ts';
import { Project } from './project.ts';

it('listIgnoredByGit finds ignored paths beside a path behind a link and a path outside the repository', () => {
  needProgram('git');
  const { folder } = new Project({ '.gitignore': '*.tmp.md\n', 'a.tmp.md': 'a', 'b.md': 'b' });
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  mkdirSync(join(folder, 'real'));
  symlinkSync('real', join(folder, 'link'), 'dir');
  const paths = ['b.md', 'link/c.tmp.md', 'a.tmp.md', '../d.tmp.md', 'e.tmp.md'];
  expect([...listIgnoredByGit(folder, paths)].sort()).toEqual(['a.tmp.md', 'e.tmp.md']);
  expect([...listIgnoredByGit(folder, ['b.md'])]).toEqual([]);
});

it('listIgnoredByGit returns nothing outside a repository', () => {
  const { folder } = new Project({ '.gitignore': '*.md\n', 'a.md': 'a' });
  expect([...listIgnoredByGit(folder, ['a.md', 'b.md'])]).toEqual([]);
});
