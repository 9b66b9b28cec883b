/** Reads the sheets of an Excel workbook. A row's number is the number of its line within the sheet. */
import type { ReadText } from '../read-text.ts';
import { unpackZip, xmlOf } from './archive.ts';
import { type Input, UnreadableError } from './input.ts';
import { joinToText, Sections } from './sections.ts';
import { formatCountWithVerb, tidyLines } from './words.ts';
import { readMetadata, readRelationships, walkXml } from './xml.ts';

const WANTED =
  /^(?:docProps\/core\.xml|xl\/(?:_rels\/)?workbook\.xml(?:\.rels)?|xl\/(?:sharedStrings|styles)\.xml|xl\/worksheets\/[^/]+\.xml|xl\/comments[^/]*\.xml)$/;
/** Maximum number of empty rows in succession, after which all rows are skipped, and of columns. */
const MOST_EMPTY_ROWS = 500;
const MOST_COLUMNS = 256;
/** Ids of Excel's built-in formats for dates and times. */
const DATE_FORMATS = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47]);
/** Day 0 of Excel's usual calendar and of its calendar from 1904, in milliseconds since 1970. */
const DAY_ZERO = Date.UTC(1899, 11, 30);
const DAY_ZERO_1904 = Date.UTC(1904, 0, 1);

interface Book {
  readonly sheets: readonly {
    readonly name: string;
    readonly path: string;
    readonly hidden: boolean;
  }[];
  readonly zero: number;
  readonly strings: readonly string[];
  /** For each cell style, whether its numbers are dates. */
  readonly dates: readonly boolean[];
}

/**
 * Reads an Excel workbook, each sheet that is not hidden as a part.
 *
 * @throws UnreadableError if the workbook cannot be read or has no text
 */
export async function readSheets({ bytes }: Input): Promise<ReadText> {
  const files = unpackZip(bytes, (name) => WANTED.test(name));
  const book = readBook(files);
  const sections = new Sections();
  const notes: string[] = [];
  for (const { name, path, hidden } of book.sheets) {
    if (hidden) {
      notes.push(`the sheet "${name}" is hidden and was left out`);
      continue;
    }
    if (sections.isFull) {
      notes.push(`the sheet "${name}" was left out: the text of more is longer than 1 MB`);
      continue;
    }
    const { rows, skipped } = rowsIn(xmlOf(files, path) ?? '', book);
    if (skipped) notes.push(`of the sheet "${name}" rows far below the others were left out`);
    sections.add(name, rows, 'rows');
  }
  if (sections.isEmpty) throw new UnreadableError('no-text', 'a workbook whose sheets are empty');
  let comments = 0;
  for (const path of files.keys())
    if (path.startsWith('xl/comments'))
      walkXml(xmlOf(files, path) ?? '', {
        open: (name) => {
          if (name === 'comment') comments += 1;
        },
      });
  if (comments > 0) notes.push(`${formatCountWithVerb(comments, 'comment')} left out`);
  return {
    kind: 'sheets',
    ...joinToText(sections, notes),
    ...readMetadata(xmlOf(files, 'docProps/core.xml')),
  };
}

function readBook(files: ReadonlyMap<string, Uint8Array>): Book {
  const relations = readRelationships(xmlOf(files, 'xl/_rels/workbook.xml.rels'), 'xl');
  const sheets: Book['sheets'][number][] = [];
  let zero = DAY_ZERO;
  walkXml(xmlOf(files, 'xl/workbook.xml') ?? '', {
    open: (tag, { name = '', state = '', date1904 = '', ...more }) => {
      if (tag === 'workbookPr' && /^(?:1|true)$/.test(date1904)) zero = DAY_ZERO_1904;
      const path = tag === 'sheet' ? relations.get(more['r:id'] ?? '') : undefined;
      if (path !== undefined) sheets.push({ name, path, hidden: /hidden/i.test(state) });
    },
  });
  return {
    sheets,
    zero,
    strings: stringsIn(xmlOf(files, 'xl/sharedStrings.xml')),
    dates: datesIn(xmlOf(files, 'xl/styles.xml')),
  };
}

function stringsIn(xml = ''): string[] {
  const strings: string[] = [];
  let text = '';
  let inside = false;
  walkXml(xml, {
    open: (name) => {
      if (name === 'si') text = '';
      inside = name === 't';
    },
    text: (data) => {
      if (inside) text += data;
    },
    close: (name) => {
      inside = false;
      if (name === 'si') strings.push(text);
    },
  });
  return strings;
}

function datesIn(xml = ''): boolean[] {
  const own = new Map<number, boolean>();
  const dates: boolean[] = [];
  let inside = false;
  walkXml(xml, {
    open: (name, { numFmtId, formatCode = '' }) => {
      if (name === 'numFmt')
        own.set(
          Number(numFmtId),
          /[dmyhs]/i.test(formatCode.replace(/"[^"]*"|\[[^\]]*\]|\\./g, '')),
        );
      if (name === 'cellXfs') inside = true;
      if (name === 'xf' && inside) {
        const id = Number(numFmtId);
        dates.push(own.get(id) ?? DATE_FORMATS.has(id));
      }
    },
    close: (name) => {
      if (name === 'cellXfs') inside = false;
    },
  });
  return dates;
}

function rowsIn(xml: string, book: Book): { rows: string[]; skipped: boolean } {
  const rows: string[] = [];
  let cells: string[] = [];
  let column = 0;
  let number = 0;
  let type = '';
  let isDate = false;
  let value = '';
  let inside = false;
  let skipped = false;
  walkXml(xml, {
    open: (name, { r, t = 'n', s = '' }) => {
      if (name === 'row') {
        number = r === undefined ? number + 1 : Number(r);
        cells = [];
        column = 0;
      } else if (name === 'c') {
        column = r === undefined ? column + 1 : columnOf(r);
        type = t;
        isDate = book.dates[Number(s)] === true;
        value = '';
      }
      inside = name === 'v' || name === 't';
    },
    text: (data) => {
      if (inside) value += data;
    },
    close: (name) => {
      inside = false;
      if (name === 'c' && column >= 1 && column <= MOST_COLUMNS)
        cells[column - 1] = cellText(value, type, isDate, book);
      if (name !== 'row' || !cells.some((cell) => cell !== undefined && cell !== '')) return;
      if (!(number > rows.length) || number - rows.length > MOST_EMPTY_ROWS) skipped = true;
      else {
        while (rows.length < number - 1) rows.push('');
        rows.push(`| ${Array.from(cells, (cell = '') => cell).join(' | ')} |`);
      }
    },
  });
  return { rows, skipped };
}

function columnOf(cell: string): number {
  let column = 0;
  for (const letter of /^[A-Z]{1,3}/.exec(cell)?.[0] ?? '')
    column = column * 26 + letter.charCodeAt(0) - 64;
  return column;
}

function cellText(value: string, type: string, isDate: boolean, { strings, zero }: Book): string {
  if (value === '') return '';
  if (type === 's') return cleanText(strings[Number(value)] ?? '');
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  if (type !== 'n') return cleanText(value);
  const number = Number(value);
  if (!Number.isFinite(number)) return cleanText(value);
  // Round to 15 digits: the sum of 0.1 and 0.2 is stored as 0.30000000000000004, but shown as 0.3.
  if (!isDate) return `${Number(number.toPrecision(15))}`;
  const time = new Date(zero + Math.round(number * 86_400) * 1_000);
  if (Number.isNaN(time.getTime())) return value;
  const text = time.toISOString();
  if (number < 1) return text.slice(11, 19);
  return Number.isInteger(number)
    ? text.slice(0, 10)
    : `${text.slice(0, 10)} ${text.slice(11, 19)}`;
}

function cleanText(text: string): string {
  return tidyLines([text.replace(/\s+/g, ' ')])
    .join(' ')
    .replaceAll('|', '/');
}
