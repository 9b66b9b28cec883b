/** Commands that take `[RUN] TEXT`, such as `decide` and `note`: a forgotten text is never taken from the run. */
import { expect, it } from 'vitest';
import { findRunBeforeText } from '../../src/app/run-of.ts';
import { UsageError } from '../../src/kernel/errors.ts';
import { shortId } from '../../src/kernel/short-id.ts';
import { temporaryStore } from '../kernel/desk.ts';
import { makeRunStarted } from '../store/bodies.ts';

const MISSING = new UsageError('the text is missing');

function recordRun(store = temporaryStore()) {
  const journal = store.create('test');
  journal.note([makeRunStarted('Why?')]);
  journal.release();
  return { store, run: journal.run };
}

it('findRunBeforeText returns the latest run if the only argument is a text', () => {
  const { store } = recordRun();
  const { run } = recordRun(store);
  for (const text of ['Split it', 'facade', 'abcdef', 'latest is best'])
    expect(findRunBeforeText([text], store, MISSING)).toBe(run);
});

it('findRunBeforeText refuses a single argument that names a run, since the text is missing', () => {
  const { store, run } = recordRun();
  for (const name of ['latest', run, shortId(run), run.slice(0, 8)])
    expect(() => findRunBeforeText([name], store, MISSING)).toThrow(MISSING);
});

it('findRunBeforeText takes the first of two arguments as the run', () => {
  const { store, run } = recordRun();
  expect(findRunBeforeText([shortId(run), 'latest'], store, MISSING)).toBe(run);
  expect(() => findRunBeforeText(['ffffff', 'Split it'], store, MISSING)).toThrow('no run');
});
