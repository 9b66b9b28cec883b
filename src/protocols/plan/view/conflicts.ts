/** The Conflicts tab: one row a question, how it ended, and whether who looked had shown that they can see. */
import { OutlinePage } from '../../../console/run/tabs/outline.ts';
import type { Page, PageAround, ReadText } from '../../../console/run/tabs/page.ts';
import type { Theme } from '../../../console/terminal/theme.ts';
import { line } from '../../../text/line.ts';
import { padEnd, textWidth, truncate } from '../../../text/width.ts';
import type { Conflict } from '../rules/conflicts.ts';
import { conflictText } from './conflict-text.ts';
import { planIn, plannedIn } from './part.ts';
import { controlLines, type Ending, endingOf, KIND_WORDS } from './wording.ts';

const ABOUT =
  'Each conflict is a question; its options are statements. Models that look for conflicts must also find one planted by the program, the control.';

const SIGNS: Readonly<Record<Ending['state'], string>> = {
  settled: '✓',
  decided: '✓',
  open: '◐',
  waits: '?',
};

/** Cells of how a question ended. */
const ENDING = { least: 8, most: 24 } as const;
const KIND = 16;
/** From this width on there is room for the kind of a conflict beside its question. */
const WIDE = 100;
/** An option that has a column of its own needs as much. */
const OPTION = 26;

export function conflictsPage(around: PageAround): Page {
  const { runModel } = around;
  const planned = () => plannedIn(runModel);
  const read = (one: Conflict): ReadText => {
    const columns = Math.floor((Math.min(100, around.size().columns) - 14) / one.options.length);
    return {
      name: one.id,
      title: `${one.id} · ${line(one.question)}`,
      markdown: conflictText(one, planned(), { beside: columns >= OPTION, level: 2, looks: true }),
    };
  };
  const endingCells = (): number =>
    Math.min(
      ENDING.most,
      Math.max(
        ENDING.least,
        ...planned().plan.conflicts.map((one) => textWidth(endingOf(one, planned()).brief)),
      ),
    );
  const rowOf = (id: string, kind: string, ending: string, question: string): string => {
    const isWide = around.size().columns >= WIDE;
    const cells = endingCells();
    return `${padEnd(id, 7)}${padEnd(truncate(ending, cells), cells + 2)}${isWide ? padEnd(kind, KIND) : ''}${question}`;
  };
  return new OutlinePage<Conflict>(around, {
    name: 'Questions',
    get head(): readonly [string] {
      return [rowOf('  id', 'kind', 'ended', 'question')];
    },
    above: () => [ABOUT, ...controlLines(planned().plan.examined)],
    get empty(): string {
      return planned().plan.examined.length === 0
        ? 'No search for conflicts yet.'
        : 'No conflicts found.';
    },
    version: () => planIn(runModel).version,
    lines: (query) =>
      planned().plan.conflicts.filter(({ id, question }) =>
        `${id} ${question}`.toLowerCase().includes(query),
      ),
    row: (one) => {
      const { state, brief } = endingOf(one, planned());
      return {
        text: rowOf(`${SIGNS[state]} ${one.id}`, KIND_WORDS[one.kind], brief, line(one.question)),
        figures: [],
      };
    },
    tinted: (one, row, theme) => tint(endingOf(one, planned()), row, theme),
    copyable: read,
    read,
  });
}

function tint({ state }: Ending, row: string, theme: Theme): string {
  if (state === 'waits' || state === 'open') return theme.tone('yellow', row);
  return row;
}
