import { expect, it } from 'vitest';
import { toCsv } from '../../src/text/csv.ts';

it('toCsv quotes commas, quotes and line breaks', () => {
  expect(
    toCsv([
      { id: 'C-1', text: 'a, "b"\nc' },
      { id: 'C-2', seen: 3, of: ['x'] },
    ]),
  ).toBe('id,text,seen,of\r\nC-1,"a, ""b""\nc",,\r\nC-2,,3,"[""x""]"\r\n');
});

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '  =1', '\t=1', '＝1', '\rx'])(
  'toCsv makes %j harmless for spreadsheets',
  (text) => {
    expect(toCsv([{ text }])).toMatch(/\r\n"?'/);
  },
);

it('toCsv leaves numbers and ordinary texts unchanged', () => {
  expect(toCsv([{ a: -5, b: 'a=b', c: true, d: null }])).toBe('a,b,c,d\r\n-5,a=b,true,\r\n');
});
