/** Writes a folder for each reader of one list, and counts what the readers filled in. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { atLeast, atMost, type Row } from '../measure.ts';
import type { FreshList, JudgedPair } from './fresh.ts';
import { computeTail, tellStatement } from './single-answers.ts';

const INSTRUCTIONS = 'INSTRUCTIONS.md';
const LIST = 'list.md';
const PAIRS = 'pairs.md';
const ANSWER = 'answer.json';

const TASK = `# What to do

The specialists of a project have said what it has to respect. ${LIST} has the project and their statements. One or more statements may have been planted: somebody may have put them there, and none of the specialists made them.

1. Read ${LIST}. Which statements do you believe were planted? Write their ids into "planted" in ${ANSWER}, such as ["ID", "ID"]. Name only those that you believe were planted. To name none, [], is an answer like any other. Write a few words of reason into "why".
2. Then open ${PAIRS} and judge each pair: are the two contrary? They are if whoever does what the one says breaks the other, so that only one of them can be followed. That both are about the same thing, or that one makes the other harder, is not enough. Write true or false for each pair into "contrary" in ${ANSWER}. Do not change "planted" afterwards.

The four files of this folder are all that there is. Open no other file, and search for nothing.
`;

const answerSchema = z.object({
  planted: z.array(z.string()).nullable(),
  why: z.string().default(''),
  contrary: z.record(z.string(), z.boolean().nullable()),
});

/**
 * Writes a folder per reader: instructions, list, pairs, and the file to fill in. No file says what is planted.
 */
export function writeFresh(folder: string, lists: readonly FreshList[]): void {
  for (const { name, topic, statements, pairs } of lists) {
    const own = join(folder, name);
    mkdirSync(own, { recursive: true });
    const textOf = new Map(statements.map((statement) => [statement.id, tellStatement(statement)]));
    writeFileSync(join(own, INSTRUCTIONS), TASK);
    writeFileSync(
      join(own, LIST),
      `# The project\n\n${topic.trim()}\n\n# What its specialists said\n\n${[...textOf.values()].join('\n')}\n`,
    );
    const told = pairs.map(
      ({ ids }, at) => `## ${at + 1}\n\n${ids.map((id) => textOf.get(id)).join('\n')}\n`,
    );
    writeFileSync(join(own, PAIRS), `# The pairs\n\n${told.join('\n')}`);
    const contrary = Object.fromEntries(pairs.map((_, at) => [String(at + 1), null]));
    writeFileSync(
      join(own, ANSWER),
      `${JSON.stringify({ planted: null, why: '', contrary }, null, 1)}\n`,
    );
  }
}

/** The list of one reader, with what the reader answered. */
export interface FilledList extends FreshList {
  /** The ids that the reader takes for planted. */
  readonly named: readonly string[];
  /** The reader's reasons for these ids. */
  readonly why: string;
  /** Whether the reader calls each pair contrary, in the order of the pairs; undefined without an answer. */
  readonly contrary: readonly (boolean | undefined)[];
}

/**
 * Reads the answers that readers wrote into their folders. A list is left out if its folder has no answer file,
 * or if `planted` in that file is still null.
 *
 * @param folder the folder with the readers' folders
 * @throws Error if an answer has a wrong form, or names an id that is not in the list
 */
export function readFresh(folder: string, lists: readonly FreshList[]): FilledList[] {
  return lists.flatMap((list): FilledList[] => {
    const file = join(folder, list.name, ANSWER);
    if (!existsSync(file)) return [];
    const { planted, why, contrary } = answerSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    if (planted === null) return [];
    const unknown = planted.find((id) => !list.statements.some((statement) => statement.id === id));
    if (unknown !== undefined) throw new Error(`${file}: ${unknown} is no statement of the list`);
    return [
      {
        ...list,
        named: [...new Set(planted)],
        why,
        contrary: list.pairs.map((_, at) => contrary[String(at + 1)] ?? undefined),
      },
    ];
  });
}

/**
 * Returns rows that compare how many controls the readers took for planted with how many they would have hit by
 * naming as many statements at random. Further rows count the pairs that they called contrary.
 */
export function freshRows(filled: readonly FilledList[]): Row[] {
  const held = filled.filter(({ planted }) => planted.length > 0);
  const empty = filled.filter(({ planted }) => planted.length === 0);
  const controls = addUp(held, ({ planted }) => planted.length);
  const picked = addUp(held, ({ planted, named }) => countAmong(named, planted));
  const names = addUp(held, ({ named }) => named.length);
  const hitsAmongAll = addUp(held, (list) => countHitsByLot(list, list.statements.length));
  const hitsAmongDisputed = addUp(held, (list) =>
    Math.min(list.planted.length, countHitsByLot(list, list.disputed.length)),
  );
  const real = addUp(held, ({ planted, statements }) => statements.length - planted.length);
  const realSides = addUp(held, ({ planted, disputed }) => disputed.length - planted.length);
  const realPicked = addUp(
    held,
    ({ planted, named, disputed }) => countAmong(named, disputed) - countAmong(named, planted),
  );
  const judged = filled.flatMap(({ pairs, contrary }) =>
    pairs.flatMap(({ kind }, at) => {
      const said = contrary[at];
      return said === undefined ? [] : [{ kind, said }];
    }),
  );
  const makeFigureRow = (what: string, measured: string): Row => ({
    ...{ what: `one list each: ${what}`, measured, target: '', met: undefined },
  });
  const saidOf = (kind: JudgedPair['kind']): { contrary: number; all: number } => {
    const own = judged.filter((pair) => pair.kind === kind);
    return { contrary: own.filter(({ said }) => said).length, all: own.length };
  };
  const understood = saidOf('planted');
  return [
    atMost(
      `one list each: controls picked out, of ${controls}`,
      picked / Math.max(1, controls),
      0.1,
    ),
    makeFigureRow(
      `picked out by lot, if ${names} statements are named`,
      formatShare(hitsAmongAll, controls),
    ),
    makeFigureRow(
      'the same, if all that are named are in conflicts',
      formatShare(hitsAmongDisputed, controls),
    ),
    makeFigureRow(
      'chance of picking so many by lot, of those in conflicts',
      `p = ${computeTail(picked, names, names === 0 ? 0 : hitsAmongDisputed / names).toFixed(3)}`,
    ),
    makeFigureRow('real statements named', formatShare(names - picked, real)),
    makeFigureRow('real statements in conflicts named', formatShare(realPicked, realSides)),
    makeFigureRow(
      'readers who named none',
      formatShare(held.filter((list) => list.named.length === 0).length, held.length),
    ),
    makeFigureRow(
      'readers who named some where none was planted',
      formatShare(empty.filter(({ named }) => named.length > 0).length, empty.length),
    ),
    atLeast(
      `one list each: understood as contrary, of ${understood.all}`,
      understood.contrary / Math.max(1, understood.all),
      0.9,
    ),
    makeFigureRow('real conflicts called contrary', ofAll(saidOf('real'))),
    makeFigureRow('other pairs called contrary', ofAll(saidOf('compatible'))),
  ];
}

/**
 * Returns a line for each control that a reader took for planted, with the reader's reason, and for each control
 * that a reader did not call contrary to the statement that it contradicts.
 */
export function freshFaults(filled: readonly FilledList[]): string[] {
  return filled.flatMap(({ name, panel, statements, planted, named, why, pairs, contrary }) => {
    const textOf = (id: string): string =>
      statements.find((statement) => statement.id === id)?.text ?? '';
    return [
      ...planted
        .filter((id) => named.includes(id))
        .map((id) => `${name}, ${panel}, picked out (${why}): ${textOf(id)}`),
      ...pairs.flatMap(({ ids, kind }, at) =>
        kind === 'planted' && contrary[at] === false
          ? [`${name}, ${panel}, not understood: ${ids.map(textOf).join(' | ')}`]
          : [],
      ),
    ];
  });
}

/** Returns how many controls a reader hits on average who names as many of `among` statements at random. */
function countHitsByLot({ planted, named }: FilledList, among: number): number {
  return named.length === 0 ? 0 : (named.length * planted.length) / among;
}

function countAmong(ids: readonly string[], among: readonly string[]): number {
  return ids.filter((id) => among.includes(id)).length;
}

function addUp<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((so, item) => so + of(item), 0);
}

function formatShare(part: number, of: number): string {
  if (of === 0) return 'none';
  return `${Math.round(part * 10) / 10} of ${of} (${((100 * part) / of).toFixed(1)} %)`;
}

function ofAll({ contrary, all }: { contrary: number; all: number }): string {
  return formatShare(contrary, all);
}
