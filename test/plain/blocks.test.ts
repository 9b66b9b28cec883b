/**
 * Promise: what is told of a run is told once, as blocks, and both Markdown and a page show all of it, in the
 * place where it belongs, whoever wrote its words.
 */
import { describe, expect, it } from 'vitest';
import { addAnchors, formatBlocks, Styles } from '../../src/html-report/blocks.ts';
import { Anchors } from '../../src/html-report/html.ts';
import {
  type Block,
  isEmpty,
  makeFoldedSection,
  makeSection,
  makeTableBlock,
  makeVerbatim,
  type Section,
} from '../../src/plain/blocks.ts';
import { answersText, blocksText, sectionsText } from '../../src/plain/blocks-text.ts';

function pageOf(...blocks: readonly Block[]): string {
  const anchors = new Anchors();
  addAnchors(blocks, anchors);
  return formatBlocks(blocks, anchors, new Styles());
}

describe('sections of a report', () => {
  const nested = makeSection(
    'Outer',
    'Text.',
    makeSection(
      'Inner',
      { kind: 'said', text: '# Said\n\nby a model' },
      makeVerbatim('# as it is'),
    ),
  );

  it('have nested headings, and headings in models’ texts become lower than theirs', () => {
    expect(sectionsText([nested]).join('\n')).toBe(
      '## Outer\nText.\n### Inner\n#### Said\n\nby a model\n```\n# as it is\n```',
    );
    expect(blocksText([nested], 0)[0]).toBe('# Outer');
    const html = pageOf(nested);
    expect(html).toMatch(/<h3>Outer<\/h3>.*<h4>Inner<\/h4>.*<h5>Said<\/h5>/s);
    expect(html).toContain('<pre># as it is</pre>');
  });

  it('show a verbatim text as a Markdown quotation instead of a code block if the option isQuoted is set', () => {
    expect(blocksText([nested], 1, { isQuoted: true }).at(-1)).toBe('> ###### as it is');
  });

  it('are left out if neither they nor the sections within them contain a text, a table or a vote', () => {
    const nothing = [
      makeSection('None'),
      makeSection('Empty', '', makeTableBlock('About.', ['a'], []), { kind: 'said', text: ' \n' }),
      makeSection('Outer', makeSection('Inner', '')),
      makeSection('Vote', { kind: 'vote', vote: { title: 'Vote', choices: [], notes: [] } }),
    ];
    expect(nothing.map(isEmpty)).toEqual([true, true, true, true]);
    expect(sectionsText(nothing)).toEqual([]);
    expect(pageOf(...nothing)).toBe('');
  });

  it('are kept without content if links can lead to them', () => {
    const target: Section = { ...makeFoldedSection('Critic: no answer'), anchor: 'answer-1' };
    expect(sectionsText([target])).toEqual(['## Critic: no answer']);
    expect(pageOf(target)).toContain('<details id="x-answer-1">');
  });

  it('are left out of Markdown if they contain only a graph', () => {
    const picture = makeSection('The argument', {
      kind: 'graph',
      graph: { about: '', lanes: [], columns: [], kinds: {}, relations: {}, nodes: [], edges: [] },
    });
    expect(sectionsText([picture])).toEqual([]);
  });

  it('show a title literally, even if it looks like HTML or Markdown', () => {
    const title = '<b>*bold*</b> # | `x`';
    expect(sectionsText([makeSection(title, 'Text.')])[0]).toBe(
      '## \\<b>\\*bold\\*\\</b> # \\| \\`x\\`',
    );
    expect(pageOf(makeSection(title, 'Text.'))).toContain('&lt;b&gt;*bold*&lt;/b&gt;');
    expect(pageOf(makeFoldedSection(title, 'Text.'))).toContain('<summary>&lt;b&gt;');
  });
});

describe('a table of a report', () => {
  const rows = [
    { anchor: 'C-1', group: 'Open', cells: ['C-1', { text: 'One', tone: 'open' as const }] },
    {
      anchor: 'C-2',
      group: 'Settled',
      sentence: 'Two, which C-1 denies',
      cells: ['C-2', { text: 'Two', tone: 'good' as const, below: ['It rests on C-1 and C-9.'] }],
    },
  ];
  const makeTable = (isListed: boolean): Block => ({
    kind: 'table',
    table: { about: 'All.', head: ['id', '>claim'], rows, isListed },
  });

  it('becomes, in Markdown, a table of the cells’ main texts and a list of their additional lines', () => {
    expect(blocksText([makeTable(false)], 1)).toEqual([
      'All.',
      '| id | claim |\n| --- | ---: |\n| C-1 | ○ One |\n| C-2 | ✓ Two |',
      '- C-2\n  - It rests on C-1 and C-9.',
    ]);
  });

  it('becomes, in Markdown, a table and a list of additional lines, which names their columns if several columns have such lines', () => {
    const two = makeTableBlock(
      '',
      ['id', 'one', 'two'],
      [['C-1', { text: 'a', below: ['first'] }, { text: 'b', below: ['second'] }]],
    );
    expect(blocksText([two], 1).at(-1)).toBe('- C-1\n  - one: first\n  - two: second');
  });

  it('becomes grouped lists of sentences in Markdown if isListed is set', () => {
    expect(blocksText([makeSection('Claims', makeTable(true))], 1).slice(2)).toEqual([
      '### Open (1)',
      '- **C-1** ',
      '### Settled (1)',
      '- **C-2** Two, which C-1 denies\n  - It rests on C-1 and C-9.',
    ]);
  });

  it('has a heading for each group on an HTML page, and ids in its texts are links to their rows', () => {
    const html = pageOf(makeTable(false));
    expect(html.match(/<th scope="rowgroup" colspan="2">[^<]*/g)).toEqual([
      '<th scope="rowgroup" colspan="2">Open (1)',
      '<th scope="rowgroup" colspan="2">Settled (1)',
    ]);
    expect(html).toContain('rests on <a href="#x-C-1">C-1</a> and C-9.');
  });

  it('has an explanation in brackets after the first occurrence of an id, unless a row has that id', () => {
    const meanings = new Map([
      ['C-1', 'the first'],
      ['C-9', 'the "<ninth>"'],
    ]);
    const text = sectionsText([makeSection('Claims', makeTable(true))], meanings).at(-1);
    expect(text).toContain('rests on C-1 and C-9 (the "\\<ninth>").');
  });
});

describe('a vote in a report', () => {
  it('is a line in Markdown, with the seats and the other wordings that were counted for each option', () => {
    const vote: Block = {
      kind: 'vote',
      vote: {
        title: 'Vote',
        choices: [
          { option: 'Split', votes: 2, seats: ['A', 'B'], also: ['Divide'] },
          { option: 'Wait', votes: 1, seats: ['C'] },
        ],
        notes: ['No ballot: D.'],
      },
    };
    expect(blocksText([vote], 1)).toEqual([
      'Vote: 2 "Split" (A, B; also "Divide") · 1 "Wait" (C)',
      'No ballot: D.',
    ]);
  });

  it('says that nobody’s ballot counts, and then gives the reason, if no option got a vote', () => {
    const vote: Block = { kind: 'vote', vote: { title: 'Vote', choices: [], notes: ['Why.'] } };
    expect(blocksText([vote], 1)).toEqual(["Vote: nobody's ballot counts", 'Why.']);
  });
});

it('answersText puts a result’s warnings before the sentence that says whose answers the result is based on', () => {
  expect(
    answersText([
      { title: 'Answer', text: 'Wait.', basisLines: ['3 of 3.'], warnings: ['Read it with care.'] },
      { question: 'Question 2: Who?', title: 'Answer', text: 'Nobody.', basisLines: [] },
      { title: 'Plan', isHeadline: true, text: 'Open.', basisLines: [] },
      { title: 'Answer', basisLines: [], warnings: ['There is none.'] },
    ]),
  ).toEqual([
    '**Answer: Wait.**',
    '**Read it with care.**',
    '3 of 3.',
    '**Question 2: Who?**',
    '**Answer: Nobody.**',
    '**Open.**',
    '**Answer**',
    '**There is none.**',
  ]);
});
