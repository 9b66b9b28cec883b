import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readChores } from '../src/chores.js';

test('a chore has a title, and may have a due date', () => {
  assert.deepEqual(readChores('- [ ] Water the plants (due 2026-03-01)\n- [x] Sweep'), [
    { title: 'Water the plants', done: false, due: '2026-03-01' },
    { title: 'Sweep', done: true },
  ]);
});

test('other lines are left alone', () => {
  assert.deepEqual(readChores('For the flat\n\n- no chore\n'), []);
});
