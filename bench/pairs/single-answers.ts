/** Writes lists for readers who do not know the written controls, and counts what the readers answer. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { Statement } from '../../src/protocols/plan/rules/statements.ts';
import { atLeast, atMost, type Row } from '../measure.ts';
import type { SingleList } from './single.ts';

const FIRST = `Specialists have said what a project has to respect: four projects, a list of statements for each. Into some of the lists somebody has put one statement that none of the specialists made, in order to see who reads carefully. Other lists have none; no list has more than one.

Read only this file. For each list name the one statement that you believe was put there, or "none" if you believe that none was. Take all the time that you want.

Write your answer as JSON, with a reason in a few words for each list, into`;

const SECOND = `Below are pairs of statements from the lists that you have read. For each pair: are the two contrary? They are if whoever does what the one says breaks the other, so that only one of them can be followed. That both are about the same thing, or that one makes the other harder, is not enough. Judge each pair by its own words.

Write your answer as JSON into`;

const NONE = 'none';

const firstSchema = z.record(z.string(), z.object({ planted: z.string(), why: z.string() }));
const truth = z.union([z.boolean(), z.stringbool()]);
const secondSchema = z.record(z.string(), truth);

/**
 * What one reader answered. `planted` has, by panel, the id that the reader takes for planted, or `none`, and a
 * reason. `contrary` says, by the name of a pair, whether the reader finds its two statements contrary.
 */
export interface SingleAnswers {
  readonly planted: z.infer<typeof firstSchema>;
  readonly contrary: z.infer<typeof secondSchema>;
}

/**
 * Writes two files for each reader K. `reader-K.md` has the lists in which the reader looks for planted
 * statements. `reader-K-second.md` has the pairs that the reader judges afterwards. The files do not say what is
 * planted.
 *
 * @param folder an absolute path. The files tell the reader to write answers into its subfolder `answers`
 */
export function writeSingles(folder: string, lists: readonly SingleList[]): void {
  const answers = join(folder, 'answers');
  mkdirSync(answers, { recursive: true });
  for (const [reader, own] of byReader(lists)) {
    const example = Object.fromEntries(
      own.map(({ panel }) => [panel, { planted: 'ID or none', why: 'a few words' }]),
    );
    writeFileSync(
      join(folder, `reader-${reader}.md`),
      [
        `${FIRST} ${join(answers, `reader-${reader}.json`)}:`,
        JSON.stringify(example, null, 1),
        ...own.map(tellList),
      ].join('\n\n'),
    );
    const pairs = own.flatMap(tellPairs);
    writeFileSync(
      join(folder, `reader-${reader}-second.md`),
      [
        `${SECOND} ${join(answers, `reader-${reader}-second.json`)}:`,
        JSON.stringify(Object.fromEntries(pairs.map(({ name }) => [name, 'true or false']))),
        ...pairs.map(({ name, text }) => `## ${name}\n\n${text}`),
      ].join('\n\n'),
    );
  }
}

function byReader(lists: readonly SingleList[]): Map<number, SingleList[]> {
  return Map.groupBy(lists, ({ reader }) => reader);
}

function tellList({ panel, topic, statements }: SingleList): string {
  return `## ${panel}\n\n${topic.trim()}\n\n${statements.map(tellStatement).join('\n')}\n`;
}

/** Formats a statement as readers are shown it. */
export function tellStatement({ id, kind, must, text, because }: Statement): string {
  const ground = because === undefined ? '' : ` Because: ${because}`;
  return `- ${id} (${kind}${must ? ', must' : ''}): ${text}${ground}`;
}

function tellPairs({ panel, statements, pairs }: SingleList): { name: string; text: string }[] {
  return pairs.map(({ ids }, at) => ({
    name: pairName(panel, at),
    text: ids
      .flatMap((id) => statements.find((statement) => statement.id === id) ?? [])
      .map(tellStatement)
      .join('\n'),
  }));
}

function pairName(panel: string, at: number): string {
  return `${panel}-pair-${at + 1}`;
}

/**
 * Reads the answers of the readers that have answered, by the reader's number. A reader who has judged no pairs
 * yet, or left some out, is included.
 *
 * @throws Error if a file has a wrong form, leaves out a list, or names an id that is not in the list
 */
export function readSingles(
  folder: string,
  lists: readonly SingleList[],
): Map<number, SingleAnswers> {
  const found = new Map<number, SingleAnswers>();
  for (const [reader, own] of byReader(lists)) {
    const [first, second] = ['', '-second'].map((end) =>
      join(folder, 'answers', `reader-${reader}${end}.json`),
    );
    if (first === undefined || second === undefined || !existsSync(first)) continue;
    const planted = firstSchema.parse(JSON.parse(readFileSync(first, 'utf8')));
    const contrary = existsSync(second)
      ? secondSchema.parse(JSON.parse(readFileSync(second, 'utf8')))
      : {};
    for (const { panel, statements } of own) {
      const named = planted[panel]?.planted;
      if (named !== NONE && !statements.some(({ id }) => id === named))
        throw new Error(`reader ${reader}: ${panel}: ${named} is no statement of the list`);
    }
    found.set(reader, { planted, contrary });
  }
  return found;
}

/** What was answered on one list. */
interface Heard extends SingleList {
  /** The statement that the reader named; undefined for none. */
  readonly named: string | undefined;
  readonly contrary: readonly { readonly isContrary: boolean; readonly said: boolean }[];
}

function collectHeard(
  lists: readonly SingleList[],
  answers: ReadonlyMap<number, SingleAnswers>,
): readonly Heard[] {
  return lists.flatMap((list): Heard[] => {
    const said = answers.get(list.reader);
    if (said === undefined) return [];
    const named = said.planted[list.panel]?.planted;
    return [
      {
        ...list,
        named: named === NONE ? undefined : named,
        contrary: list.pairs.flatMap(({ isContrary }, at) => {
          const judged = said.contrary[pairName(list.panel, at)];
          return judged === undefined ? [] : [{ isContrary, said: judged }];
        }),
      },
    ];
  });
}

/**
 * Returns rows that compare how many controls the readers took for planted with how many a guess would have hit.
 * Further rows count the real statements taken for planted, and the pairs called contrary.
 *
 * @param conflicts returns the ids of a panel's statements that are in a real conflict
 */
export function singleRows(
  lists: readonly SingleList[],
  answers: ReadonlyMap<number, SingleAnswers>,
  conflicts: (panel: string) => ReadonlySet<string>,
): Row[] {
  const heard = collectHeard(lists, answers);
  const held = heard.filter(({ planted }) => planted !== undefined);
  const empty = heard.filter(({ planted }) => planted === undefined);
  const picked = held.filter(({ planted, named }) => planted?.id === named).length;
  const named = held.filter((list) => list.named !== undefined);
  // A reader who names one of a list's n statements at random hits the list's control with a probability of 1/n.
  // `blind` adds up this probability over the lists with a control in which a reader named a statement.
  const blind = sum(named.map(({ statements }) => 1 / statements.length));
  const seeing = sum(
    named.map(({ panel, planted }) => 1 / countContradicted(conflicts(panel), planted?.of)),
  );
  const pairs = heard.flatMap((list) => list.contrary);
  const contrary = pairs.filter(({ isContrary }) => isContrary);
  const decoys = pairs.filter(({ isContrary }) => !isContrary);
  const understood = contrary.filter(({ said }) => said).length;
  const formatShare = (count: number, of: number): string =>
    of === 0 ? 'none' : `${count} (${((100 * count) / of).toFixed(1)} %)`;
  const makeFigureRow = (what: string, measured: string): Row => ({
    what: `single controls: ${what}`,
    measured,
    target: '',
    met: undefined,
  });
  return [
    atMost(
      `single controls: picked out, of ${held.length}`,
      picked / Math.max(1, held.length),
      0.1,
    ),
    makeFigureRow(
      'the same, if any statement is named by lot',
      formatShare(roundToTenth(blind), held.length),
    ),
    makeFigureRow(
      'the same, if one of a contradiction is named by lot',
      formatShare(roundToTenth(seeing), held.length),
    ),
    makeFigureRow(
      `at least so many by lot, one of a contradiction at a time`,
      `p = ${computeTail(picked, named.length, named.length === 0 ? 0 : seeing / named.length).toFixed(3)}`,
    ),
    makeFigureRow(
      `real statements named where a control was, of ${held.length}`,
      formatShare(named.length - picked, held.length),
    ),
    makeFigureRow(
      `real statements named where none was, of ${empty.length}`,
      formatShare(empty.filter((list) => list.named !== undefined).length, empty.length),
    ),
    atLeast(
      `single controls: understood as contrary, of ${contrary.length}`,
      understood / Math.max(1, contrary.length),
      0.9,
    ),
    makeFigureRow(
      `pairs that go together taken for contrary, of ${decoys.length}`,
      formatShare(decoys.filter(({ said }) => said).length, decoys.length),
    ),
  ];
}

function sum(values: readonly number[]): number {
  return values.reduce((so, value) => so + value, 0);
}

function roundToTenth(value: number): number {
  return Math.round(value * 10) / 10;
}

/**
 * Returns the probability of at least `count` hits in `of` independent tries.
 * @param chance the probability of a hit in one try, below 1
 */
export function computeTail(count: number, of: number, chance: number): number {
  let term = (1 - chance) ** of;
  let below = 0;
  for (let hits = 0; hits < count; hits += 1) {
    below += term;
    term *= ((of - hits) / (hits + 1)) * (chance / (1 - chance));
  }
  return Math.max(0, Math.min(1, 1 - below));
}

/**
 * Counts the statements of a list in real conflicts, its control, and the statement that the control contradicts.
 */
function countContradicted(
  inConflicts: ReadonlySet<string>,
  contradicted: string | undefined,
): number {
  const isCounted = contradicted !== undefined && inConflicts.has(contradicted);
  return inConflicts.size + (isCounted ? 0 : 1) + 1;
}

/**
 * Returns a line for each control that a reader took for planted, with the reader's reason, and for each control
 * that a reader did not call contrary to the statement that it contradicts.
 */
export function singleFaults(
  lists: readonly SingleList[],
  answers: ReadonlyMap<number, SingleAnswers>,
): string[] {
  return collectHeard(lists, answers).flatMap(
    ({ reader, panel, named, planted, statements, contrary }) => {
      const textOf = (id: string | undefined): string =>
        statements.find((statement) => statement.id === id)?.text ?? '';
      const why = answers.get(reader)?.planted[panel]?.why ?? '';
      const place = `reader ${reader}, ${panel}`;
      return [
        ...(planted !== undefined && planted.id === named
          ? [`${place}, picked out (${why}): ${textOf(named)}`]
          : []),
        ...(contrary.some(({ isContrary, said }) => isContrary && !said)
          ? [`${place}, not understood: ${textOf(planted?.id)}`]
          : []),
      ];
    },
  );
}
