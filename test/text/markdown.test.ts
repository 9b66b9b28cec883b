import { describe, expect, it } from 'vitest';
import { ColumnBuffer } from '../../src/text/rows/column-buffer.ts';
import { type Row, rowText, type Style, styleOf } from '../../src/text/rows/row.ts';

function layOut(source: string, width = 40): Row[] {
  const buffer = new ColumnBuffer(width);
  buffer.push(source);
  buffer.end();
  return buffer.slice(0, buffer.length);
}

function layOutTexts(source: string, width = 40): string[] {
  return layOut(source, width).map(rowText);
}

/** Formats a row with tags such as <b>bold</b>, each with the first letter of a style. */
function formatMarked(source: string, width = 60): string[] {
  return layOut(source, width).map((row) => row.map(markedSpan).join(''));
}

function markedSpan(span: { text: string; style: Style }): string {
  const on = Object.entries(span.style)
    .filter(([, isOn]) => isOn)
    .map(([name]) => name.charAt(0))
    .join('');
  return on === '' ? span.text : `<${on}>${span.text}</>`;
}

describe('inline Markdown', () => {
  it.each([
    ['**bold** text', '<b>bold</> text'],
    ['__bold__ text', '<b>bold</> text'],
    ['*italic* and _italic_', '<i>italic</> and <i>italic</>'],
    ['***both***', '<bi>both</>'],
    ['**bold *both* bold**', '<b>bold </><bi>both</><b> bold</>'],
    ['*it **both***', '<i>it </><bi>both</>'],
    ['**bo**ld', '<b>bo</>ld'],
    ['~~gone~~ and ~ten~', '<s>gone</> and ~ten~'],
    ['`code` and ``co`de``', '<c>code</> and <c>co`de</>'],
    ['`` ` `` and `*a*`', '<c>`</> and <c>*a*</>'],
    ['**`code`**', '<bc>code</>'],
    ['snake_case_name and __init__.py', 'snake_case_name and <b>init</>.py'],
    ['2 * 3 * 4 and a ** b', '2 * 3 * 4 and a ** b'],
    ['2*3*4 = 24', '2*3*4 = 24'],
    ['a*b*c', 'a<i>b</>c'],
    ['f(*args, **kwargs)', 'f(*args, **kwargs)'],
    ['**never closed', '**never closed'],
    ['*never closed and **closed**', '*never closed and <b>closed</>'],
    ['**a* b', '*<i>a</> b'],
    ['` never closed', '` never closed'],
    ['**', '**'],
    ['\\*not\\* \\_this\\_ \\`nor\\` \\a', '*not* _this_ `nor` \\a'],
    ['[text](https://a.b/c_d_e)', 'text<d> (https://a.b/c_d_e)</>'],
    ['[**bold**](u)', '<b>bold</><d> (u)</>'],
    ['**[link](u)**', '<b>link</><bd> (u)</>'],
    ['[a](b "title")', 'a<d> (b "title")</>'],
    ['[https://a.b](https://a.b)', 'https://a.b'],
    ['![image](p.png)', 'image<d> (p.png)</>'],
    ['\\![a](b) and !\\[a](b)', '!a<d> (b)</> and ![a](b)'],
    ['[a](b(c)d) [e](f', 'a<d> (b(c)d)</> [e](f'],
    ['[1] and [x][y] and []()', '[1] and [x][y] and []()'],
    ['a[0](b) c', 'a0<d> (b)</> c'],
    ['*[a*](b)', '*a*<d> (b)</>'],
    ['<br> <b>*x*</b> &amp; &lt;', '<br> <b><i>x</></b> &amp; &lt;'],
    ['**文字。**文字', '<b>文字。</>文字'],
    ['文字**“强调”**文字', '文字<b>“强调”</>文字'],
  ])('is laid out with its style: %s', (source, row) => {
    expect(formatMarked(source)).toEqual([row]);
  });

  it('shows ** as plain text if the closing ** is only on the next line', () => {
    expect(formatMarked('**a\nb**')).toEqual(['**a', 'b**']);
  });

  it('uses one and the same style object for equally styled pieces', () => {
    const [row] = layOut('**a** b **c**');
    expect(row?.[0]?.style).toBe(styleOf(1));
    expect(row?.[0]?.style).toBe(row?.[2]?.style);
    expect(Object.isFrozen(row?.[0]?.style)).toBe(true);
  });
});

describe('blocks of Markdown', () => {
  it.each<[name: string, source: string, rows: string[]]>([
    ['lines', 'one\ntwo', ['one', 'two']],
    ['blank lines as one', '\n\none\n\n \n\ntwo\n\n', ['one', '', 'two']],
    ['hard breaks', 'one  \ntwo\\\nthree\\', ['one', 'two', 'three\\']],
    ['headings', 'a\n# One ##\nb\n\n###### Six', ['a', '', 'One', 'b', '', 'Six']],
    ['no heading without a space', '#tag', ['#tag']],
    ['rules', 'a\n---\n* * *', ['a', '-'.repeat(40), '-'.repeat(40)]],
    ['bullets', '- a\n* b\n+ c\n• d', ['- a', '- b', '- c', '- d']],
    ['numbers as written', '3. a\n10) b', ['3. a', '10) b']],
    ['tasks', '- [ ] a\n- [x] b', ['- [ ] a', '- [x] b']],
    ['an empty item', '-\n- a', ['-', '- a']],
    ['nested lists', '- a\n  - b\n    - c\n- d', ['- a', '  - b', '    - c', '- d']],
    ['lists nested by four', '1. a\n    - b\n2. c', ['1. a', '   - b', '2. c']],
    ['lists nested by tabs', '- a\n\t- b', ['- a', '  - b']],
    ['text in an item', '- a\n\n  b\n\nc', ['- a', '', '  b', '', 'c']],
    ['a heading in an item', '- # a', ['- a']],
    ['lists in lists in a line', '- 1. a', ['- 1. a']],
    ['quotes', '> a\n> > b\nc', ['| a', '| | b', 'c']],
    ['blank lines in quotes', '> a\n>\n> b\n\n> c', ['| a', '| ', '| b', '', '| c']],
    ['lists in quotes', '> - a\n>   - b', ['| - a', '|   - b']],
    ['quotes in lists', '- a\n  > b\n- c', ['- a', '  | b', '- c']],
    ['code', '```js\na\n\n  b\n```\nc', ['  a', '  ', '    b', 'c']],
    ['code between tildes', '~~~\n```\n~~~\nc', ['  ```', 'c']],
    ['longer fences', '````\n```\n````\nc', ['  ```', 'c']],
    ['code without an end', '```\na\nb', ['  a', '  b']],
    ['code in an item', '- a\n  ```\n  b\n    c\n  ```', ['- a', '    b', '      c']],
    ['code that begins an item', '- ```\n  a\n  ```\n- b', ['-', '    a', '- b']],
    ['code in a quote', '> ```\n> a\nb', ['|   a', 'b']],
    ['a text behind a fence', '``` This is text\na', ['  This is text', '  a']],
    ['indented code', 'a\n\n    b\n     c', ['a', '', '  b', '   c']],
    ['tabs in code', '```\n\ta\nb\tc\n```', ['      a', '  b   c']],
    ['code as it stands', '```\n**a** | `b` # c\n```', ['  **a** | `b` # c']],
    ['html', '<details>\n<b>x</b>', ['<details>', '<b>x</b>']],
    ['escapes of blocks', '\\# a\n\\- b\n1\\. c', ['# a', '- b', '1. c']],
  ])('are laid out as rows: %s', (_, source, rows) => {
    expect(layOutTexts(source)).toEqual(rows);
  });

  it('indent the further rows of a list item under its text', () => {
    expect(layOutTexts('- one two three\n  10. four five six', 12)).toEqual([
      '- one two',
      '  three',
      '  10. four',
      '      five',
      '      six',
    ]);
  });

  it('wrap very long lines', () => {
    const words = 'word '.repeat(1000);
    expect(formatMarked(`- **b** ${words}*i* [a](b)`, 11)).toEqual([
      '- <b>b</> word',
      ...Array.from({ length: 499 }, () => '  word word'),
      '  word <i>i</> a',
      '  <d>(b)</>',
    ]);
    const rows = layOutTexts(`\`\`\`\n${'x'.repeat(5000)} \\\nb\n\`\`\``, 52);
    expect(rows).toHaveLength(106);
    expect(rows.slice(-2)).toEqual(['    xxxxxx \\', '  b']);
  });

  it('have a bar in every row of a quotation', () => {
    expect(layOutTexts('> one two three', 9)).toEqual(['| one two', '| three']);
  });

  it('wrap code at the width', () => {
    expect(layOutTexts('```\nabcdefghij kl\n```', 8)).toEqual(['  abcdef', '    ghij', '     kl']);
  });

  it('have different styles for added and removed lines of a diff', () => {
    const diff = '--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new\n same';
    const readKinds = (language: string): string[] => {
      const buffer = new ColumnBuffer(40);
      buffer.push(`\`\`\`${language}\n${diff}\n\`\`\``);
      buffer.end();
      return buffer.slice(0, 9).flatMap((row) => {
        const { text = '', style } = row.at(-1) ?? {};
        const kind = style?.added ? 'added' : style?.removed ? 'removed' : undefined;
        return kind === undefined ? [] : [`${kind}: ${text}`];
      });
    };
    expect(readKinds('diff')).toEqual(['removed: -old', 'added: +new']);
    expect(readKinds('yaml')).toEqual([]);
  });

  it('have styles of their own for headings and code, and dim quote bars and rules', () => {
    expect(formatMarked('# A *b*\n```\nc\n```\n> d\n---', 5)).toEqual([
      '<h>A </><ih>b</>',
      '  <c>c</>',
      '<d>| </>d',
      '<d>-----</>',
    ]);
  });

  it('leave at least half of the width to their text, however deeply they are nested', () => {
    const deep = Array.from({ length: 30 }, (_, level) => `${'  '.repeat(level)}- word`).join('\n');
    for (const row of layOutTexts(deep, 16).slice(8)) expect(row.length).toBeLessThanOrEqual(16);
    expect(layOutTexts(`${'> '.repeat(20)}word`, 16)).toEqual(['| | | | word']);
  });
});

describe('Markdown tables', () => {
  const table = '| A | Bee | C |\n|:--|--:|:-:|\n| one | 2 | x |\n| **four** | 55555 | yyy |\n';

  it('have aligned columns', () => {
    expect(layOutTexts(table)).toEqual([
      'A    |   Bee |  C',
      '-----+-------+----',
      'one  |     2 |  x',
      'four | 55555 | yyy',
    ]);
  });

  it('have a bold header, and keep styles in cells', () => {
    expect(formatMarked(table)[0]).toBe('<b>A</>   <d> | </>  <b>Bee</><d> | </> <b>C</>');
    expect(formatMarked(table)[3]).toBe('<b>four</><d> | </>55555<d> | </>yyy');
  });

  it('wrap the text in their cells if the table is too wide', () => {
    const wide = '|Name|Description|\n|-|-|\n|first|a long description that wraps|';
    expect(layOutTexts(wide, 24)).toEqual([
      'Name  | Description',
      '------+-----------------',
      'first | a long',
      '      | description that',
      '      | wraps',
    ]);
  });

  it('have each cell on its own line if columns would be too narrow', () => {
    const wide =
      '|First header|Second header|Third header|\n|-|-|-|\n|aaaa bbbb cccc|dd|ee|\n|x|y||';
    expect(layOutTexts(wide, 20)).toEqual([
      'First header: aaaa',
      '  bbbb cccc',
      'Second header: dd',
      'Third header: ee',
      '',
      'First header: x',
      'Second header: y',
    ]);
  });

  it.each<[name: string, source: string, rows: string[]]>([
    ['no outer bars', 'a | b\n--|--\n1 | 2', ['a | b', '--+--', '1 | 2']],
    ['bars in cells', '|a|b|\n|-|-|\n|1\\|2|`x`|', ['a   | b', '----+--', '1|2 | x']],
    ['missing cells', '|a|b|\n|-|-|\n|1|', ['a | b', '--+--', '1 | ']],
    ['more cells than columns', '|a|b|\n|-|-|\n|1|2|3|', ['a | b', '--+------', '1 | 2 | 3']],
    ['a text directly after the table', '|a|\n|-|\n|1|\ntext', ['a', '-', '1', 'text']],
    ['a list directly after the table', '|a|\n|-|\n|1|\n- x | y', ['a', '-', '1', '- x | y']],
    ['a table in a quotation', '> |a|b|\n> |-|-|\n> |1|2|', ['| a | b', '| --+--', '| 1 | 2']],
    [
      'a table in a list',
      '- x\n  |a|b|\n  |-|-|\n  |1|2|',
      ['- x', '  a | b', '  --+--', '  1 | 2'],
    ],
    ['wide characters', '|字|b|\n|-|-|\n|a|2|', ['字 | b', '---+--', 'a  | 2']],
    ['no row of dashes, which is no table', 'a | b\nc | d', ['a | b', 'c | d']],
    ['fewer dashes than columns, which is no table', '|a|b|\n|-|', ['|a|b|', '|-|']],
    ['a header only', '|a|b|\n|-|-|', ['a | b', '--+--']],
  ])('are laid out from a source with %s', (_, source, rows) => {
    expect(layOutTexts(source)).toEqual(rows);
  });

  it('keep the column widths of the first hundred rows; a wider cell after them exceeds its column', () => {
    const source = `|a|b|\n|-|-|\n${'|1|2|\n'.repeat(150)}|wider than before|3|\n`;
    const rows = layOutTexts(source);
    expect(rows).toHaveLength(2 + 150 + 1);
    expect(rows.slice(-2)).toEqual(['1 | 2', 'wider than before | 3']);
  });
});
