/** Fuzz targets of records: folders that somebody else wrote, and citations by models. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readFolder } from '../../src/protocols/rounds/records/read.ts';
import type { Folder } from '../../src/protocols/rounds/records/types.ts';
import { validateFolder } from '../../src/protocols/rounds/records/validate.ts';
import { writeFolder } from '../../src/protocols/rounds/records/write.ts';
import { citationsIn, citedLines } from '../../src/text/citations.ts';
import type { Attachment } from '../../src/text/documents/attachment.ts';
import { makeGroundedFolder } from '../records/grounded.ts';
import { readSignalSeries } from '../records/series.ts';
import { simulateRecords } from '../records/simulate.ts';
import { cutShares, cutText, type FuzzTarget, makeTarget, makeText, spoilValue } from './fuzz.ts';

const REAL = writeFolder(simulateRecords('healthy', 3, 3));
/** A folder under edition 2 of the rules, with readings. */
const GROUNDED = makeGroundedFolder();

interface Row {
  readonly path: string;
  readonly value: unknown;
}

function rowsOf(real: Folder): Row[] {
  return [...real].flatMap(([path, text]) =>
    path.endsWith('.jsonl')
      ? text.split('\n').flatMap((line) => (line === '' ? [] : [{ path, value: JSON.parse(line) }]))
      : [],
  );
}

const OTHER = makeText([
  ...['# Attack 1\n', '## Trace\n', '{#id}', '<a id="x">', '```\n', 'Drift check: PASS\n', '---\n'],
  ...[
    '{"roles":["critic"]}',
    '{"budget":8}',
    '{',
    '\ufeff',
    '\r',
    '\n',
    'deviation_score: 2\n',
    'x',
  ],
]);

/** Generates folders from a real one: with damaged lines, replaced files, or a file that breaks off. */
function damageFolder(real: Folder): fc.Arbitrary<Folder> {
  const rows = rowsOf(real);
  return fc
    .record({
      lines: fc.array(
        fc
          .integer({ min: 0, max: rows.length - 1 })
          .chain((index) => spoilValue(rows[index]?.value).map((value) => ({ index, value }))),
        { maxLength: 4 },
      ),
      files: fc.array(fc.tuple(fc.constantFrom(...real.keys()), OTHER), { maxLength: 2 }),
      torn: fc.option(fc.tuple(fc.constantFrom(...real.keys()), cutShares)),
    })
    .map(({ lines, files, torn }) => {
      const found = new Map(real);
      for (const path of new Set(rows.map((row) => row.path)))
        found.set(
          path,
          rows
            .flatMap((row, index) =>
              row.path === path
                ? [JSON.stringify(lines.find((each) => each.index === index)?.value ?? row.value)]
                : [],
            )
            .join('\n'),
        );
      for (const [path, text] of files) found.set(path, text);
      if (torn !== null) found.set(torn[0], cutText(found.get(torn[0]) ?? '', torn[1])[0] ?? '');
      return found;
    });
}

function checkFolder(some: Folder): void {
  const { ok, errors, warnings } = validateFolder(some);
  const reading = readFolder(some);
  assert.equal(ok, errors.length === 0);
  if (ok) assert.deepEqual(reading.errors, []);
  for (const problem of [...errors, ...warnings])
    assert.ok(problem.message.length < 1_000, problem.message);
  readSignalSeries(reading.records);
  const { records } = reading;
  const again = readFolder(writeFolder({ records, artifacts: [], pages: new Map() }));
  assert.deepEqual(again.errors, []);
  // Turn the values into JSON, which leaves out undefined fields: they mean the same as absent fields.
  const toJson = (some: unknown): unknown => JSON.parse(JSON.stringify(some));
  assert.deepEqual(toJson(again.records.claims), toJson(records.claims));
  assert.deepEqual(again.records.decisions, records.decisions);
  assert.deepEqual(again.records.leads, records.leads);
  assert.deepEqual(toJson(again.records.readings ?? []), toJson(records.readings ?? []));
  assert.deepEqual(toJson(again.records.refusals ?? []), toJson(records.refusals ?? []));
}

const ATTACHMENTS: readonly Attachment[] = [
  { name: 'design.md', text: 'one\ntwo\r\nthree\rfour\n' },
  { name: 'docs/a.md', text: '' },
  { name: 'docs/design.md', text: 'x' },
  { name: 'a (1).txt', text: 'a\nb' },
  { name: '.*', text: 'a' },
];

const CITING = [
  ...[
    'attachments/',
    'design.md',
    'docs/a.md',
    'docs/design.md',
    'a.md',
    'a (1).txt',
    '.*',
    'other.md',
  ],
  ...[
    '#L',
    '#L1',
    '#L1-L2',
    ':2',
    ' L3',
    ' lines 1 to 2',
    ', line 1',
    '-',
    '–',
    '10',
    '99999999999999',
  ],
  ...['`', '**', '"', '](', ')', '[', ' ', '\n', 'DESIGN.MD', '/', '#', 'C5', '0', '\\'],
];

/** The fuzz targets of records. */
export const RECORD_TARGETS: readonly FuzzTarget[] = [
  makeTarget(
    'records: any changed folder is validated, and is valid only if it can be read',
    damageFolder(REAL),
    checkFolder,
  ),
  makeTarget(
    'records: any changed folder under edition 2 of the rules is validated',
    damageFolder(GROUNDED),
    checkFolder,
  ),
  makeTarget(
    'records: a folder in which any file has any text is validated',
    fc.tuple(fc.constantFrom(...GROUNDED.keys()), OTHER),
    ([path, text]) => {
      for (const real of [REAL, GROUNDED]) validateFolder(new Map([...real, [path, text]]));
    },
    {
      piece: OTHER,
      read: (text) => {
        for (const real of [REAL, GROUNDED])
          validateFolder(new Map([...real].map(([path]) => [path, text])));
      },
    },
  ),
  makeTarget(
    'citations: they are in order, do not overlap, and are valid only if the lines exist',
    makeText(CITING),
    (text) => {
      let end = 0;
      for (const citation of citationsIn(text, ATTACHMENTS)) {
        assert.ok(
          end <= citation.start && citation.start < citation.end && citation.end <= text.length,
        );
        end = citation.end;
        const named = ATTACHMENTS.find(({ name }) => name === citation.name);
        assert.equal(citation.ok, citation.why === undefined);
        if (!citation.ok) continue;
        assert.ok(named !== undefined);
        assert.equal(
          citedLines(named, citation.from, citation.to).length,
          citation.to - citation.from + 1,
        );
        // Reading a citation in its normal form gives the same citation, unless the document's name has
        // spaces or parentheses.
        if (/\s|[()]/.test(citation.name)) continue;
        const [again] = citationsIn(citation.ref, ATTACHMENTS);
        assert.equal(again?.ref, citation.ref);
      }
    },
    { piece: makeText(CITING, 8), read: (text) => citationsIn(text, ATTACHMENTS) },
  ),
];
