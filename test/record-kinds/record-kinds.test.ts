/** What common code makes of a kind of record: sections of reports, details and diffs, by plain values. */
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { PageScene } from '../../src/console/run/page-scene.ts';
import type { PageAround } from '../../src/console/run/tabs/page.ts';
import { Theme } from '../../src/console/terminal/theme.ts';
import { formatBlocks, Styles } from '../../src/html-report/blocks.ts';
import { Anchors } from '../../src/html-report/html.ts';
import { EMPTY_VIEW } from '../../src/kernel/view.ts';
import { isEmpty, makeVerbatim } from '../../src/plain/blocks.ts';
import { sectionsText } from '../../src/plain/blocks-text.ts';
import { makeComparer, recordDiff } from '../../src/record-kinds/diff.ts';
import { recordKind } from '../../src/record-kinds/kind.ts';
import { recordSection, recordSections } from '../../src/record-kinds/section.ts';
import { readRecord, recordsPage, recordTabs } from '../../src/record-kinds/tab.ts';
import { recordComparisons, recordEntry } from '../../src/record-kinds/table.ts';

interface Risk {
  readonly id: string;
  readonly text: string;
  readonly isOpen: boolean;
}

const RISK = recordKind({
  name: 'Risks',
  about: 'What may go wrong.',
  notes: (risks: readonly Risk[]) => [`${risks.length} in all.`],
  none: () => 'No risks.',
  all: (risks) => risks,
  id: ({ id }: Risk) => id,
  heading: ({ id, text }) => `${id} · ${text}`,
  columns: [
    { title: 'id', of: ({ id }) => id },
    { title: '>letters', of: ({ text }) => String(text.length) },
    {
      title: 'risk',
      of: ({ text, isOpen }) => ({
        text,
        tone: isOpen ? ('open' as const) : ('good' as const),
        below: ['seen by the critic'],
      }),
    },
  ],
  compared: ({ text, isOpen }) => ({ text, state: isOpen ? 'open' : 'closed' }),
  sentence: ({ text }) => text,
});

const LOSS: Risk = { id: 'R-1', text: 'Loss | of data', isOpen: true };
const DELAY: Risk = { id: 'R-2', text: 'Delay', isOpen: false };

describe('A section of records in a report', () => {
  it('has a table with a sign for the state of each record', () => {
    expect(sectionsText([recordSection(RISK, [LOSS, DELAY])])).toEqual([
      '## Risks',
      'What may go wrong.',
      [
        '| id | letters | risk |',
        '| --- | ---: | --- |',
        '| R-1 | 14 | ○ Loss \\| of data |',
        '| R-2 | 5 | ✓ Delay |',
      ].join('\n'),
      '- R-1\n  - seen by the critic\n- R-2\n  - seen by the critic',
      '- 2 in all.',
    ]);
  });

  it('leaves out the remarks below the table if the section has the details of every record', () => {
    const whole = { ...RISK, details: () => ['All of it.'], isWholeInReports: true };
    const text = sectionsText([recordSection(whole, [DELAY])]);
    expect(text).toContain('### R-2 · Delay');
    expect(text.join('\n')).not.toContain('seen by the critic');
  });

  it('leaves out the details of the records unless the kind of record asks for them in reports', () => {
    const text = sectionsText([recordSection({ ...RISK, details: () => ['All.'] }, [DELAY])]);
    expect(text.join('\n')).not.toContain('All.');
  });

  it('is left out if there are no records; with the option `evenIfNone`, it says that there are none', () => {
    expect(isEmpty(recordSection(RISK, []))).toBe(true);
    expect(sectionsText([recordSection(RISK, [], { evenIfNone: true })])).toContain('No risks.');
  });

  it('has an anchor for each record if records can be linked', () => {
    const listAnchors = (isTarget: boolean) =>
      recordSection(RISK, [LOSS], { isTarget }).blocks.flatMap((block) =>
        typeof block !== 'string' && block.kind === 'table'
          ? block.table.rows.map(({ anchor }) => anchor)
          : [],
      );
    expect(listAnchors(true)).toEqual(['R-1']);
    expect(listAnchors(false)).toEqual([undefined]);
  });
});

describe('A tab of records in the console', () => {
  const openPage = (kind: typeof RISK, risks: readonly Risk[], columns = 80) => {
    const around = { runModel: {}, size: () => ({ columns, rows: 12 }) } as unknown as PageAround;
    const scene = { theme: new Theme(0), columns, rows: 12 } as unknown as PageScene;
    const source = { state: () => risks, version: () => 1 };
    const shown = recordsPage(around, kind, source);
    return {
      shown,
      rows: () => shown.render(scene).map((row) => stripVTControlCharacters(row).trimEnd()),
    };
  };

  it('lists the records in columns as wide as their texts', () => {
    expect(openPage(RISK, [LOSS, DELAY]).rows().slice(0, 6)).toEqual([
      ' What may go wrong.',
      ' 2 in all.',
      '',
      '    id   risk                                                           letters',
      `${'> ○ R-1  Loss | of data'.padEnd(77)}14`,
      `${'  ✓ R-2  Delay'.padEnd(78)}5`,
    ]);
  });

  it('leaves out a column if the page has no room for it', () => {
    const kind = {
      ...RISK,
      columns: [{ title: 'owner', from: 100, of: () => 'critic' }, ...RISK.columns],
    };
    expect(openPage(kind, [LOSS]).rows().join('\n')).not.toContain('critic');
    expect(openPage(kind, [LOSS], 100).rows().join('\n')).toContain('critic');
  });

  it('still lists the records after a change of the window’s width', () => {
    const size = { columns: 80, rows: 12 };
    const kind = { ...RISK, all: (risks: readonly Risk[]) => risks.map((risk) => ({ ...risk })) };
    const around = { runModel: {}, size: () => size } as unknown as PageAround;
    const shown = recordsPage(around, kind, { state: () => [LOSS], version: () => 1 });
    for (const columns of [80, 60]) {
      size.columns = columns;
      const scene = { theme: new Theme(0), columns, rows: 12 } as unknown as PageScene;
      expect(shown.render(scene).join('\n')).toContain('Loss | of data');
    }
  });

  it('finds a record by the text of any of its columns', () => {
    const { shown, rows } = openPage(RISK, [LOSS, DELAY]);
    shown.find?.('delay');
    expect(rows().join('\n')).not.toContain('R-1');
  });

  it('says so if there are no records', () => {
    expect(openPage(RISK, []).rows().join('\n')).toContain('No risks.');
  });

  it('opens a record with its details', () => {
    const cells = readRecord(RISK, LOSS, [LOSS], 80);
    expect(cells.title).toBe('R-1 · Loss | of data');
    expect(cells.markdown).toContain('**risk:** Loss \\| of data\n\nseen by the critic');
    expect(cells.raw).toBeUndefined();
    const kind = { ...RISK, details: () => [makeVerbatim('# as it is')] };
    expect(readRecord(kind, LOSS, [LOSS], 80).raw).toBe('```\n# as it is\n```');
  });

  it('shows every column that the kind of record describes, as Markdown and HTML reports do', () => {
    const kind = {
      ...RISK,
      columns: [...RISK.columns, { title: 'owner', of: () => 'the critic' }],
    };
    const risks = recordSection(kind, [LOSS]);
    const html = formatBlocks([risks], new Anchors(), new Styles());
    const markdown = sectionsText([risks]).join('\n');
    for (const surface of [openPage(kind, [LOSS]).rows().join('\n'), markdown, html]) {
      expect(surface).toContain('owner');
      expect(surface).toContain('the critic');
    }
  });
});

describe('A comparison of the records of two runs', () => {
  const runs: Readonly<Record<string, readonly Risk[]>> = {
    before: [LOSS],
    after: [{ ...LOSS, isOpen: false }, DELAY],
  };
  const diff = recordDiff({
    read: ({ view }) => runs[view.id] ?? [],
    heads: { count: (risks: readonly Risk[]) => String(risks.length) },
    records: { risks: makeComparer(RISK) },
  });
  const makeRun = (id: string) => ({ facts: [], view: { ...EMPTY_VIEW, id } });

  it('names what was added and which fields changed', () => {
    const { found, text } = diff(makeRun('before'), makeRun('after'));
    expect(found).toEqual({
      count: { from: '1', to: '2' },
      risks: {
        added: [{ id: 'R-2', summary: 'Delay' }],
        removed: [],
        changed: [{ id: 'R-1', fields: { state: { from: 'open', to: 'closed' } } }],
      },
      models: {},
    });
    expect(text).toBe(
      'Count: 1 → 2\n\nRisks: 1 added, 0 removed, 1 changed\n+ R-2  Delay\n~ R-1  state: open → closed\n',
    );
  });

  it('finds no difference between two equal runs', () => {
    expect(diff(makeRun('after'), makeRun('after'))).toEqual({
      found: { risks: { added: [], removed: [], changed: [] }, models: {} },
      text: 'Identical.\n',
    });
  });
});

describe('Kinds of record in a protocol’s list', () => {
  const OPEN = recordKind({
    name: 'Open risks',
    about: 'What is not settled.',
    none: () => 'None is open.',
    all: (risks: readonly Risk[]) => risks.filter(({ isOpen }) => isOpen),
    id: ({ id }: Risk) => id,
    heading: ({ text }) => text,
    columns: [{ title: 'open', of: ({ text }) => text }],
  });
  const TABLE = [
    recordEntry(RISK, {
      tab: { id: 'risks', place: 3 },
      compared: { as: 'risks', id: ({ id }) => id.replace('-', ' ') },
    }),
    recordEntry(OPEN, { section: { evenIfNone: true } }),
  ];

  it('become sections of a report in the order of the list', () => {
    const readHeadings = (risks: readonly Risk[]) =>
      sectionsText(recordSections(TABLE, risks)).filter((text) => text.startsWith('## '));
    expect(readHeadings([DELAY])).toEqual(['## Risks', '## Open risks']);
    expect(readHeadings([])).toEqual(['## Open risks']);
  });

  it('get a tab in the console if their entry in the list describes a tab', () => {
    const source = { state: () => [LOSS], version: () => 1 };
    const tabs = recordTabs(TABLE, source);
    expect(tabs.map(({ id, place, title }) => ({ id, place, title }))).toEqual([
      { id: 'risks', place: 3, title: 'Risks' },
    ]);
  });

  it('are compared between two runs if their entry in the list has the field `compared`', () => {
    const comparisons = recordComparisons(TABLE);
    expect(Object.keys(comparisons)).toEqual(['risks']);
    expect(comparisons.risks?.([], [DELAY]).added).toEqual([{ id: 'R 2', summary: 'Delay' }]);
  });
});
