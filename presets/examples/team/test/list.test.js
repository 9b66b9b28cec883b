import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { listText } from '../src/list.js';

const CLI = fileURLToPath(new URL('../src/cli.js', import.meta.url));

test('a chore is a line', () => {
  const text = listText([
    { title: 'Water the plants', done: false, due: '2026-03-01' },
    { title: 'Sweep', done: true },
  ]);
  assert.equal(text, '  Water the plants, due 2026-03-01\nx Sweep\n');
});

test('an empty list says so', () => {
  assert.equal(listText([]), 'Nothing to do.\n');
});

test('the command lists what is open', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'chores-')), 'list.txt');
  writeFileSync(file, '- [ ] Water the plants\n- [x] Sweep\n');
  const text = execFileSync(process.execPath, [CLI, 'list', file, '--open'], { encoding: 'utf8' });
  assert.equal(text, '  Water the plants\n');
});
