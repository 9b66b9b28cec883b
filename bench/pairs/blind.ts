/**
 * The written controls, read by people or models who do not know them: lists of statements with controls among
 * them, and what readers say of these counted. Each reader sees each panel once: nobody can tell a control by what
 * another list lacks.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { shuffle } from '../../src/kernel/chance.ts';
import type { Statement } from '../../src/protocols/plan/rules/statements.ts';
import { toPlant } from '../../src/protocols/plan/rules/written-control.ts';
import { atLeast, atMost, type Row } from '../measure.ts';
import { readControls, type WrittenCase } from './controls.ts';
import { readPanels } from './panels.ts';

const SEED = 7;

/** What one reader is given of one panel. */
export interface BlindList {
  readonly reader: number;
  readonly panel: string;
  readonly topic: string;
  /** As they are shown: their ids say nothing but the seat and the place in the list. */
  readonly statements: readonly Statement[];
  /** The controls among them, with the statement that each contradicts, by these ids. */
  readonly planted: readonly { readonly id: string; readonly of: string }[];
}

/** What a reader says of one list. */
const answerSchema = z.object({
  /** The ids that they take for planted. */
  planted: z.array(z.string()),
  /** Each two ids that cannot both be followed. */
  contrary: z.array(z.tuple([z.string(), z.string()])),
});
export type BlindAnswer = z.infer<typeof answerSchema>;

/**
 * Deals all controls to as many readers as it takes. No list has two controls that are about one statement, or about
 * two sides of one pair.
 * @param each controls in a list; `skip` starts the deal elsewhere, so that another panel of readers has other lists
 */
export function blindLists(each: number, skip = 0): BlindList[] {
  const controls = readControls();
  return readPanels().flatMap(({ name, topic }) => {
    const cases = controls.filter(({ panel }) => panel === name);
    return deal(shuffle(cases, SEED + skip, name), each).map((dealt, at) =>
      listOf(at + 1, name, topic, dealt, skip),
    );
  });
}

/** Groups of so many, none of which has two that would take each other's statement away. */
function deal(cases: readonly WrittenCase[], each: number): WrittenCase[][] {
  const groups: WrittenCase[][] = Array.from({ length: Math.ceil(cases.length / each) }, () => []);
  const place = (at: number): boolean => {
    const one = cases[at];
    if (one === undefined) return true;
    return groups.some((group) => {
      if (group.length >= each || !group.every((other) => areApart(one, other))) return false;
      group.push(one);
      if (place(at + 1)) return true;
      group.pop();
      return false;
    });
  };
  if (!place(0)) throw new Error(`the controls cannot be dealt ${each} to a list`);
  return groups;
}

function areApart(one: WrittenCase, other: WrittenCase): boolean {
  const stands = ({ statements }: WrittenCase, { control }: WrittenCase): boolean =>
    statements.some(({ id }) => id === control.of);
  return one.control.of !== other.control.of && stands(one, other) && stands(other, one);
}

function listOf(
  reader: number,
  panel: string,
  topic: string,
  dealt: readonly WrittenCase[],
  skip: number,
): BlindList {
  const [first, ...others] = dealt;
  // What is in a conflict with a statement that a control is about is left out, as where a control is planted.
  const real = (first?.statements ?? []).filter(({ id }) =>
    others.every(({ statements }) => statements.some((one) => one.id === id)),
  );
  const plants = dealt.map(({ control, asked, statements }) => {
    const { of, statement } = toPlant(control, asked, statements);
    return { of, statement };
  });
  const all = shuffle(
    [...real, ...plants.map(({ statement }) => statement)],
    SEED + skip,
    `${panel}/${reader}`,
  );
  const counts = new Map<string, number>();
  const shown = all.map((one): Statement => {
    const count = (counts.get(one.role) ?? 0) + 1;
    counts.set(one.role, count);
    return { ...one, id: `${one.role}-${count}` };
  });
  const idOf = (one: Statement | undefined): string =>
    shown[all.indexOf(one as Statement)]?.id ?? '';
  return {
    ...{ reader, panel, topic, statements: shown },
    planted: plants.map(({ of, statement }) => ({
      id: idOf(statement),
      of: idOf(real.find(({ id }) => id === of)),
    })),
  };
}

const FIRST = `Four groups of specialists have said what a project has to respect. Somebody has put statements among theirs that none of them made, in order to see who reads carefully. There may be some in a list, or none.

For each list say which statements you take for planted. Name only those for which you have a reason in how they are written, in what they say, or in how they stand among the others; to name none is a good answer.

Write your answer as JSON into first.json beside this file, and only then open second.md:

{"checkout": ["payments-3"], "dates": [], "inspection": [], "rivers": []}
`;

const SECOND = `The lists are those of first.md. Now say which two statements cannot both be followed, whoever made them: whoever does what the one says breaks the other. That two speak of the same thing is not enough. A list may have several such pairs, or none.

Write your answer as JSON into second.json beside this file. Do not change first.json any more.

{"checkout": [["payments-3", "storefront-1"]], "dates": [], "inspection": [], "rivers": []}
`;

/** Writes what each reader is given, a folder for each. Nothing in it says what is planted. */
export function writeLists(folder: string, lists: readonly BlindList[]): void {
  for (const reader of new Set(lists.map((one) => one.reader))) {
    const own = join(folder, `reader-${reader}`);
    mkdirSync(own, { recursive: true });
    const texts = lists.filter((one) => one.reader === reader).map(tellList);
    writeFileSync(join(own, 'first.md'), [FIRST, ...texts].join('\n'));
    writeFileSync(join(own, 'second.md'), SECOND);
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

/** What each reader wrote of each list. @throws where an answer is missing or is none */
export function readAnswers(
  folder: string,
  lists: readonly BlindList[],
): Map<BlindList, BlindAnswer> {
  const read = <T>(reader: number, file: string, schema: z.ZodType<T>): T =>
    schema.parse(JSON.parse(readFileSync(join(folder, `reader-${reader}`, file), 'utf8')));
  return new Map(
    lists.map((one) => [
      one,
      {
        planted: read(one.reader, 'first.json', firstSchema)[one.panel] ?? [],
        contrary: read(one.reader, 'second.json', secondSchema)[one.panel] ?? [],
      },
    ]),
  );
}

/** How many controls were picked out, beside how many real statements were, and how many were understood. */
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
  const sum = (of: (one: (typeof all)[number]) => number): number =>
    all.reduce((so, one) => so + of(one), 0);
  const [controls, real] = [sum((one) => one.controls), sum((one) => one.real)];
  const picked = sum((one) => one.picked);
  const mistaken = sum((one) => one.mistaken);
  const understood = sum((one) => one.understood);
  const chance = `${((100 * mistaken) / Math.max(1, real)).toFixed(1)} %`;
  return [
    atMost(`controls: taken for planted, of ${controls}`, picked / Math.max(1, controls), 0.1),
    {
      what: `controls: real statements taken for planted, of ${real}`,
      ...{ measured: chance, target: '', met: undefined },
    },
    atLeast(`controls: understood, of ${controls}`, understood / Math.max(1, controls), 0.9),
  ];
}

/** Controls that were taken for planted, and those that nobody understood, for whoever mends them. */
export function blindFaults(answers: ReadonlyMap<BlindList, BlindAnswer>): string[] {
  return [...answers].flatMap(([{ reader, panel, statements, planted }, answer]) =>
    planted.flatMap(({ id, of }) => {
      const text = statements.find((one) => one.id === id)?.text ?? '';
      const isUnderstood = answer.contrary.some((pair) => pair.includes(id) && pair.includes(of));
      return [
        ...(answer.planted.includes(id) ? [`reader ${reader}, ${panel}, picked out: ${text}`] : []),
        ...(isUnderstood ? [] : [`reader ${reader}, ${panel}, not understood: ${text}`]),
      ];
    }),
  );
}
