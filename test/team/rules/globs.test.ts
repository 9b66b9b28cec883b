/** Tests which paths a glob matches, and whether two globs can match the same path. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canOverlap, matchesGlob } from '../../../src/text/globs.ts';
import { countSteps } from '../../steps/steps.ts';

describe('matchesGlob, which tells whether a path matches a glob,', () => {
  it.each([
    ['src/a.ts', 'src/a.ts', true],
    ['src/a.ts', './src/a.ts', true],
    ['src/a.ts', 'src', true],
    ['src/a.ts', 'src/', true],
    ['src/deep/a.ts', 'src', true],
    ['srcs/a.ts', 'src', false],
    ['src/a.ts', 'src/*', true],
    ['src/deep/a.ts', 'src/*', false],
    ['src/deep/a.ts', 'src/**', true],
    ['src/deep/a.ts', 'src/**/a.ts', true],
    ['src/a.ts', 'src/**/a.ts', true],
    ['package.json', '**/package.json', true],
    ['lib/package.json', '**/package.json', true],
    ['lib/package.json.bak', '**/package.json', false],
    ['.github/workflows/ci.yml', '.github/**', true],
    ['.env', '*', true],
    ['a.test.ts', '*.{test,spec}.[jt]s', true],
    ['a.spec.js', '*.{test,spec}.[jt]s', true],
    ['a.spec.rs', '*.{test,spec}.[jt]s', false],
    ['a.test.mts', '**/*.test.?(c|m)[jt]s', true],
    ['a.test.ts', '**/*.test.?(c|m)[jt]s', true],
    ['a.test.xts', '**/*.test.?(c|m)[jt]s', false],
    ['src/b.ts', 'src/[!a].ts', true],
    ['src/a.ts', 'src/[!a].ts', false],
    ['src/a.ts', 'src/?.ts', true],
    ['src/ab.ts', 'src/?.ts', false],
    ['app/[id]/page.tsx', 'app/[id]/page.tsx', true],
    ['app/[id]/page.tsx', 'app/[id]/*.tsx', true],
    ['app/(shop)/page.tsx', 'app/(shop)/*.tsx', true],
    ['SRC/a.ts', 'src/a.ts', false],
    ['größe/ä b.ts', 'größe/*.ts', true],
    ['anything', '', false],
    ['anything', '.', false],
    ['anything', '/', false],
    ['anything', '!other', false],
    ['__proto__', '__proto__', true],
    ['constructor/a.ts', 'toString/*', false],
  ])('for the path %s and the glob %s returns %s', (path, glob, expected) => {
    expect(matchesGlob(path, [glob])).toBe(expected);
  });
});

describe('canOverlap, which tells whether two globs can match the same path,', () => {
  it.each([
    ['src/a.ts', 'src/a.ts', true],
    ['src/a.ts', 'src/b.ts', false],
    ['src', 'src/a.ts', true],
    ['src/*.ts', 'src/b.ts', true],
    ['src/*.ts', 'src/*.js', false],
    ['src/a*.ts', 'src/*b.ts', true],
    ['src/**', 'test/**', false],
    ['src/**', '**/*.test.ts', true],
    ['src/a.ts', '**/*.test.ts', false],
    ['{src,lib}/a.ts', 'lib/*', true],
    ['{src,lib}/a.ts', 'test/*', false],
    ['src/[ab].ts', 'src/c.ts', false],
    ['src/[ab].ts', 'src/b.ts', true],
    // canOverlap treats a glob that it does not understand as one that may match any path.
    ['!src/**', 'test/a.ts', true],
    ['src/!(a).ts', 'test/a.ts', true],
    ['{1..3}.ts', 'test/a.ts', true],
    ['{a,b', 'test/a.ts', true],
  ])('for %s and %s returns %s', (one, other, expected) => {
    expect(canOverlap(one, other)).toBe(expected);
    expect(canOverlap(other, one)).toBe(expected);
  });

  /**
   * Generates the part of a glob for one name of a path: the name itself, a pattern that matches it, or a
   * pattern that may not match it.
   */
  const makePattern = (name: string) =>
    fc.constantFrom(name, '*', '**', '?*', `${name}*`, `{x,${name}}`, `@(${name}|x)`, '[!b]*', 'x');
  const name = fc.constantFrom('a', 'b', 'ab', 'src', '[id]');
  const some = fc.array(name, { minLength: 1, maxLength: 4 }).chain((names) => {
    const glob = fc.tuple(...names.map(makePattern)).map((parts) => parts.join('/'));
    return fc.tuple(fc.constant(names.join('/')), glob, glob);
  });

  it('returns true whenever some path matches both globs', () => {
    let both = 0;
    fc.assert(
      fc.property(some, ([file, one, other]) => {
        if (!matchesGlob(file, [one]) || !matchesGlob(file, [other])) return;
        both += 1;
        expect(canOverlap(one, other)).toBe(true);
      }),
      { seed: 7, numRuns: 3_000 },
    );
    expect(both).toBeGreaterThan(500);
  });

  it('takes steps in proportion to the product of both globs’ lengths, whatever the globs contain', async () => {
    const file = new URL('../../../src/text/globs.ts', import.meta.url);
    const pairs = [
      [`${'*a'.repeat(190)}`, `${'a*'.repeat(190)}b`],
      ['**/'.repeat(120), `${'**/a/'.repeat(70)}b`],
      ['{a,b}'.repeat(60), '{'.repeat(300)],
    ] as const;
    const steps = await countSteps(file, 'canOverlap', pairs);
    for (const [at, [one, other]] of pairs.entries())
      expect(steps[at]).toBeLessThan(one.length * other.length * 100);
    const globs = [`${'*a'.repeat(190)}b`, '?(a|b)'.repeat(50)];
    const [fitting] = await countSteps(file, 'matchesGlob', [['a'.repeat(4_000), globs]]);
    expect(fitting).toBeLessThan(4_000 * globs.join('').length * 10);
  });
});
