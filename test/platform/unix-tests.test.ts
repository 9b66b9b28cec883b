/** The list of tests that are left out on Windows refers to tests by name, so a renamed test must be found. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { UNIX_TESTS } from '../../bench/windows/unix-tests.ts';

const TITLE =
  /\b(describe|it|test)(?:\.\w+(?:\([^)]*\))?)?\(\s*(?:'((?:[^'\\]|\\.)*)'|"([^"]*)"|`([^`]*)`)/g;

/** Returns the names of a file's groups and tests, and each test's name after each group's. */
function namesIn(file: string): string[] {
  const groups: string[] = [];
  const tests: string[] = [];
  for (const [, kind, ...titles] of readFileSync(file, 'utf8').matchAll(TITLE))
    (kind === 'describe' ? groups : tests).push(titles.join('').replaceAll("\\'", "'"));
  return [...tests, ...groups.flatMap((group) => tests.map((test) => `${group} > ${test}`))];
}

describe('the list of tests that are left out on Windows', () => {
  it.each(UNIX_TESTS.map(({ file, names }) => [file, names] as const))(
    'names tests that exist: %s %s',
    (file, names) => {
      const existing = namesIn(file);
      // Each regular expression `names` matches titles of tests that are left out on Windows. Each part
      // between its vertical bars is tried alone. An expression with a lookahead stays whole, because the
      // lookahead may contain vertical bars itself.
      const rules = names.source.includes('(?') ? [names.source] : names.source.split('|');
      for (const rule of rules)
        expect(
          existing.filter((name) => new RegExp(rule).test(name)),
          rule,
        ).not.toEqual([]);
    },
  );
});
