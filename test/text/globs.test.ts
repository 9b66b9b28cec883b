/** Globs: what fits, what does not, and that no glob takes long. */
import { describe, expect, it } from 'vitest';
import { matchesGlob } from '../../src/text/globs.ts';
import { countSteps } from '../steps/steps.ts';

describe('a glob', () => {
  it.each([
    ['src/a.ts', 'src/a.ts'],
    ['./src/a.ts', 'src/a.ts'],
    ['src/*.ts', 'src/a.ts'],
    ['src/', 'src/a/b.ts'],
    ['src', 'src/a.ts'],
    ['src/**', 'src/a/b.ts'],
    ['**/*.ts', 'a.ts'],
    ['**/*.ts', 'src/deep/er/a.ts'],
    ['**/test_*.py', 'x/test_a.py'],
    ['src/**/er/*.ts', 'src/deep/er/a.ts'],
    ['src/**/a.ts', 'src/a.ts'],
    ['{src,test}/**/*.{ts,tsx}', 'test/x.tsx'],
    ['a?c', 'abc'],
    ['a?c', 'aüc'],
    ['[a-c]x', 'bx'],
    ['[!a-c]x', 'dx'],
    ['app/[id]/page.tsx', 'app/[id]/page.tsx'],
    ['**/package.json', 'package.json'],
    ['**/.github/**', '.github/workflows/ci.yml'],
    ['a{b', 'a{b'],
    ['*', '.env'],
  ])('%s matches %s', (glob, path) => expect(matchesGlob(path, [glob])).toBe(true));

  it.each([
    ['src/*.ts', 'src/deep/a.ts'],
    ['*.ts', 'src/a.ts'],
    ['src/', 'src2/a.ts'],
    ['src/a.ts', 'src/a.tsx'],
    ['src/a', 'src/a.ts'],
    ['a*b', 'ac'],
    ['a?c', 'a/c'],
    ['[!a-c]x', 'ax'],
    ['', 'a'],
    ['**/test/**', 'testing/a'],
  ])('%s does not match %s', (glob, path) => expect(matchesGlob(path, [glob])).toBe(false));

  it('takes steps in proportion to the path’s length times the glob’s length at most', async () => {
    const calls = [
      ['a'.repeat(2_000), [`${'*a'.repeat(400)}b`]],
      ['a/'.repeat(500), [`${'**/a/'.repeat(200)}b`]],
      ['x', ['{a,b}'.repeat(200)]],
    ] as const;
    expect(calls.map(([path, globs]) => matchesGlob(path, globs))).toEqual([false, false, false]);
    const file = new URL('../../src/text/globs.ts', import.meta.url);
    const steps = await countSteps(file, 'matchesGlob', calls);
    for (const [at, [path, [glob]]] of calls.entries())
      expect(steps[at]).toBeLessThan(path.length * glob.length * 10);
  });

  it('does not have to match a path if another glob of the list does', () => {
    expect(matchesGlob('src/a.ts', ['test/**', 'src/**'])).toBe(true);
    expect(matchesGlob('src/a.ts', [])).toBe(false);
  });
});
