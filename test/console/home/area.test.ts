/** Texts of several lines, by plain values. */
import { describe, expect, it } from 'vitest';
import { Theme } from '../../../src/console/terminal/theme.ts';
import { chosenItem, filterItems, moveCursor, pickerOf } from '../../../src/console/ui/list.ts';
import {
  areaOf,
  areaRows,
  atEdge,
  continueLine,
  fieldOf,
  fieldRow,
  pasteText,
  typeKey,
} from '../../../src/console/ui/text-input.ts';

const theme = new Theme(0);
const toPlainRows = (rows: readonly string[]): string[] =>
  rows.map((row) => row.replaceAll('\u001b[7m', '[').replaceAll('\u001b[27m', ']'));
const rowsOf = (area: Parameters<typeof areaRows>[0], cells: number): string[] =>
  toPlainRows(areaRows(area, { cells, height: 9, theme, focus: true }).rows);

describe('a text field of several lines', () => {
  it('is wrapped at blanks, and a word is split only if it is longer than a row', () => {
    expect(rowsOf(areaOf('one two three'), 9)).toEqual(['one two ', 'three[ ]']);
    expect(rowsOf(areaOf('abcdefghij'), 5)).toEqual(['abcd', 'efgh', 'ij[ ]']);
    expect(rowsOf(areaOf('漢字漢字'), 6)).toEqual(['漢字', '漢字[ ]']);
    expect(rowsOf(areaOf('a\n\nb'), 9)).toEqual(['a', '', 'b[ ]']);
  });

  it('lets the cursor move by rows within the text', () => {
    let area = areaOf('one two three\nx');
    expect(atEdge(area, 'down', 9)).toBe(true);
    area = typeKey(area, 'up', 9);
    expect(rowsOf(area, 9)).toEqual(['one two ', 't[h]ree', 'x']);
    area = typeKey(typeKey(area, 'end', 9), 'up', 9);
    expect(rowsOf(area, 9)).toEqual(['one t[w]o ', 'three', 'x']);
    expect(atEdge(area, 'up', 9)).toBe(true);
  });

  it('lets keys delete and move the cursor by characters, by words and to the ends of a line', () => {
    const area = areaOf('first line\nsecond line');
    expect(typeKey(area, 'ctrl+u', 40).text).toBe('first line\n');
    expect(typeKey(area, 'ctrl+w', 40).text).toBe('first line\nsecond ');
    const home = typeKey(area, 'home', 40);
    expect(typeKey(home, 'ctrl+k', 40).text).toBe('first line\n');
    expect(typeKey(home, 'alt+d', 40).text).toBe('first line\n line');
    expect(typeKey(home, 'delete', 40).text).toBe('first line\necond line');
    expect(typeKey(home, 'backspace', 40).text).toBe('first linesecond line');
    expect(typeKey(area, 'ctrl+left', 40).at).toBe(18);
  });

  it('can be undone change by change', () => {
    let area = areaOf('a');
    for (const key of ['b', 'ctrl+j', 'c', 'ctrl+u']) area = typeKey(area, key, 9);
    expect(area.text).toBe('ab\n');
    for (const text of ['ab\nc', 'ab\n', 'ab', 'a', 'a']) {
      area = typeKey(area, 'ctrl+_', 9);
      expect(area.text).toBe(text);
    }
  });

  it('gets a line break if Enter follows a backslash, and keeps the line breaks of pasted text', () => {
    expect(continueLine(areaOf('a\\'))?.text).toBe('a\n');
    expect(continueLine(areaOf('a'))).toBeUndefined();
    expect(pasteText(areaOf('>'), 'a\r\nb\rc\t\u001b[31md').text).toBe('>a\nb\nc  d');
  });
});

describe('a text field of one line', () => {
  it('is drawn even if it is very long, and each change can be undone', () => {
    const long = pasteText(fieldOf('x'), '漢'.repeat(100_000));
    expect(fieldRow(long, 10, theme)).toBe('> 漢漢漢\u001b[7m \u001b[27m ');
    expect(typeKey(long, 'ctrl+_').text).toBe('x');
    expect(typeKey(long, 'ctrl+j')).toBe(long);
  });
});

describe('a list that is narrowed by typing', () => {
  it('prefers an item in which a word begins with the typed text', () => {
    const list = pickerOf([
      { value: '1', label: 'ollama/qwen3:8b' },
      { value: '2', label: 'ollama/llama3.2:3b' },
    ]);
    expect(chosenItem([...'llama'].reduce(moveCursor, list))?.value).toBe('2');
  });

  it('shows only items that contain every typed word', () => {
    let list = pickerOf(
      [
        { value: '1', label: 'qwen3:8b', note: 'large' },
        { value: '2', label: 'llama', note: 'small' },
        { value: '3', label: 'qwen3:1b', note: 'small' },
      ],
      { round: false },
    );
    list = moveCursor(moveCursor(list, 'end'), 'down');
    expect(chosenItem(list)?.value).toBe('3');
    for (const key of 'small q') list = moveCursor(list, key === ' ' ? 'space' : key);
    expect(filterItems(list).map(({ value }) => value)).toEqual(['3']);
    expect(chosenItem(list)?.value).toBe('3');
    expect(chosenItem(moveCursor(list, 'x'))).toBeUndefined();
  });
});
