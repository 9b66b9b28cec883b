/** Finds exports of `src` that nothing imports, or only tests. */
import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { ROOT } from './imports.ts';

/** The file from which people's own protocols import. Nobody here sees which of its exports they use. */
const PUBLIC = 'src/sdk/protocol.ts';
/** The file that starts the program: `bin/deliberate.js` imports the built copy. */
const FIRST = 'src/cli/main.ts';

const DECLARED =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|type|interface|enum) (\w+)/gm;
const LISTED = /^export (?:type )?\{([^}]*)\}/gm;
const TAKEN = /\b(?:import|export)\s+(?:type\s+)?(?:\w+,\s*)?\{([^}]*)\}\s*from\s+'([^'\n]+)'/g;
/**
 * Matches `export *`, which exports all names of a file, and `import * as x` and `import()`, whose names are
 * used elsewhere in the file.
 */
const WHOLE = /(export )?(?:type )?\*(?: as \w+)? from '([^'\n]+)'|\bimport\(\s*'([^'\n]+)'/g;

/** Returns the text of every file that can import from `src`, by its path. */
export function readFiles(): Map<string, string> {
  const files = globSync('{src,test,bench,docs}/**/*.{ts,tsx}', { cwd: ROOT });
  return new Map(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));
}

/**
 * Returns the names that a file of `src` exports and no other file imports, as `FILE: NAME`, sorted. The
 * exports of `src/sdk/protocol.ts` and `src/cli/main.ts` are left out, because they are used from outside.
 *
 * @param files The text of each file, by its path.
 */
export function findUnusedExports(files: ReadonlyMap<string, string>): string[] {
  const texts = new Map(
    [...files].map(([file, text]) => [file, text.replace(/^\s*(?:\/\*)?\*.*$/gm, '')]),
  );
  const taken = new Set<string>();
  for (const [file, text] of texts) {
    const resolveTarget = (path: string): string =>
      path === 'deliberate/protocol' ? PUBLIC : posix.join(posix.dirname(file), path);
    for (const [, names = '', from = ''] of text.matchAll(TAKEN))
      for (const name of namesIn(names, 0)) taken.add(`${resolveTarget(from)}: ${name}`);
    for (const [, handsOn, from, late] of text.matchAll(WHOLE)) {
      const other = resolveTarget(from ?? late ?? '');
      for (const name of exportsOf(texts.get(other) ?? ''))
        if (handsOn !== undefined || new RegExp(`\\b${name}\\b`).test(text))
          taken.add(`${other}: ${name}`);
    }
  }
  return [...texts]
    .filter(([file]) => file.startsWith('src/') && file !== PUBLIC && file !== FIRST)
    .flatMap(([file, text]) => exportsOf(text).map((name) => `${file}: ${name}`))
    .filter((entry) => !taken.has(entry))
    .sort();
}

/**
 * Returns the names that a file of `src` exports and does not use itself, and that only tests import, as
 * `FILE: NAME`, sorted. Tests alone keep such code alive.
 *
 * @param files The text of each file, by its path.
 */
export function findTestOnlyExports(files: ReadonlyMap<string, string>): string[] {
  const others = new Map([...files].filter(([file]) => !file.startsWith('test/')));
  const unused = new Set(findUnusedExports(files));
  return findUnusedExports(others).filter((entry) => {
    const [file = '', name = ''] = entry.split(': ');
    const text = (files.get(file) ?? '').replace(/^\s*(?:\/\*)?\*.*$|\/\/.*$/gm, '');
    const uses = text.match(new RegExp(`\\b${name}\\b`, 'g'))?.length ?? 0;
    return uses < 2 && !unused.has(entry);
  });
}

function exportsOf(text: string): string[] {
  return [
    ...[...text.matchAll(DECLARED)].map(([, name = '']) => name),
    ...[...text.matchAll(LISTED)].flatMap(([, names = '']) => namesIn(names, 1)),
  ];
}

/** Returns the names in `a, type b as c`: those before `as` (0) or behind it (1). */
function namesIn(list: string, side: 0 | 1): string[] {
  return list
    .split(',')
    .map((name) => name.trim().replace(/^type /, ''))
    .filter((name) => name !== '')
    .map((name) => {
      const [before = '', behind = before] = name.split(' as ');
      return side === 0 ? before : behind;
    });
}
