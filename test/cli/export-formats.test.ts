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
])('the file name %s selects the format %s', (file, format) => {
  expect(formatOfFile(file)).toBe(format);
});

it('an unknown extension is refused with a list of the known ones', () => {
  expect(() => refuseExtension('r.docx')).toThrow(
    'r.docx: the ending is not one of .md, .html, .json, .jsonl, .csv, .txt, .otlp.json',
  );
});
