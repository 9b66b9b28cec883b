/** Lists with headings above groups of items, such as models by server on the home screen and in dialogs. */
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { Theme } from '../../src/console/terminal/theme.ts';
import {
  chosenItem,
  type List,
  listRows,
  moveCursor,
  pickerOf,
} from '../../src/console/ui/list.ts';

const theme = new Theme(0);

/** Returns a list with one ungrouped item, two models of `lab` and `count` models of `market`. */
function listWith(count: number): List {
  const makeModel = (spec: string) => ({
    value: spec,
    label: spec,
    group: spec.split('/', 1)[0] ?? '',
  });
  return pickerOf([
    { value: '', label: 'automatic' },
    ...['lab/alpha', 'lab/beta'].map(makeModel),
    ...Array.from({ length: count }, (_, at) => makeModel(`market/maker-${at % 7}/model-${at}`)),
  ]);
}

function rowsOf(list: List, height = 8): string[] {
  return listRows(list, { width: 40, height, theme }).map((row) =>
    stripVTControlCharacters(row).trimEnd(),
  );
}

const typeText = (list: List, text: string): List => [...text].reduce(moveCursor, list);

it('a list draws a heading with a count above the items of each group', () => {
  expect(rowsOf(listWith(2), 20)).toEqual([
    ...['> automatic', '  lab (2)', '  lab/alpha', '  lab/beta'],
    ...['  market (2)', '  market/maker-0/model-0', '  market/maker-1/model-1'],
  ]);
});

it('the hint that a list goes on below counts the items that follow, but no headings', () => {
  const rows = rowsOf(listWith(400), 4);
  expect(rows).toEqual(['> automatic', '  lab (2)', '  lab/alpha', '  401 more']);
});

it('the cursor of a list is never on a heading', () => {
  let list = listWith(30);
  for (let at = 0; at < 33; at++) {
    const marked = rowsOf(list).filter((row) => row.startsWith('>'));
    expect(marked).toEqual([`> ${chosenItem(list)?.label}`]);
    list = moveCursor(list, 'down');
  }
});

it('a list of models keeps the models of a server together when typing narrows the list', () => {
  const rows = rowsOf(typeText(listWith(400), 'a'), 200);
  const headings = rows.filter((row) => row.endsWith(')'));
  // Each server has one heading; the server with a model whose name begins with the typed `a` comes first.
  expect(headings).toEqual(['  lab (2)', '  market (400)']);
  expect(rowsOf(typeText(listWith(400), 'model-27'), 20)).toEqual([
    ...['  market (11)', '> market/maker-6/model-27', '  market/maker-4/model-270'],
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map(
      (last) => `  market/maker-${(270 + last) % 7}/model-27${last}`,
    ),
  ]);
});

it('a list removes control characters from the names of groups', () => {
  const evil = pickerOf([{ value: 'a', label: 'a', group: 'lab\u001b[31m\nrm -rf' }]);
  const rows = listRows(evil, { width: 40, height: 8, theme });
  expect(rows).toHaveLength(2);
  expect(rows.join()).not.toMatch(/\u001b\[31m|\n/);
});
