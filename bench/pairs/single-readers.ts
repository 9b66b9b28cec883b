/**
 * Tests the written controls as a run holds them, one in a list, with readers who do not know them.
 * `npx node bench/pairs/single-readers.ts lists DIR` writes two files for each reader and key.json, which no
 * reader may see. A reader gets reader-K.md, and reader-K-second.md after the first answer; the files say
 * where the answers go. Then `npx node bench/pairs/single-readers.ts count DIR` prints the figures, and exits
 * with 1 if a target is missed. With --renumbered, in both, the number of a control tells nothing.
 */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { formatRows } from '../measure.ts';
import { conflictsIn } from './controls.ts';
import { readPanels } from './panels.ts';
import { singleLists } from './single.ts';
import { readSingles, singleFaults, singleRows, writeSingles } from './single-answers.ts';

const READERS = 8;

const [what, given, flag] = process.argv.slice(2);
if ((what !== 'lists' && what !== 'count') || given === undefined)
  throw new Error('say: lists DIR, or count DIR');
const folder = resolve(given);
const isRenumbered = flag === '--renumbered';
const lists = singleLists(READERS, isRenumbered);
if (what === 'lists') {
  writeSingles(folder, lists);
  const key = lists.map(({ reader, panel, planted, pairs }) => ({
    reader,
    panel,
    planted: planted ?? null,
    pairs,
  }));
  writeFileSync(join(folder, 'key.json'), `${JSON.stringify(key, null, 1)}\n`);
  console.log(`${lists.length} lists for ${READERS} readers, in ${folder}`);
} else {
  const panels = new Map(readPanels().map((panel) => [panel.name, conflictsIn(panel)]));
  const answers = readSingles(folder, lists);
  const rows = singleRows(lists, answers, (panel) => panels.get(panel) ?? new Set());
  console.log(`${answers.size} readers have answered\n`);
  console.log(formatRows(rows));
  for (const fault of singleFaults(lists, answers)) console.log(fault);
  process.exitCode = rows.every(({ met }) => met !== false) ? 0 : 1;
}
