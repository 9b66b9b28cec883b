/** A key that an object has twice, found whatever lies around it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findDuplicateKey } from '../../src/protocols/rounds/records/double-keys.ts';
import { anyCharacter } from '../any-character.ts';
import { countSteps } from '../steps/steps.ts';

describe('findDuplicateKey, which finds a key that a JSON object has twice,', () => {
  it.each([
    ['{"a":1,"a":2}', 'a'],
    ['{"a":{"b":1,"c":{"d":1,"d":2}}}', 'd'],
    ['{"a":[{"b":1},{"b":2,"b":3}]}', 'b'],
    ['{"a" : 1 , "\\u0061"\t:\n2}', 'a'],
    ['{"":1,"":2}', ''],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['{"a\\"b":1,"x":"a","a\\"b":2}', 'a"b'],
    ['{"\\\\":1,"\\\\":2}', '\\'],
    ['{"a":"}","a":"{"}', 'a'],
  ])('returns the first duplicate key in %s', (json, key) => {
    expect(JSON.parse(json)).toBeDefined();
    expect(findDuplicateKey(json)).toBe(key);
  });

  it.each([
    '{"a":1,"b":2}',
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":1}]',
    '{"a":"a","b":"a\\":","c":["a","a","a"]}',
    '{"a":"\\\\","b":"\\\\\\""}',
    '{"constructor":1,"toString":2}',
    '[]',
    '""',
    '7',
  ])('returns undefined if there is none, as in %s', (json) => {
    expect(JSON.parse(json)).toBeDefined();
    expect(findDuplicateKey(json)).toBeUndefined();
  });

  it('returns a key for random JSON if and only if an object in it has a key twice', () => {
    type Node = string | readonly Node[] | { readonly pairs: readonly (readonly [string, Node])[] };
    const key = fc.constantFrom('a', 'b', '"', '\\', '\\"', 'é', '{', ':', '__proto__');
    const { node } = fc.letrec<{ node: Node }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4, depthIdentifier: 'json' },
        fc.oneof(key, fc.string({ unit: anyCharacter, maxLength: 4 })),
        fc.array(tie('node'), { maxLength: 3 }),
        fc.array(fc.tuple(key, tie('node')), { maxLength: 3 }).map((pairs) => ({ pairs })),
      ),
    }));
    const writeNode = (node: Node): string => {
      if (typeof node === 'string') return JSON.stringify(node);
      if ('pairs' in node)
        return `{ ${node.pairs.map(([name, value]) => `${JSON.stringify(name)} :${writeNode(value)}`).join(',')}}`;
      return `[${node.map(writeNode).join(' ,')}]`;
    };
    const hasDoubleKey = (node: Node): boolean => {
      if (typeof node === 'string') return false;
      if (!('pairs' in node)) return node.some(hasDoubleKey);
      const names = node.pairs.map(([name]) => name);
      return (
        new Set(names).size < names.length || node.pairs.some(([, value]) => hasDoubleKey(value))
      );
    };
    fc.assert(
      fc.property(node, (tree) => {
        expect(findDuplicateKey(writeNode(tree)) !== undefined).toBe(hasDoubleKey(tree));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['objects in objects', (n: number) => `${'{"a":'.repeat(n)}1${'}'.repeat(n)}`],
    ['lists in lists', (n: number) => `${'['.repeat(n)}${']'.repeat(n)}`],
    ['backslashes', (n: number) => `{"a":"${'\\\\'.repeat(n)}"}`],
    ['escaped quotation marks', (n: number) => `{"a":"${'\\"'.repeat(n)}"}`],
    ['spaces behind strings', (n: number) => `{"a"${' '.repeat(n)}:1}`],
    ['keys', (n: number) => `{${Array.from({ length: n }, (_, at) => `"${at}":1`).join(',')}}`],
  ])('needs time in proportion to the length of JSON with %s', async (_, make) => {
    const file = new URL('../../src/protocols/rounds/records/double-keys.ts', import.meta.url);
    const texts = [make(25_000), make(200_000)];
    expect(texts.map(findDuplicateKey)).toEqual([undefined, undefined]);
    const calls = texts.map((text) => [text]);
    const [small = 0, large = 0] = await countSteps(file, 'findDuplicateKey', calls);
    expect(large).toBeLessThan(small * 10);
  });
});
