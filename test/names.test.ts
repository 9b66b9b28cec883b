/**
 * Names from outside are looked up by `entryOf`, `Object.hasOwn` or in a Map: whatever is a record by its
 * type is not indexed with a name, and nobody asks with `in` whether it has one. By the look of the
 * source; types are not known here.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', 'src');

const FILES = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .sort()
  .map((name) => ({
    name: name.replaceAll('\\', '/'),
    source: withoutWords(readFileSync(join(ROOT, name), 'utf8')),
  }));

/** Records whose keys the program chooses itself, such as variables, settings and methods. */
const OWN_NAMES = new Set(['env', 'record', 'config', 'options']);

/** Matches what journals are folded into: records by step, by claim and by path. */
const FOLDED = /\.(calls|claims|agents)\[|^graph\[/;

/** Removes comments and strings from source code. */
function withoutWords(source: string): string {
  return source
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/'(?:[^'\\\n]|\\.)*'/g, "''")
    .replace(/Object\.hasOwn\((\w+), (\w+)\)\s*\?\s*\1\[\2\]/g, '');
}

/** `calls: Readonly<Record<string, CallView>>`, `const NAMES: Record<string, …>` */
const DECLARED = /(\w+)\??: (?:Readonly<)?Record<string,/g;

it('no source file indexes an object by a name from input, which could be "constructor"', () => {
  const found = FILES.flatMap(({ name, source }) => {
    const here = new Set(
      [...source.matchAll(DECLARED)].flatMap(([, declaredName]) => declaredName ?? []),
    );
    return [...source.matchAll(/(?<![\w.])([\w.#]*?\b(\w+))\[([^\]'\d][^\]]*)\]/g)].flatMap(
      ([all, , record = '', key = '']) =>
        (here.has(record) || FOLDED.test(all)) && !OWN_NAMES.has(record) && !isSafe(key)
          ? [`${name}: ${all}`]
          : [],
    );
  });
  expect(found).toEqual([]);
});

it('no source file uses the operator `in` to look up a name from input in an object', () => {
  const found = FILES.flatMap(({ name, source }) =>
    [...source.matchAll(/[(!=&|?:]\s*\w+ in \w+\s*[)?&|;]/g)].map(([all]) => `${name}: ${all}`),
  );
  expect(found).toEqual([]);
});

/** Returns whether a key is a template with a slash, which is the name of no property of a prototype. */
function isSafe(key: string): boolean {
  return /^`[^`]*\/[^`]*`$/.test(key);
}
