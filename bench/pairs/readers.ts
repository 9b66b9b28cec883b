/**
 * Tests the written controls with readers who do not know them. `npx node bench/pairs/readers.ts lists DIR`
 * writes a folder for each reader. A reader gets that folder alone and writes the answers into it, as its
 * files say. Then `npx node bench/pairs/readers.ts count DIR` prints the figures, and exits with 1 if a
 * target is missed. Give `count` the same options as `lists`.
 *
 * --alone    one list for each reader, with the sixty controls of edition 7 in twenty lists and none in four
 * --each 3   how many controls a list has: with fewer, more readers are needed
 * --deal 0   another number shuffles the controls differently, for a second group of readers
 * --latest   the controls of edition 7 that code accepts, instead of those of edition 5
 */
import { parseArgs } from 'node:util';
import { formatRows, type Row } from '../measure.ts';
import { blindFaults, blindLists, blindRows, readAnswers, writeLists } from './blind.ts';
import { readAcceptedControls, readControls } from './controls.ts';
import { freshLists } from './fresh.ts';
import { freshFaults, freshRows, readFresh, writeFresh } from './fresh-answers.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    alone: { type: 'boolean', default: false },
    each: { type: 'string', default: '3' },
    deal: { type: 'string', default: '0' },
    latest: { type: 'boolean', default: false },
  },
});
const [what, folder] = positionals;
if ((what !== 'lists' && what !== 'count') || folder === undefined)
  throw new Error('say: lists DIR, or count DIR');
const skip = Number(values.deal);
if (values.alone) {
  const lists = freshLists(skip);
  if (what === 'lists') {
    writeFresh(folder, lists);
    console.log(`${lists.length} readers, in ${folder}`);
  } else {
    const filled = readFresh(folder, lists);
    console.log(`${filled.length} of ${lists.length} readers have answered\n`);
    printRows(freshRows(filled), freshFaults(filled));
  }
} else {
  const lists = blindLists(
    Number(values.each),
    skip,
    values.latest ? readAcceptedControls() : readControls(),
  );
  if (what === 'lists') {
    writeLists(folder, lists);
    console.log(`${new Set(lists.map(({ reader }) => reader)).size} readers, in ${folder}`);
  } else {
    const answers = readAnswers(folder, lists);
    printRows(blindRows(answers), blindFaults(answers));
  }
}

/** Prints the rows and faults, and sets the exit code. */
function printRows(rows: readonly Row[], faults: readonly string[]): void {
  console.log(formatRows(rows));
  for (const fault of faults) console.log(fault);
  process.exitCode = rows.every(({ met }) => met !== false) ? 0 : 1;
}
