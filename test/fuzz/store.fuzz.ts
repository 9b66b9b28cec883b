/**
 * Fuzz targets of the store: an imported file is a complete and valid run, or is refused with the name of the
 * file.
 */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DeliberateError } from '../../src/kernel/errors.ts';
import { viewOf } from '../../src/kernel/view.ts';
import { ARCHIVE as READER } from '../../src/protocols/registry/archive.ts';
import { ARCHIVE_VERSION, readArchive } from '../../src/store/archive.ts';
import { parseFact } from '../every-fact.ts';
import { readGolden } from '../golden/journal.ts';
import {
  catchRefusal,
  cutShares,
  cutText,
  type FuzzTarget,
  makeTarget,
  makeText,
  spoilValue,
} from './fuzz.ts';

const RUN = '0198c1de-0000-7000-8000-000000000001';
const { facts, steps } = readGolden('board');

const ARCHIVE = {
  format: 'deliberate-run',
  v: ARCHIVE_VERSION,
  program: '0.1.0',
  run: RUN,
  protocol: 'board',
  createdAt: '2026-01-01T00:00:00.000Z',
  parent: null,
  status: 'done',
  rehearsal: true,
  steps: steps.map(({ step, hash, result, first, last }) => ({
    key: step,
    hash,
    result,
    firstSeq: first,
    lastSeq: last,
  })),
  facts: facts.map((fact) => ({ ...fact, run: RUN })),
};
readArchive(JSON.stringify(ARCHIVE), 'the unspoiled one', READER);

/** Checks that a text is either read as a run, or refused with the name of its file. */
function checkArchive(text: string): void {
  let archive: ReturnType<typeof readArchive> | undefined;
  const refused = catchRefusal(() => {
    archive = readArchive(text, 'f.json', READER);
  }, DeliberateError);
  assert.equal(refused?.code, archive === undefined ? 'bad-file' : undefined);
  if (refused !== undefined) assert.ok(refused.message.startsWith('f.json: '), refused.message);
  if (archive === undefined) return;
  assert.equal(archive.facts.length, viewOf(archive.facts.map(parseFact)).seq);
  readArchive(JSON.stringify(archive), 'what was read', READER);
}

/** The fuzz targets of the store. */
export const STORE_TARGETS: readonly FuzzTarget[] = [
  makeTarget(
    'import: a damaged export is read, or refused with the place of the damage',
    spoilValue(ARCHIVE),
    (json) => checkArchive(JSON.stringify(json)),
  ),
  makeTarget(
    'import: any text and any truncated export is read or refused',
    fc.tuple(
      makeText(['{', '}', '"format"', ':', '"deliberate-run"', ',', '"v":2', '[', ']']),
      cutShares,
    ),
    ([text, shares]) => {
      checkArchive(text);
      checkArchive((cutText(JSON.stringify(ARCHIVE), shares)[0] ?? '') + text);
    },
  ),
];
