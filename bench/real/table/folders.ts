/** The small repositories that rows of the run table work in. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The name of one of the small repositories in which the commands of `npm run real` run. */
export type FolderName = 'empty' | 'notes' | 'pebbles' | 'sum-node' | 'sum-python';

/** Files by their paths, or a folder of the project that is copied. */
type Contents = { readonly copyOf: string } | { readonly files: Readonly<Record<string, string>> };

const FOLDERS: Readonly<Record<FolderName, Contents>> = {
  empty: { files: { 'README.md': '# Nothing is here\n' } },
  notes: {
    files: {
      'docs/releases.md': [
        '# Releases',
        'A release of the monolith takes 95 minutes, of which 70 are tests.',
        'In the last year 11 of 52 releases were taken back.',
        'Four teams share one release train; it leaves on Tuesdays.',
      ].join('\n\n'),
      'docs/load.md': [
        '# Load',
        'At its peak the shop serves 1,400 requests a second, on six machines.',
        'Search takes 60 % of the processor time, orders take 5 %.',
        'No part of it has been measured under more than 2,000 requests a second.',
      ].join('\n\n'),
    },
  },
  pebbles: { copyOf: '../../../presets/examples/plan' },
  'sum-node': {
    files: {
      'package.json': JSON.stringify({
        name: 'sums',
        version: '1.0.0',
        private: true,
        type: 'module',
        scripts: { test: 'node --test' },
      }),
      'sum.js':
        '/** Adds numbers up. */\nexport function sum(numbers) {\n  let total = numbers[0];\n  for (const number of numbers.slice(1)) total += number;\n  return total;\n}\n',
      'sum.test.js':
        "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { sum } from './sum.js';\n\ntest('adds two numbers', () => assert.equal(sum([1, 2]), 3));\n",
    },
  },
  'sum-python': {
    files: {
      'sums.py':
        '"""Figures of lists of numbers."""\n\n\ndef total(numbers):\n    """Returns the sum of the numbers."""\n    return sum(numbers)\n',
      'test_sums.py':
        'import unittest\n\nfrom sums import total\n\n\nclass TotalTest(unittest.TestCase):\n    def test_adds_two_numbers(self):\n        self.assertEqual(total([1, 2]), 3)\n\n\nif __name__ == "__main__":\n    unittest.main()\n',
    },
  },
};

/** Makes the small repository of this name, with one commit, in a folder that does not exist yet. */
export function makeFolder(name: FolderName, folder: string): void {
  const contents = FOLDERS[name];
  mkdirSync(folder, { recursive: true });
  if ('copyOf' in contents) {
    cpSync(fileURLToPath(new URL(contents.copyOf, import.meta.url)), folder, { recursive: true });
  } else {
    for (const [path, text] of Object.entries(contents.files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  }
  const runGit = (...args: string[]): void =>
    void execFileSync(
      'git',
      ['-c', 'user.name=Real', '-c', 'user.email=real@example.org', ...args],
      {
        cwd: folder,
        stdio: 'ignore',
      },
    );
  runGit('init', '--quiet', '--initial-branch=main');
  runGit('add', '.');
  runGit('commit', '--quiet', '--message', 'Begin');
}
