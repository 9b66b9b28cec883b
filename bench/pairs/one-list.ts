/**
 * Tests the controls of edition 7 with readers who get one list each, as a search of a plan shows it: mixed
 * and numbered by the same code, with one control or, in a fifth of the lists, with none.
 * `npx node bench/pairs/one-list.ts lists DIR KEYS` writes NN.md and NN-second.md for each reader and
 * PROMPT.md into DIR, and key.json, which no reader may see, into KEYS. A reader gets NN.md, and
 * NN-second.md after the first answer. `count DIR KEYS` prints what was answered so far.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { shuffleItems } from '../../src/kernel/chance.ts';
import { mixWithPlant, swapPlanted } from '../../src/protocols/plan/rules/control.ts';
import { findLiveStatements, type Statement } from '../../src/protocols/plan/rules/statements.ts';
import { toPlant } from '../../src/protocols/plan/rules/written-control.ts';
import { atLeast, atMost, formatRows, type Row } from '../measure.ts';
import { conflictsIn, readControls, type WrittenCase } from './controls.ts';
import { readPanels } from './panels.ts';
import { tellStatement } from './single-answers.ts';

const SEED = 23;
/** Lists without a control, for each panel. */
const EMPTY_LISTS = 4;

/** The list of one reader. */
interface OneList {
  readonly name: string;
  readonly panel: string;
  readonly topic: string;
  readonly statements: readonly Statement[];
  /** The ids, as shown, of the control and of the statement that it contradicts; null without a control. */
  readonly planted: { readonly id: string; readonly of: string } | null;
  /** The pair of the second task; contrary exactly if there is a control. */
  readonly pair: readonly [string, string];
}

/**
 * Makes a list of a panel's statements for each reader, in random order. Each control of `unmarked.yaml` is in a
 * list of its own, and four more lists of each panel have no control.
 */
export function oneLists(): OneList[] {
  const cases = readControls('unmarked.yaml');
  const lists = readPanels().flatMap((panel) => {
    const own = cases.filter((controlCase) => controlCase.panel === panel.name);
    const empty = own.slice(0, EMPTY_LISTS);
    return [
      ...own.map((controlCase, at) => listOf(controlCase, panel.topic, `${panel.name}/${at}`)),
      ...empty.map(({ statements }, at): Omit<OneList, 'name'> => {
        const purpose = `${panel.name}/empty-${at}`;
        const [pair = ['', '']] = shuffleItems(panel.decoys, SEED, purpose);
        return {
          ...{ panel: panel.name, topic: panel.topic, planted: null, pair: [pair[0], pair[1]] },
          statements: shuffleItems(findLiveStatements(statements), SEED, purpose),
        };
      }),
    ];
  });
  return shuffleItems(lists, SEED, 'lists').map((list, at) => ({
    name: String(at + 1).padStart(2, '0'),
    ...list,
  }));
}

function listOf(
  { panel, control, asked, statements }: WrittenCase,
  topic: string,
  purpose: string,
): Omit<OneList, 'name'> {
  const planted = toPlant(control, asked, statements);
  const swap = swapPlanted(statements, planted, new Set(), SEED, purpose);
  const shown = mixWithPlant(statements, planted, SEED, purpose);
  const ids = { id: swap(planted.statement.id), of: swap(planted.of) };
  return {
    ...{ panel, topic, planted: ids, pair: [ids.of, ids.id] },
    statements: shown.map((statement) => ({ ...statement, id: swap(statement.id) })),
  };
}

const FIRST = `Below is a list of what the specialists of a project have said that it has to respect. Into some such lists somebody has put one statement that none of the specialists made, in order to see who reads carefully. Other lists have none; no list has more than one.

Read only this list, and take all the time that you want. Name the one statement that you believe was put there, or "none" if you believe that none was.`;

const SECOND = `Here are two statements of the list that you have read. Are the two contrary? They are if whoever does what the one says breaks the other, so that only one of them can be followed. That both are about the same thing, or that one makes the other harder, is not enough. Judge the pair by its own words.`;

const firstSchema = z.object({ planted: z.string(), why: z.string() });
const secondSchema = z.object({ contrary: z.boolean() });

function writePrompt(folder: string): string {
  return `# For each reader

A fresh reader for each list NN (01 to ${oneLists().length}), who sees no other file and no other list.

First message, with NN filled in:

> Read ${folder}/NN.md, and no other file. It says what to do and where the answer goes. Do not search for or open anything else.

Second message, once ${folder}/answers/NN.json is there (or, for a reader who is asked only once, a fresh one):

> Now read ${folder}/NN-second.md, and no other file. It says what to do and where the answer goes.

The keys lie in another folder, which no reader may open. \`npx node bench/pairs/one-list.ts count ${folder} KEYS\` counts.
`;
}

/**
 * Writes two files for each reader into `folder`: the list, and a pair of its statements that the reader judges
 * afterwards. `PROMPT.md` says how to instruct readers. `key.json` in the folder `keys` says which statements
 * are controls.
 */
export function writeLists(folder: string, keys: string): void {
  const answers = join(folder, 'answers');
  mkdirSync(answers, { recursive: true });
  mkdirSync(keys, { recursive: true });
  const lists = oneLists();
  for (const { name, topic, statements, pair } of lists) {
    const rows = statements.map(tellStatement);
    writeFileSync(
      join(folder, `${name}.md`),
      [
        FIRST,
        `Write your answer as JSON into ${join(answers, `${name}.json`)}:\n\n{"planted": "ID or none", "why": "a few words"}`,
        `The project:\n\n${topic.trim()}`,
        `${rows.join('\n')}\n`,
      ].join('\n\n'),
    );
    const two = pair.map((id) => rows.find((row) => row.startsWith(`- ${id} (`)));
    writeFileSync(
      join(folder, `${name}-second.md`),
      [
        SECOND,
        `Write your answer as JSON into ${join(answers, `${name}-second.json`)}:\n\n{"contrary": true} or {"contrary": false}`,
        `${two.join('\n')}\n`,
      ].join('\n\n'),
    );
  }
  writeFileSync(join(folder, 'PROMPT.md'), writePrompt(folder));
  const key = lists.map(({ name, panel, planted, pair }) => ({ name, panel, planted, pair }));
  writeFileSync(join(keys, 'key.json'), `${JSON.stringify(key, null, 1)}\n`);
}

function readAnswer<T>(folder: string, name: string, schema: z.ZodType<T>): T | undefined {
  const file = join(folder, 'answers', `${name}.json`);
  return existsSync(file) ? schema.parse(JSON.parse(readFileSync(file, 'utf8'))) : undefined;
}

/**
 * Reads the answers in `folder`, and leaves out lists that nobody has answered yet. Returns rows that count how
 * many controls were recognized as planted and how many were understood as contrary to another statement.
 * `faults` has a line for each control that was recognized or not understood.
 * @throws Error if an answer has a wrong form, or names an id that is not in the list
 */
export function oneListRows(folder: string): { rows: Row[]; faults: string[] } {
  const conflicts = new Map(readPanels().map((panel) => [panel.name, conflictsIn(panel)]));
  const heard = oneLists().flatMap((list) => {
    const first = readAnswer(folder, list.name, firstSchema);
    if (first === undefined) return [];
    const isKnown = list.statements.some(({ id }) => id === first.planted);
    if (!isKnown && first.planted !== 'none')
      throw new Error(`${list.name}: ${first.planted} is no statement of the list`);
    const second = readAnswer(folder, `${list.name}-second`, secondSchema);
    return [{ ...list, first, contrary: second?.contrary }];
  });
  const held = heard.filter(({ planted }) => planted !== null);
  const empty = heard.filter(({ planted }) => planted === null);
  const picked = held.filter(({ planted, first }) => planted?.id === first.planted);
  const named = held.filter(({ first }) => first.planted !== 'none');
  const byLot = named.reduce(
    (sum, { panel }) => sum + 1 / ((conflicts.get(panel)?.size ?? 0) + 2),
    0,
  );
  const judged = held.filter(({ contrary }) => contrary !== undefined);
  const formatShare = (count: number, of: number): string => `${count} of ${of}`;
  const makeFigureRow = (what: string, measured: string): Row => ({
    ...{ what: `one list: ${what}`, measured, target: '', met: undefined },
  });
  return {
    rows: [
      atMost(
        `one list: picked out, of ${held.length}`,
        picked.length / Math.max(1, held.length),
        0.1,
      ),
      makeFigureRow('the same, if one of a contradiction is named by lot', byLot.toFixed(1)),
      makeFigureRow(
        'real statements named where a control was',
        formatShare(named.length - picked.length, held.length),
      ),
      makeFigureRow(
        'real statements named where none was',
        formatShare(empty.filter(({ first }) => first.planted !== 'none').length, empty.length),
      ),
      atLeast(
        `one list: understood as contrary, of ${judged.length}`,
        judged.filter(({ contrary }) => contrary).length / Math.max(1, judged.length),
        0.9,
      ),
      makeFigureRow(
        'pairs called contrary that go together',
        formatShare(
          empty.filter(({ contrary }) => contrary === true).length,
          empty.filter(({ contrary }) => contrary !== undefined).length,
        ),
      ),
    ],
    faults: [
      ...picked.map(
        ({ name, statements, first }) =>
          `${name}, picked out (${first.why}): ${statements.find(({ id }) => id === first.planted)?.text}`,
      ),
      ...judged
        .filter(({ contrary }) => !contrary)
        .map(
          ({ name, statements, pair }) =>
            `${name}, not understood: ${statements.find(({ id }) => id === pair[1])?.text}`,
        ),
    ],
  };
}

if (import.meta.main) {
  const [what, folder, keys] = process.argv.slice(2);
  if (folder === undefined || keys === undefined || (what !== 'lists' && what !== 'count'))
    throw new Error('say: lists DIR KEYS, or count DIR KEYS');
  if (what === 'lists') {
    writeLists(resolve(folder), resolve(keys));
    console.log(`${oneLists().length} lists in ${folder}`);
  } else {
    const { rows, faults } = oneListRows(resolve(folder));
    console.log(formatRows(rows));
    for (const fault of faults) console.log(fault);
  }
}
