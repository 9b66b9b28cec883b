/** The Checks tab: every run of a check, what it was for, and what it printed. */
import { OutlinePage } from '../../../console/run/tabs/outline.ts';
import type { Page, PageAround, ReadText } from '../../../console/run/tabs/page.ts';
import type { Theme } from '../../../console/terminal/theme.ts';
import { line } from '../../../text/line.ts';
import { formatMs } from '../../../text/numbers.ts';
import { padEnd, truncate } from '../../../text/width.ts';
import { teamIn } from './part.ts';
import { checkText, countCells } from './task-text.ts';
import { type CheckRan, checkSign, checkWords, KIND_WORDS, shortCommit } from './wording.ts';

const ABOUT =
  'Every run of a check, in order. New tests must fail on the base; everything else must be green.';

/** From this width on there is room for the commit that a check was run on. */
const WIDE = 110;
const CELLS = { id: 12, kind: 23, words: 23, fewWords: 13 } as const;

export function checksPage(around: PageAround): Page {
  const { runModel } = around;
  return new OutlinePage<CheckRan>(around, {
    name: 'Checks',
    get head(): readonly [string, ...string[]] {
      const text = rowText('  check', 'purpose', 'result', 'of', isWide(around));
      return [text, 'passed', 'failed', ...(isWide(around) ? ['skipped', 'time'] : [])];
    },
    above: () => [ABOUT],
    empty: 'No checks yet.',
    version: () => teamIn(runModel).version,
    lines: (query) =>
      teamIn(runModel).view.checks.filter((one) =>
        `${one.check} ${KIND_WORDS[one.kind]} ${subjectOf(one)} ${checkWords(one)}`
          .toLowerCase()
          .includes(query),
      ),
    row: (one) => {
      const [passed = '', failed = '', skipped = ''] = countCells(one);
      const wide = isWide(around);
      const of = wide ? `${subjectOf(one)}  ${shortCommit(one.on)}` : subjectOf(one);
      return {
        text: rowText(
          `${checkSign(one)} ${line(one.check)}`,
          KIND_WORDS[one.kind],
          checkWords(one),
          of,
          wide,
        ),
        figures: [passed, failed, ...(wide ? [skipped, formatMs(one.ms)] : [])],
      };
    },
    tinted: tint,
    copyable: readCheck,
    read: readCheck,
  });
}

function isWide(around: PageAround): boolean {
  return around.size().columns >= WIDE;
}

function rowText(check: string, kind: string, words: string, of: string, wide: boolean): string {
  const cell = (text: string, cells: number): string => padEnd(truncate(text, cells - 1), cells);
  return `${cell(check, CELLS.id)}${cell(kind, CELLS.kind)}${cell(words, wide ? CELLS.words : CELLS.fewWords)}${of}`;
}

/** `json-flag 2`, `output`; of the base nothing. */
function subjectOf({ task, attempt, workstream }: CheckRan): string {
  if (task !== undefined) return `${line(task)}${attempt === undefined ? '' : ` ${attempt}`}`;
  return line(workstream ?? '');
}

function tint(one: CheckRan, row: string, theme: Theme): string {
  switch (checkSign(one)) {
    case '✓':
      return row;
    case '?':
      return theme.tone('yellow', row);
    default:
      return theme.tone('red', row);
  }
}

function readCheck(one: CheckRan): ReadText {
  return {
    name: `check-${one.check}`,
    title: `${line(one.check)} · ${KIND_WORDS[one.kind]}`,
    markdown: checkText(one),
  };
}
