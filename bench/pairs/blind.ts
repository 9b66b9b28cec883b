/**
 * Tests whether readers who do not know the written controls can tell them from real statements. Makes lists
 * of statements with controls among them, and counts what the readers answer. A reader gets one list per
 * panel, so that nobody can find the controls by comparing two lists.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { shuffleItems } from '../../src/kernel/chance.ts';
import type { Statement } from '../../src/protocols/plan/rules/statements.ts';
import { toPlant } from '../../src/protocols/plan/rules/written-control.ts';
import { atLeast, atMost, type Row } from '../measure.ts';
import { readControls, type WrittenCase } from './controls.ts';
import { readPanels } from './panels.ts';

const SEED = 7;

/** The list of one panel's statements that one reader gets. */
export interface BlindList {
  readonly reader: number;
  readonly panel: string;
  readonly topic: string;
  /** The statements as they are shown. An id tells only the seat and the position in the list. */
  readonly statements: readonly Statement[];
  /** The controls among the statements: the id of each, and the id of the statement that it contradicts. */
  readonly planted: readonly { readonly id: string; readonly of: string }[];
}

/** The form of a reader's answers about one list. */
const answerSchema = z.object({
  /** The ids of the statements that the reader believes to be controls. */
  planted: z.array(z.string()),
  /** Pairs of ids of statements that, in the reader's opinion, cannot both be followed. */
  contrary: z.array(z.tuple([z.string(), z.string()])),
});
/**
 * What one reader answered about one list of statements, without knowing which of them are controls: `planted`
 * has the ids that the reader takes for controls, `contrary` the pairs that the reader finds contradictory.
 */
export type BlindAnswer = z.infer<typeof answerSchema>;

/**
 * Makes the lists of all readers. Every control is in exactly one list. A list has all statements of the seats
 * of one panel, also those that conflict with each other, and at most `each` controls. No two controls of a list
 * contradict the same statement.
 *
 * @param skip changes the random order, so that a second group of readers can get other lists
 * @param controls the controls that are distributed to the lists
 * @throws Error if the controls cannot be distributed in this way
 */
export function blindLists(
  each: number,
  skip = 0,
  controls: readonly WrittenCase[] = readControls(),
): BlindList[] {
  return readPanels().flatMap(({ name, topic }) => {
    const cases = controls.filter(({ panel }) => panel === name);
    return dealControls(shuffleItems(cases, SEED + skip, name), each).map((dealt, at) =>
      listOf(at + 1, name, topic, dealt, skip),
    );
  });
}

/**
 * Splits controls into the fewest groups of at most `each`, so that no two controls of a group contradict the
 * same statement.
 *
 * @throws Error if there is no such split
 */
export function dealControls(cases: readonly WrittenCase[], each: number): WrittenCase[][] {
  const groups: WrittenCase[][] = Array.from({ length: Math.ceil(cases.length / each) }, () => []);
  const placeCase = (at: number): boolean => {
    const controlCase = cases[at];
    if (controlCase === undefined) return true;
    return groups.some((group) => {
      if (group.length >= each || !group.every((other) => areApart(controlCase, other)))
        return false;
      group.push(controlCase);
      if (placeCase(at + 1)) return true;
      group.pop();
      return false;
    });
  };
  if (!placeCase(0)) throw new Error(`the controls cannot be dealt ${each} to a list`);
  return groups;
}

function areApart(one: WrittenCase, other: WrittenCase): boolean {
  return one.control.of !== other.control.of;
}

function listOf(
  reader: number,
  panel: string,
  topic: string,
  dealt: readonly WrittenCase[],
  skip: number,
): BlindList {
  const real = dealt[0]?.statements ?? [];
  const plants = dealt.map(({ control, asked, statements }) => toPlant(control, asked, statements));
  const all = shuffleItems(
    [...real, ...plants.map(({ statement }) => statement)],
    SEED + skip,
    `${panel}/${reader}`,
  );
  const counts = new Map<string, number>();
  const shown = all.map((statement): Statement => {
    const count = (counts.get(statement.role) ?? 0) + 1;
    counts.set(statement.role, count);
    return { ...statement, id: `${statement.role}-${count}` };
  });
  const idOf = (statement: Statement | undefined): string =>
    shown[all.indexOf(statement as Statement)]?.id ?? '';
  return {
    reader,
    panel,
    topic,
    statements: shown,
    planted: plants.map(({ of, statement }) => ({
      id: idOf(statement),
      of: idOf(real.find(({ id }) => id === of)),
    })),
  };
}

const TASK = 'TASK.md';
const SECOND_TASK = 'SECOND-TASK.md';
const FIRST_ANSWER = 'first.json';
const SECOND_ANSWER = 'second.json';

function firstTask(folder: string): string {
  return `# The first task

Four groups of specialists have said what a project has to respect. Somebody has put statements among theirs that none of them made, in order to see who reads carefully. There may be some in a list, or none.

For each list say which statements you take for planted. Name only those for which you have a reason in how they are written, in what they say, or in how they stand among the others; to name none is a good answer.

Read this file only. Do not search for other files, and do not open ${SECOND_TASK} before your answer to this task is written.

Write your answer as JSON into ${join(folder, FIRST_ANSWER)}, with the four names of the lists, each with the ids that you take for planted:

{"checkout": ["payments-3"], "dates": [], "inspection": [], "rivers": []}

The ids of this example mean nothing. When ${FIRST_ANSWER} is written, open ${join(folder, SECOND_TASK)}.
`;
}

function secondTask(folder: string): string {
  return `# The second task

The lists are those of ${TASK}. Now say which two statements cannot both be followed, whoever made them: whoever does what the one says breaks the other. That two speak of the same thing is not enough. A list may have several such pairs, or none.

Write your answer as JSON into ${join(folder, SECOND_ANSWER)}. Do not change ${FIRST_ANSWER} any more.

{"checkout": [["payments-3", "storefront-1"]], "dates": [], "inspection": [], "rivers": []}

The ids of this example mean nothing. Read no files but ${TASK} and this one. When ${SECOND_ANSWER} is written, you are done.
`;
}

/** Writes a folder per reader, with the reader's lists and two tasks. No file in it says what is planted. */
export function writeLists(folder: string, lists: readonly BlindList[]): void {
  for (const reader of new Set(lists.map((list) => list.reader))) {
    const own = resolve(folder, String(reader));
    mkdirSync(own, { recursive: true });
    const texts = lists.filter((list) => list.reader === reader).map(tellList);
    writeFileSync(join(own, TASK), [firstTask(own), ...texts].join('\n'));
    writeFileSync(join(own, SECOND_TASK), secondTask(own));
  }
}

function tellList({ panel, topic, statements }: BlindList): string {
  const rows = statements.map(
    ({ id, kind, must, text, because }) =>
      `- ${id} (${kind}${must ? ', must' : ''}): ${text} Because: ${because}`,
  );
  return `## ${panel}\n\n${topic.trim()}\n\n${rows.join('\n')}\n`;
}

const firstSchema = z.record(z.string(), answerSchema.shape.planted);
const secondSchema = z.record(z.string(), answerSchema.shape.contrary);

/**
 * Reads every reader's answers about every list. A list that a reader's file leaves out counts as answered with
 * nothing.
 * @throws Error if a reader's file is missing or invalid
 */
export function readAnswers(
  folder: string,
  lists: readonly BlindList[],
): Map<BlindList, BlindAnswer> {
  const readAnswer = <T>(reader: number, file: string, schema: z.ZodType<T>): T =>
    schema.parse(JSON.parse(readFileSync(join(folder, String(reader), file), 'utf8')));
  return new Map(
    lists.map((list) => [
      list,
      {
        planted: readAnswer(list.reader, FIRST_ANSWER, firstSchema)[list.panel] ?? [],
        contrary: readAnswer(list.reader, SECOND_ANSWER, secondSchema)[list.panel] ?? [],
      },
    ]),
  );
}

/**
 * Returns rows with three counts: the controls that readers recognized as planted, the real statements that
 * readers wrongly took for planted, and the controls whose contradiction with a real statement readers named.
 */
export function blindRows(answers: ReadonlyMap<BlindList, BlindAnswer>): Row[] {
  const all = [...answers].map(([list, answer]) => {
    const ids = new Set(list.planted.map(({ id }) => id));
    const named = new Set(answer.planted);
    return {
      controls: ids.size,
      picked: [...ids].filter((id) => named.has(id)).length,
      real: list.statements.length - ids.size,
      mistaken: list.statements.filter(({ id }) => named.has(id) && !ids.has(id)).length,
      understood: list.planted.filter(({ id, of }) =>
        answer.contrary.some((pair) => pair.includes(id) && pair.includes(of)),
      ).length,
    };
  });
  const addUp = (of: (counts: (typeof all)[number]) => number): number =>
    all.reduce((so, counts) => so + of(counts), 0);
  const [controls, real] = [addUp((counts) => counts.controls), addUp((counts) => counts.real)];
  const picked = addUp((counts) => counts.picked);
  const mistaken = addUp((counts) => counts.mistaken);
  const understood = addUp((counts) => counts.understood);
  const chance = `${((100 * mistaken) / Math.max(1, real)).toFixed(1)} %`;
  return [
    atMost(`controls: taken for planted, of ${controls}`, picked / Math.max(1, controls), 0.1),
    {
      what: `controls: real statements taken for planted, of ${real}`,
      measured: chance,
      target: '',
      met: undefined,
    },
    atLeast(`controls: understood, of ${controls}`, understood / Math.max(1, controls), 0.9),
  ];
}

/**
 * Returns a line for each control that should be reworded: its reader recognized it as planted, or did not see
 * which statement it contradicts.
 */
export function blindFaults(answers: ReadonlyMap<BlindList, BlindAnswer>): string[] {
  return [...answers].flatMap(([{ reader, panel, statements, planted }, answer]) =>
    planted.flatMap(({ id, of }) => {
      const text = statements.find((statement) => statement.id === id)?.text ?? '';
      const isUnderstood = answer.contrary.some((pair) => pair.includes(id) && pair.includes(of));
      return [
        ...(answer.planted.includes(id) ? [`reader ${reader}, ${panel}, picked out: ${text}`] : []),
        ...(isUnderstood ? [] : [`reader ${reader}, ${panel}, not understood: ${text}`]),
      ];
    }),
  );
}
