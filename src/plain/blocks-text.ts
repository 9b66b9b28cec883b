/** Writes blocks as Markdown: for reports, for pipes, and for texts that the console shows. */
import { formatCodeBlock, list } from '../text/markdown/blocks.ts';
import {
  type Answer,
  answerSentence,
  type Block,
  type Cell,
  isEmpty,
  type Section,
  SIGNS,
  type Table,
  toCell,
  type Vote,
} from './blocks.ts';
import { type IdDescriptions, IdExplainer } from './id-explainer.ts';
import { escapeLine, formatQuotation, formatTable, nestHeadings } from './markdown.ts';

/** How blocks are written. */
interface Writing {
  /** Explains ids in a list of records, which a page links; absent: they stand as they are. */
  readonly explainer?: IdExplainer;
  /** Whether verbatim texts become quotations of Markdown instead of blocks of code. */
  readonly isQuoted?: boolean;
}

/**
 * Formats blocks as paragraphs of Markdown, without graphs. If one of the blocks is a folded section, tables have
 * no lines in small type, because the section says the same in detail.
 * @param level the level of the heading above the blocks, 0 if there is none; sections in `blocks` get
 * headings one level below
 * @param writing options for all blocks: whether verbatim texts become quotations, and what adds the
 * meaning of a record's id where the id first occurs in a list of records
 */
export function blocksText(
  blocks: readonly Block[],
  level: number,
  writing: Writing = {},
): string[] {
  const isDetailed = blocks.some((block) => typeof block !== 'string' && isFolded(block));
  return blocks.flatMap((block) => blockText(block, level, isDetailed, writing));
}

/**
 * Formats sections as paragraphs of Markdown, with headings of the second level.
 * @param meanings short descriptions of records by their ids; each follows its id where the id first
 * occurs in a list of records of a section
 */
export function sectionsText(sections: readonly Section[], meanings?: IdDescriptions): string[] {
  return sections.flatMap((section) =>
    blocksText([section], 1, meanings && { explainer: new IdExplainer(meanings) }),
  );
}

/**
 * Formats the results of a run as paragraphs. Each result is followed by its warnings and by whose
 * answers it is based on.
 */
export function answersText(answers: readonly Answer[]): string[] {
  return answers.flatMap((answer) => {
    const {
      question,
      title,
      isHeadline = false,
      basisLines: heard,
      warnings = [],
      votes = [],
    } = answer;
    const isMissing = answer.text === undefined && warnings.length > 0 && !isHeadline;
    const bold = [question, isMissing ? title : answerSentence(answer), ...warnings];
    return [
      ...bold.flatMap((text) => (text === undefined ? [] : [`**${escapeLine(text)}**`])),
      ...heard.map(escapeLine),
      ...blocksText(
        votes.map((vote) => ({ kind: 'vote', vote })),
        1,
      ),
    ];
  });
}

function isFolded(block: Exclude<Block, string>): boolean {
  return block.kind === 'section' && block.isFolded === true;
}

function blockText(block: Block, level: number, isDetailed: boolean, writing: Writing): string[] {
  if (isEmpty(block)) return [];
  if (typeof block === 'string') return [block];
  switch (block.kind) {
    case 'said':
      return [nestHeadings(block.text, level)];
    case 'verbatim':
      return [
        writing.isQuoted === true ? formatQuotation(block.text) : formatCodeBlock(block.text),
      ];
    case 'table':
      return block.table.isListed === true
        ? listText(block.table, level, writing)
        : tableText(block.table, isDetailed);
    case 'vote':
      return voteText(block.vote);
    case 'graph':
      return [];
    case 'section': {
      const own = Math.min(6, level + 1);
      const text = blocksText(block.blocks, own, writing);
      const isLeftOut = text.length === 0 && block.anchor === undefined;
      return isLeftOut ? [] : [`${'#'.repeat(own)} ${escapeLine(block.title)}`, ...text];
    }
  }
}

/**
 * Formats a table. What stands in small type below a cell follows in a list below the table, since cells of
 * Markdown are hard to read if they are long.
 */
function tableText({ about, head, rows }: Table, isBrief: boolean): string[] {
  const cells = rows.map((row) => row.cells.map(toCell));
  return [
    ...(about === '' ? [] : [escapeLine(about)]),
    formatTable(
      head.map((title) =>
        title.replace(/^(>?)(.*)$/s, (_all, mark, name) => mark + escapeLine(name)),
      ),
      cells.map((row) => row.map(cellText)),
    ),
    ...(isBrief ? [] : belowText(head, cells)),
  ];
}

/** Formats a table as a list of its rows, with a heading for each group. */
function listText({ about, rows }: Table, level: number, { explainer }: Writing): string[] {
  const explainText = (text: string): string => escapeLine(explainer?.explain(text) ?? text);
  for (const { anchor } of rows) if (anchor !== undefined) explainer?.tell(anchor);
  const groups = Map.groupBy(rows, ({ group }) => group);
  return [
    ...(about === '' ? [] : [escapeLine(about)]),
    ...[...groups].flatMap(([group, own]) => [
      ...(group === undefined
        ? []
        : [`${'#'.repeat(Math.min(6, level + 1))} ${escapeLine(group)} (${own.length})`]),
      list(
        own.map(({ cells, sentence = '' }) => {
          const [first, ...rest] = cells.map(toCell);
          const below = rest.flatMap((cell) => cell.below ?? []).map(explainText);
          return `**${escapeLine(first?.text ?? '')}** ${explainText(sentence)}${formatNestedList(below)}`;
        }),
      ),
    ]),
  ];
}

function cellText({ text, tone }: Cell): string {
  return `${tone === undefined ? '' : `${SIGNS[tone]} `}${escapeLine(text)}`;
}

/**
 * Lists the lines below the cells of each row. If several columns have such lines, each begins with its column's
 * title, unless it says itself what it is.
 */
function belowText(head: Table['head'], rows: readonly (readonly Cell[])[]): string[] {
  const columns = head.filter((_title, at) =>
    rows.some((row) => (row[at]?.below ?? []).length > 0),
  );
  const items = rows.flatMap((row) => {
    const lines = row.flatMap(({ below = [], isLabelled = false }, at) =>
      below.map((line) =>
        escapeLine(columns.length > 1 && !isLabelled ? `${head[at]}: ${line}` : line),
      ),
    );
    return lines.length === 0
      ? []
      : [`${escapeLine(row[0]?.text ?? '')}${formatNestedList(lines)}`];
  });
  return items.length === 0 ? [] : [list(items)];
}

/** Formats lines as a list within an item of a list. */
function formatNestedList(lines: readonly string[]): string {
  return lines.map((line) => `\n  - ${line}`).join('');
}

/** Formats a vote: `Vote before debate: 2 "Split it" (Analyst, Critic) · 1 "Wait" (Advocate)`. */
function voteText({ title, choices, notes }: Vote): string[] {
  const counted = choices.map(({ option, votes, seats, worth, also = [] }) => {
    const other =
      also.length === 0 ? '' : `; also ${also.map((wording) => `"${wording}"`).join(', ')}`;
    const value = worth === undefined ? '' : `; worth ${worth.toFixed(1)}`;
    return `${votes} "${option}" (${seats.join(', ')}${other}${value})`;
  });
  return [
    escapeLine(`${title}: ${counted.join(' · ') || "nobody's ballot counts"}`),
    ...notes.map(escapeLine),
  ];
}
