/** File names that are valid on every system, and paths that do not mean the file that they name. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toSlug } from '../../src/io/presets.ts';
import { toCitedPath, toPortablePath, whyNoPath } from '../../src/platform/names.ts';

it.each([
  ['aux.md', 'aux_.md'],
  ['docs/plan.md', 'docs/plan.md'],
  ['docs/CON', 'docs/CON_'],
  ['com1.tar.gz', 'com1_.tar.gz'],
  ['console.md', 'console.md'],
  ['what? now: 2*3|4.md', 'what_ now_ 2_3_4.md'],
  ['dots...', 'dots_'],
  ['ends .md', 'ends .md'],
  ['space ', 'space_'],
  ['a\\b', 'a_b'],
])('toPortablePath makes a path valid on Windows: %j becomes %j', (name, written) => {
  expect(toPortablePath(name)).toBe(written);
});

it('toPortablePath returns only names that are valid on Windows', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (name) => {
      const made = toPortablePath(name);
      expect(toPortablePath(made)).toBe(made);
      for (const part of made.split('/')) {
        expect(part).not.toMatch(/[<>:"\\|?*]/);
        expect(part).not.toMatch(/[^. ][. ]+$/);
        expect(part).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i);
      }
    }),
  );
});

it('toSlug never returns the name of a Windows device', () => {
  expect(toSlug('Con')).toBe('con_');
  expect(toSlug('Consul')).toBe('consul');
});

it.each([
  'CON',
  'C:\\docs\\aux.md',
  'nul',
  'docs/LPT1.txt',
  '\\\\.\\pipe\\x',
  'a.md::$DATA',
  '.env:x',
  'C:\\a\\b:c',
])(
  'whyNoPath refuses %j on Windows, where it is a device or a part of a file, and on no other system',
  (path) => {
    expect(whyNoPath(path, 'windows')).toMatch(/device|part of a file/);
    expect(whyNoPath(path, 'linux')).toBeUndefined();
  },
);

it.each([
  'docs\\plan.md',
  'C:\\docs\\plan.md',
  'C:plan.md',
  '\\\\server\\share\\a.md',
  '\\\\?\\C:\\long\\a.md',
  '..\\a.md',
  './a.md',
  'C:/a/console.md',
])('the path %j may be opened on Windows', (path) => {
  expect(whyNoPath(path, 'windows')).toBeUndefined();
});

it('a file outside the working folder is cited with its drive or server first', () => {
  expect(toCitedPath('D:\\docs\\a.md', 'windows')).toBe('d/docs/a.md');
  expect(toCitedPath('\\\\server\\share\\a.md', 'windows')).toBe('server/share/a.md');
  expect(toCitedPath('\\\\?\\UNC\\server\\share\\a.md', 'windows')).toBe('server/share/a.md');
  expect(toCitedPath('\\\\?\\D:\\a.md', 'windows')).toBe('d/a.md');
  expect(toCitedPath('/srv/docs/a.md', 'linux')).toBe('srv/docs/a.md');
});
