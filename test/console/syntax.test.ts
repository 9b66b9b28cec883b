/** Code in answers: what is colored, what is not, and that its text stays as it was to the letter. */
import fc from 'fast-check';
import { afterEach, describe, expect, it, test, vi } from 'vitest';
import { Painter } from '../../src/console/terminal/paint.ts';
import { marksOf } from '../../src/console/terminal/syntax/kinds.ts';
import { LANGUAGES } from '../../src/console/terminal/syntax/languages.ts';
import { runWithTimeLimit } from '../../src/console/terminal/syntax/time-limit.ts';
import { Theme } from '../../src/console/terminal/theme.ts';
import { ColumnBuffer } from '../../src/text/rows/column-buffer.ts';
import { sanitiseText } from '../../src/text/sanitise.ts';
import { LONG } from '../long.ts';
import { attacks } from '../text/escape-corpus.ts';
import { FakeRun } from './fake-run.ts';
import { type OpenedConsole, openRunConsole } from './terminal.ts';

/** No machine is so busy that it takes this long to color a short block. */
const PATIENCE_MS = 60_000;
const CODE = '\u001b[36m';
const KEYWORD = '\u001b[35m';

function layOut(text: string, cells = 60): ColumnBuffer {
  const buffer = new ColumnBuffer(cells);
  buffer.push(text);
  buffer.end();
  return buffer;
}

function fenceCode(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\`\n`;
}

function drawRows(painter: Painter, buffer: ColumnBuffer, query = ''): string[] {
  return buffer.slice(0, buffer.length).map((row) => painter.cell(row, buffer.width + 2, query));
}

/**
 * Returns a painter, and a function that counts how often it reported that something would look
 * different.
 */
function makePainter(depth: 0 | 4 | 8 | 24 = 4): { painter: Painter; changes: () => number } {
  let count = 0;
  const countChange = (): void => {
    count += 1;
  };
  const painter = new Painter(new Theme(depth), countChange, PATIENCE_MS);
  return { painter, changes: () => count };
}

let turns = 1000;

/**
 * Waits until all code that was queued so far has been colored. Colors one more block to find out, which counts as
 * one change.
 */
async function waitForPainter(painter: Painter): Promise<void> {
  turns += 1;
  const last = layOut(fenceCode('json', `{"turn": ${turns}}`));
  drawRows(painter, last);
  await vi.waitFor(() => expect(drawRows(painter, last)[0]).toContain(`m${turns}\u001b`), {
    timeout: 120_000,
    interval: 4,
  });
}

/** Returns the rows after all their code is colored. */
async function colorRows(
  text: string,
  { depth = 4, cells = 60 }: { depth?: 4 | 24; cells?: number } = {},
): Promise<string[]> {
  const { painter } = makePainter(depth);
  const buffer = layOut(text, cells);
  drawRows(painter, buffer);
  await waitForPainter(painter);
  return drawRows(painter, buffer);
}

describe('code in a known language', () => {
  it('shows keywords, strings, numbers and comments in different colors', async () => {
    const [row] = await colorRows(fenceCode('ts', 'const a = f("x", 12); // why'));
    expect(row?.trim()).toBe(
      [
        `${KEYWORD}const\u001b[39m`,
        `${CODE} a = \u001b[39m`,
        `${CODE}f\u001b[39m`,
        `${CODE}(\u001b[39m`,
        '\u001b[32m"x"\u001b[39m',
        `${CODE}, \u001b[39m`,
        '\u001b[31m12\u001b[39m',
        `${CODE}); \u001b[39m`,
        '\u001b[2m// why\u001b[22m',
      ].join(''),
    );
  });

  it('is parsed as a whole, so that a comment may span several lines', async () => {
    const rows = await colorRows(
      fenceCode('ts', '/* one\nlet two = 2 and so on until it wraps */\nlet three'),
      { cells: 24 },
    );
    expect(rows.slice(0, -1).join('')).not.toContain(KEYWORD);
    expect(rows.at(-1)).toContain(`${KEYWORD}let`);
  });

  it.each([
    ['in a list', '- item\n  ```py\n  def f(): pass\n  ```\n'],
    ['in a quote that ends before the block does', '> ```py\n> def f(): pass\n\nafter'],
    ['indented with tabs', fenceCode('py', '\tdef f(): pass')],
    ['without its closing line', '```py\ndef f(): pass'],
    ['whose language is named in capitals', fenceCode('PY', 'def f(): pass')],
  ])('gets its colors: a block %s', async (_, text) => {
    expect((await colorRows(text)).join('')).toContain(`${KEYWORD}def`);
  });

  it.each([...LANGUAGES.keys()])('gets colors if its language is %s', async (name) => {
    const samples =
      '# "a" 12\n// "b" 3\n<p class="x">\nFROM a\nkey: 1\n{"a": 1}\n$ echo "x"\nall: x\nserver { listen 80; }\nif return 7;';
    expect(
      new Set((await colorRows(fenceCode(name, samples))).join('').match(/\u001b\[\d+m/g)).size,
    ).toBeGreaterThan(2);
  });

  it('marks the whole search match, even if the code’s color changes within it', async () => {
    const { painter } = makePainter();
    const buffer = layOut(fenceCode('ts', 'let answer = 42'));
    drawRows(painter, buffer);
    await waitForPainter(painter);
    const [row] = drawRows(painter, buffer, 't answer');
    expect(row).toContain(`${KEYWORD}le\u001b[39m`);
    expect(row).toContain(`\u001b[7m${KEYWORD}t\u001b[39m\u001b[27m`);
  });
});

describe('coloring code', () => {
  it.each([
    ['in an unknown language', fenceCode('klingon', 'let a = 1')],
    [
      'whose language is “constructor”, a property of every object',
      fenceCode('constructor', 'let a = 1'),
    ],
    ['without a language', fenceCode('', 'let a = 1')],
    ['that is indented', 'text\n\n    let a = 1\n'],
    ['of over 200 lines', fenceCode('ts', 'let a = 1\n'.repeat(201))],
    ['of over 20,000 characters', fenceCode('ts', `let a = "${'x'.repeat(600)}"\n`.repeat(34))],
    ['with a line of over 1,000 characters', fenceCode('ts', `let a = "${'x'.repeat(1000)}"`)],
  ])('gives all code of a block the same color: a block %s', async (_, text) => {
    const rows = (await colorRows(text)).filter((row) => row.includes('let'));
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows)
      expect(row.trimEnd()).toMatch(/^ .*\u001b\[36m *let [^\u001b]*\u001b\[39m$/);
  });

  it('colors a block of 200 lines, the longest one that is colored', async () => {
    const rows = await colorRows(fenceCode('ts', 'let a = 1\n'.repeat(200).trimEnd()));
    expect(rows).toHaveLength(200);
    for (const row of rows) expect(row).toContain(`${KEYWORD}let`);
  });

  it('colors a block as soon as the block is complete', async () => {
    const { painter, changes } = makePainter();
    const buffer = new ColumnBuffer(40);
    const code = 'let a = 1\n'.repeat(30);
    for (const char of `\`\`\`ts\n${code}`) {
      buffer.push(char);
      drawRows(painter, buffer);
    }
    await waitForPainter(painter);
    const before = changes();
    expect(drawRows(painter, buffer).join('')).not.toContain(KEYWORD);
    buffer.push('```\nand text');
    const widths = [40, 30, 40];
    for (const width of widths) {
      buffer.resize(width);
      drawRows(painter, buffer);
      await waitForPainter(painter);
      expect(drawRows(painter, buffer)[0]).toContain(`${KEYWORD}let`);
    }
    const changesByWaiting = widths.length;
    expect(changes() - before - changesByWaiting).toBe(1);
  });

  it('is skipped if the terminal has no colors', async () => {
    const { painter, changes } = makePainter(0);
    const buffer = layOut(fenceCode('ts', 'let a = 1'));
    expect(drawRows(painter, buffer)[0]?.trimEnd()).toBe('   let a = 1');
    await new Promise((resolve) => setImmediate(resolve));
    expect([drawRows(painter, buffer)[0]?.trimEnd(), changes()]).toEqual(['   let a = 1', 0]);
  });
});

describe('the text of colored code', () => {
  const names = fc.constantFrom(...LANGUAGES.keys(), 'nothing', '');
  const part = fc.oneof(
    fc.constantFrom(
      ...['"', "'", '`', '//', '/*', '*/', '#', '{', '}', '<', '>', '</', '&', '&amp;', '${', '\\'],
      ...['let ', 'def ', 'class ', ' = ', '\n', '\t', '  ', '(', ')', '0x1f', '--', '"""', '$ '],
      ...[
        '字',
        '👩\u200d👩',
        'e\u0301',
        '\u0301',
        '"\u0301',
        '\ud83d',
        'क्ष',
        '<span class="hljs-x">',
        '</span>',
      ],
    ),
    fc.stringMatching(/^[a-zA-Z0-9_.:=-]{1,10}$/),
    fc.string({ unit: 'binary', maxLength: 6 }),
  );
  const code = fc.array(part, { maxLength: 40 }).map((parts) => parts.join(''));
  const removeColors = (rows: readonly string[]): string[] =>
    rows.map((row) => row.replaceAll(/\u001b\[(?:2|22|3[1-9]|38;2;\d+;\d+;\d+)m/g, ''));

  it('is the same as without colors', async () => {
    const texts = fc.sample(fc.tuple(names, code, fc.integer({ min: 3, max: 70 })), {
      numRuns: LONG ? 3000 : 150,
      seed: 20261123,
    });
    const { painter, changes } = makePainter(24);
    const plain = new Painter(new Theme(0));
    const buffers = texts.map(([name, text, cells]) =>
      layOut(sanitiseText(fenceCode(name, text)), cells),
    );
    for (const buffer of buffers) {
      drawRows(painter, buffer);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await waitForPainter(painter);
    // The painter remembers only the colors of the newest texts. This test draws far more texts than it remembers,
    // so old texts are colored again below.
    expect(changes()).toBeGreaterThan(100);
    for (const buffer of buffers) {
      drawRows(painter, buffer);
      await waitForPainter(painter);
      expect(removeColors(drawRows(painter, buffer))).toEqual(drawRows(plain, buffer));
    }
  });

  it.each(attacks)('contains no escape sequence from $name', async ({ text }) => {
    for (const name of ['ts', 'html', 'bash'])
      for (const row of removeColors(
        await colorRows(sanitiseText(fenceCode(name, text)), { depth: 24 }),
      ))
        expect(row).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b]/);
  });

  test('stays without colors if the highlighting library would change the text', () => {
    const html = '<span class="hljs-string">&quot;&lt;a&#x27;</span> b';
    expect(marksOf(html, '"<a\' b')).toEqual(new Uint8Array([2, 2, 2, 2, 0, 0]));
    expect(marksOf(html, '"<a\' c')).toBeUndefined();
    expect(marksOf(html, '"<a\' b and more')).toBeUndefined();
    expect(marksOf(`${html}<b>`, '"<a\' b')).toBeUndefined();
    expect(marksOf('&copy;', '©')).toBeUndefined();
  });
});

describe('runWithTimeLimit', () => {
  it('interrupts a regular expression', () => {
    const hostile = `${'a'.repeat(60)}b`;
    expect(() => runWithTimeLimit(20, () => /^(a+)+$/.test(hostile))).toThrow(
      expect.objectContaining({ code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' }),
    );
    expect(runWithTimeLimit(1000, () => 'fine')).toBe('fine');
  });

  it('throws the error of the function that it runs', () => {
    const broken = new Error('broken');
    expect(() =>
      runWithTimeLimit(1000, () => {
        throw broken;
      }),
    ).toThrow(broken);
  });
});

describe('code in the console', () => {
  let opened: OpenedConsole | undefined;
  afterEach(async () => {
    opened?.console.close();
    await opened?.console.closed;
    opened = undefined;
  });

  it('gets its colors as soon as its block has ended, without a key press', async () => {
    const run = new FakeRun().open('Why?').ask('advocate');
    run.send('advocate');
    opened = openRunConsole(run, { columns: 100, rows: 30 });
    await opened.screen.settled();
    const lambda = /38;2;\d+;\d+;\d+mlambda/;
    run.say('advocate', '```python\nf = lambda x: 1\n');
    await opened.screen.settled();
    expect(opened.screen.raw).not.toMatch(lambda);
    run.say('advocate', '```\nSo.');
    await vi.waitFor(() => expect(opened?.screen.raw).toMatch(lambda));
    expect(opened.screen.lines.join('\n')).toContain('f = lambda x: 1');
  });
});
