import { expect, it } from 'vitest';
import { formatOfFile, refuseExtension } from '../../src/app/run/export-formats.ts';

it.each([
  ['a.md', 'markdown'],
  ['a.HTML', 'html'],
  ['dir.x/a.json', 'json'],
  ['claims.jsonl', 'claims'],
  ['claims.csv', 'csv'],
  ['a.txt', 'text'],
  ['trace.otlp.json', 'otlp'],
  ['a.docx', undefined],
  ['json', undefined],
])('exporting a run to the file %s selects the format %s (undefined: none)', (file, format) => {
  expect(formatOfFile(file)).toBe(format);
});

it('exporting a run to a file with an unknown extension is refused with a list of the known ones', () => {
  expect(() => refuseExtension('r.docx')).toThrow(
    'r.docx: the ending is not one of .md, .html, .json, .jsonl, .csv, .txt, .otlp.json',
  );
});
